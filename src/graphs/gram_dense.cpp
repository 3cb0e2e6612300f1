#include "graphs/gram_dense.hpp"

#include <algorithm>
#include <concepts>

#include "graphs/centred_rows.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Longest run of additions in one product: longer depths are summed in pieces, which bounds the
/// rounding by kDepth + depth / kDepth terms whatever the BLAS does inside a piece.
constexpr Index kDepth = 512;

/// Longer panels save nothing; longer chunks compute more pairs twice on the diagonal.
constexpr Index kMostPanelRows = 1024;
constexpr Index kMostChunkRows = 512;

/// Rows of a buffer or of the table itself.
struct RowBlock {
  const float* data;
  Index stride;
};

template <class T>
class DenseGramSource : public GramSource {
 public:
  DenseGramSource(const DenseView<T>& x, std::span<const Index> among);
  std::unique_ptr<GramSource::Worker> worker() const override;

 private:
  class Worker;

  bool can_use_table() const;
  void choose_shape();
  void fill_norms();
  void copy_row(Index position, float* out) const {
    rows_.copy_row(position, static_cast<T>(scale), out);
  }
  /// Consecutive positions: the table's own rows where they can be used, else copied to buffer.
  RowBlock block(Index begin, Index end, Buffer<float>& buffer) const;

  CentredRows<T> rows_;
  bool uses_table_;
};

template <class T>
DenseGramSource<T>::DenseGramSource(const DenseView<T>& x, std::span<const Index> among)
    : rows_(x, among), uses_table_(can_use_table()) {
  if (uses_table_)
    rows_.count_from_zero();
  else
    scale = unit_scale(rows_.spread());
  choose_shape();
  fill_norms();
  const Index pieces = (x.cols() + kDepth - 1) / kDepth;
  set_error_bounds(std::min(kDepth, x.cols()) + pieces, x.cols(), rows_.holds_integers());
}

/// Float32 rows serve as they are if centring would not make them much shorter, and if their
/// squares neither overflow nor vanish: it saves the copies and the memory for them.
template <class T>
bool DenseGramSource<T>::can_use_table() const {
  return std::same_as<T, float> && !rows_.holds_integers() && rows_.are_consecutive() &&
         rows_.offset() <= rows_.spread() && rows_.spread() > 0x1p-40 && rows_.spread() < 0x1p60;
}

/// Tiles as large as the work space allows: a matrix product then spends little time on packing.
template <class T>
void DenseGramSource<T>::choose_shape() {
  const Index n = rows_.size();
  // Two panels for each thread share the triangle of pairs evenly enough.
  panel_rows = std::clamp<Index>(n / (2 * std::max<Index>(2, max_threads())), 64, kMostPanelRows);
  chunk_rows = std::clamp<Index>(n / 8, 64, kMostChunkRows);
  if (uses_table_) return;
  const double table = static_cast<double>(n * rows_.cols()) * sizeof(T);
  // Four fifths of the rows in the panel: chunks are copied once per panel, the panel once.
  const auto rows =
      static_cast<Index>(work_bytes(table) / (4.0 * static_cast<double>(rows_.cols())));
  panel_rows = std::clamp<Index>(4 * rows / 5, 64, panel_rows);
  chunk_rows = std::clamp<Index>(rows / 5, 64, chunk_rows);
}

template <class T>
void DenseGramSource<T>::fill_norms() {
  squared_norms.resize(rows_.size());
  parallel_for(size(), chunk_rows, [&](Index begin, Index end) {
    Buffer<float> row(rows_.cols());
    for (Index s = begin; s < end; ++s) {
      copy_row(s, row.data());
      squared_norms[s] = squared_norm(row);
    }
  });
}

template <class T>
RowBlock DenseGramSource<T>::block(Index begin, Index end, Buffer<float>& buffer) const {
  if constexpr (std::same_as<T, float>)
    if (uses_table_) return {rows_.row(begin), rows_.stride()};
  buffer.resize((end - begin) * rows_.cols());
  for (Index s = begin; s < end; ++s) copy_row(s, buffer.data() + (s - begin) * rows_.cols());
  return {buffer.data(), rows_.cols()};
}

template <class T>
class DenseGramSource<T>::Worker : public GramSource::Worker {
 public:
  explicit Worker(const DenseGramSource& source)
      : source_(source), tile_(source.panel_rows * source.chunk_rows) {}

  void set_panel(std::span<const Index> positions) override {
    if (positions.back() - positions.front() == std::ssize(positions) - 1) {
      panel_ = source_.block(positions.front(), positions.back() + 1, panel_buffer_);
      return;
    }
    const Index cols = source_.rows_.cols();
    panel_buffer_.resize(std::ssize(positions) * cols);
    for (Index s = 0; s < std::ssize(positions); ++s)
      source_.copy_row(positions[s], panel_buffer_.data() + s * cols);
    panel_ = {panel_buffer_.data(), cols};
  }

  const float* tile(Index height, Index begin, Index end, Needed) override {
    const RowBlock chunk = source_.block(begin, end, chunk_buffer_);
    const Index cols = source_.rows_.cols();
    for (Index from = 0; from < cols; from += kDepth)
      multiply_transposed(panel_.data + from, panel_.stride, height, chunk.data + from,
                          chunk.stride, end - begin, std::min(kDepth, cols - from), from > 0,
                          tile_.data(), end - begin);
    return tile_.data();
  }

 private:
  const DenseGramSource& source_;
  RowBlock panel_{};
  Buffer<float> panel_buffer_;
  Buffer<float> chunk_buffer_;
  Buffer<float> tile_;
};

template <class T>
std::unique_ptr<GramSource::Worker> DenseGramSource<T>::worker() const {
  return std::make_unique<Worker>(*this);
}

}  // namespace

template <class T>
std::unique_ptr<GramSource> dense_gram_source(const DenseView<T>& x, std::span<const Index> among) {
  return std::make_unique<DenseGramSource<T>>(x, among);
}
template std::unique_ptr<GramSource> dense_gram_source(const DenseView<float>&,
                                                       std::span<const Index>);
template std::unique_ptr<GramSource> dense_gram_source(const DenseView<double>&,
                                                       std::span<const Index>);

}  // namespace tamis
