#include "graphs/gram_dense.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <numeric>

#include "core/simd.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Longest run of additions in one product: longer depths are summed in pieces, which bounds the
/// rounding by kDepth + depth / kDepth terms whatever the BLAS does inside a piece.
constexpr Index kDepth = 512;

/// Work space of all threads together, as a share of the table; and what one thread gets at least.
constexpr double kWorkShare = 0.12;
constexpr Index kLeastWorkBytes = Index{8} << 20;
/// Longer panels save nothing; longer chunks compute more pairs twice on the diagonal.
constexpr Index kMostPanelRows = 1024;
constexpr Index kMostChunkRows = 512;

template <class T>
void centre_row(const T* row, const T* centres, T scale, Index cols, float* out) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index r = 0; r < cols; ++r) out[r] = static_cast<float>((row[r] - centres[r]) * scale);
  });
}

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

  bool can_use_table(const ColumnMoments& columns, bool integers) const;
  void choose_shape();
  void fill_norms();
  void copy_row(Index position, float* out) const {
    centre_row(x_.row(among_[position]), centres_.data(), static_cast<T>(scale), x_.cols(), out);
  }
  /// Consecutive positions: the table's own rows where they can be used, else copied to buffer.
  RowBlock block(Index begin, Index end, Buffer<float>& buffer) const;

  DenseView<T> x_;
  std::span<const Index> among_;
  std::vector<T> centres_;
  bool uses_table_ = false;
};

template <class T>
DenseGramSource<T>::DenseGramSource(const DenseView<T>& x, std::span<const Index> among)
    : x_(x), among_(among), centres_(x.cols(), T{0}) {
  const bool integers = holds_small_integers(x, among);
  const ColumnMoments columns = weighted_moments(x, among, std::vector<double>(among.size(), 1.0));
  uses_table_ = can_use_table(columns, integers);
  if (!uses_table_) {
    // An integer shift keeps integers, whose distances are then exact.
    std::ranges::transform(columns.mean, centres_.begin(), [&](double mean) {
      return static_cast<T>(integers ? std::nearbyint(mean) : mean);
    });
    scale = unit_scale(std::accumulate(columns.squares.begin(), columns.squares.end(), 0.0));
  }
  choose_shape();
  fill_norms();
  const Index pieces = (x.cols() + kDepth - 1) / kDepth;
  set_error_bounds(std::min(kDepth, x.cols()) + pieces, x.cols(), integers);
}

/// Float32 rows serve as they are if centring would not make them much shorter, and if their
/// squares neither overflow nor vanish: it saves the copies and the memory for them.
template <class T>
bool DenseGramSource<T>::can_use_table(const ColumnMoments& columns, bool integers) const {
  if (!std::same_as<T, float> || integers) return false;
  if (among_.back() - among_.front() != std::ssize(among_) - 1) return false;
  const double spread = std::accumulate(columns.squares.begin(), columns.squares.end(), 0.0);
  const double offset =
      columns.total_weight *
      std::inner_product(columns.mean.begin(), columns.mean.end(), columns.mean.begin(), 0.0);
  return offset <= spread && spread > 0x1p-40 && spread < 0x1p60;
}

/// Tiles as large as the work space allows: a matrix product then spends little time on packing.
template <class T>
void DenseGramSource<T>::choose_shape() {
  const Index n = std::ssize(among_);
  // Two panels for each thread share the triangle of pairs evenly enough.
  panel_rows = std::clamp<Index>(n / (2 * std::max<Index>(2, max_threads())), 64, kMostPanelRows);
  chunk_rows = std::clamp<Index>(n / 8, 64, kMostChunkRows);
  if (uses_table_) return;
  const double table = static_cast<double>(n * x_.cols()) * sizeof(T);
  const double bytes = std::max(static_cast<double>(kLeastWorkBytes),
                                kWorkShare * table / static_cast<double>(max_threads()));
  // Four fifths of the rows in the panel: chunks are copied once per panel, the panel once.
  const auto rows = static_cast<Index>(bytes / (4.0 * static_cast<double>(x_.cols())));
  panel_rows = std::clamp<Index>(4 * rows / 5, 64, panel_rows);
  chunk_rows = std::clamp<Index>(rows / 5, 64, chunk_rows);
}

template <class T>
void DenseGramSource<T>::fill_norms() {
  squared_norms.resize(among_.size());
  parallel_for(size(), chunk_rows, [&](Index begin, Index end) {
    Buffer<float> row(x_.cols());
    for (Index s = begin; s < end; ++s) {
      copy_row(s, row.data());
      squared_norms[s] = squared_norm(row);
    }
  });
}

template <class T>
RowBlock DenseGramSource<T>::block(Index begin, Index end, Buffer<float>& buffer) const {
  if constexpr (std::same_as<T, float>)
    if (uses_table_) return {x_.row(among_[begin]), x_.row(1) - x_.row(0)};
  buffer.resize((end - begin) * x_.cols());
  for (Index s = begin; s < end; ++s) copy_row(s, buffer.data() + (s - begin) * x_.cols());
  return {buffer.data(), x_.cols()};
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
    const Index cols = source_.x_.cols();
    panel_buffer_.resize(std::ssize(positions) * cols);
    for (Index s = 0; s < std::ssize(positions); ++s)
      source_.copy_row(positions[s], panel_buffer_.data() + s * cols);
    panel_ = {panel_buffer_.data(), cols};
  }

  const float* tile(Index height, Index begin, Index end) override {
    const RowBlock chunk = source_.block(begin, end, chunk_buffer_);
    const Index cols = source_.x_.cols();
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
