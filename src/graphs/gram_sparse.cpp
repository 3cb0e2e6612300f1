#include "graphs/gram_sparse.hpp"

#include <algorithm>
#include <cstdint>

#include "linalg/gemm.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {
namespace {

/// Density from which n^2 multiplications of a matrix product beat (density n)^2 scattered ones.
constexpr double kDenseColumn = 0.12;
/// As for dense tables: a product over a longer depth is summed in pieces to bound its rounding.
constexpr Index kDepth = 512;

/// The entries of one chunk of rows, column by column.
struct InvertedChunk {
  struct Posting {
    std::uint32_t row;  // within the chunk
    float value;
  };
  std::vector<std::uint32_t> offsets;  // one per column, and the end
  std::vector<Posting> postings;
};

template <class T>
class SparseGramSource : public GramSource {
 public:
  SparseGramSource(const CsrView<T>& x, std::span<const Index> among);
  std::unique_ptr<GramSource::Worker> worker() const override;

 private:
  class Worker;

  double fill_norms();
  void choose_dense_columns();
  void fill_dense_block();
  InvertedChunk invert(Index begin, Index end) const;
  template <class Visit>
  void for_each_entry(Index position, Visit&& visit) const;

  CsrView<T> x_;
  std::span<const Index> among_;
  std::vector<Index> dense_place_;  // of a column in the dense block, or -1
  Index dense_cols_ = 0;
  Buffer<float> dense_block_;  // positions x dense_cols_
  std::vector<InvertedChunk> chunks_;
};

/// visit(column, value) for each stored entry of a row, in float32 after scaling.
template <class T>
template <class Visit>
void SparseGramSource<T>::for_each_entry(Index position, Visit&& visit) const {
  const std::span<const ColumnIndex> columns = x_.row_columns(among_[position]);
  const std::span<const T> values = x_.row_values(among_[position]);
  for (Index e = 0; e < std::ssize(columns); ++e)
    visit(columns[e], static_cast<float>(static_cast<double>(values[e]) * scale));
}

template <class T>
SparseGramSource<T>::SparseGramSource(const CsrView<T>& x, std::span<const Index> among)
    : x_(x), among_(among), dense_place_(x.cols(), -1) {
  const Index n = std::ssize(among);
  panel_rows = 64;
  // An offset per column and chunk must not outweigh the entries.
  const Index sparse_enough = x.cols() * n / std::max<Index>(1, x.non_zeros());
  chunk_rows = std::max(std::clamp<Index>(n / 2, 256, 8192), sparse_enough);

  scale = unit_scale(fill_norms());
  fill_norms();
  choose_dense_columns();
  fill_dense_block();
  for (Index begin = 0; begin < n; begin += chunk_rows)
    chunks_.push_back(invert(begin, std::min(n, begin + chunk_rows)));

  Index longest = 0;
  for (const Index i : among) longest = std::max<Index>(longest, std::ssize(x.row_columns(i)));
  const Index pieces = (dense_cols_ + kDepth - 1) / kDepth;
  set_error_bounds(longest + std::min(kDepth, dense_cols_) + pieces, x.cols(),
                   holds_small_integers(x, among));
}

/// Returns the sum of the squared norms.
template <class T>
double SparseGramSource<T>::fill_norms() {
  double total = 0.0;
  squared_norms.assign(among_.size(), 0.0);
  for (Index s = 0; s < size(); ++s) {
    for_each_entry(s, [&](Index, float value) {
      squared_norms[s] += static_cast<double>(value) * static_cast<double>(value);
    });
    total += squared_norms[s];
  }
  return total;
}

template <class T>
void SparseGramSource<T>::choose_dense_columns() {
  std::vector<Index> entries(x_.cols(), 0);
  for (Index s = 0; s < size(); ++s) for_each_entry(s, [&](Index r, float) { ++entries[r]; });
  for (Index r = 0; r < x_.cols(); ++r)
    if (static_cast<double>(entries[r]) > kDenseColumn * static_cast<double>(size()))
      dense_place_[r] = dense_cols_++;
}

template <class T>
void SparseGramSource<T>::fill_dense_block() {
  dense_block_.assign(size() * dense_cols_, 0.0F);
  for (Index s = 0; s < size(); ++s)
    for_each_entry(s, [&](Index r, float value) {
      if (dense_place_[r] >= 0) dense_block_[s * dense_cols_ + dense_place_[r]] = value;
    });
}

template <class T>
InvertedChunk SparseGramSource<T>::invert(Index begin, Index end) const {
  InvertedChunk chunk;
  chunk.offsets.assign(x_.cols() + 1, 0);
  for (Index s = begin; s < end; ++s)
    for_each_entry(s, [&](Index r, float) { chunk.offsets[r + 1] += dense_place_[r] < 0 ? 1 : 0; });
  for (Index r = 0; r < x_.cols(); ++r) chunk.offsets[r + 1] += chunk.offsets[r];
  chunk.postings.resize(chunk.offsets.back());
  std::vector<std::uint32_t> next(chunk.offsets.begin(), chunk.offsets.end() - 1);
  for (Index s = begin; s < end; ++s)
    for_each_entry(s, [&](Index r, float value) {
      if (dense_place_[r] < 0)
        chunk.postings[next[r]++] = {static_cast<std::uint32_t>(s - begin), value};
    });
  return chunk;
}

template <class T>
class SparseGramSource<T>::Worker : public GramSource::Worker {
 public:
  explicit Worker(const SparseGramSource& source)
      : source_(source),
        panel_block_(source.panel_rows * source.dense_cols_),
        tile_(source.panel_rows * std::min(source.chunk_rows, source.size())) {}

  void set_panel(std::span<const Index> positions) override {
    const Index width = source_.dense_cols_;
    positions_.assign(positions.begin(), positions.end());
    entries_.clear();
    ends_.clear();
    for (Index s = 0; s < std::ssize(positions); ++s) {
      std::copy_n(source_.dense_block_.data() + positions[s] * width, width,
                  panel_block_.data() + s * width);
      source_.for_each_entry(positions[s], [&](Index r, float value) {
        if (source_.dense_place_[r] < 0) entries_.push_back({r, value});
      });
      ends_.push_back(std::ssize(entries_));
    }
  }

  const float* tile(Index height, Index begin, Index end, Needed needed) override {
    const Index width = end - begin;
    const Index depth = source_.dense_cols_;
    // Positions before all of the panel are needed by none of its rows.
    const Index skipped =
        needed == Needed::later ? std::clamp<Index>(positions_.front() - begin, 0, width) : 0;
    if (depth == 0) std::fill_n(tile_.data(), height * width, 0.0F);
    for (Index from = 0; from < depth; from += kDepth)
      multiply_transposed(panel_block_.data() + from, depth, height,
                          source_.dense_block_.data() + (begin + skipped) * depth + from, depth,
                          width - skipped, std::min(kDepth, depth - from), from > 0,
                          tile_.data() + skipped, width);
    const InvertedChunk& chunk = source_.chunks_[begin / source_.chunk_rows];
    for (Index s = 0, e = 0; s < height; ++s) {
      const Index first =
          needed == Needed::later ? std::max<Index>(0, positions_[s] + 1 - begin) : 0;
      for (; e < ends_[s]; ++e)
        scatter(entries_[e], chunk, static_cast<std::uint32_t>(first), tile_.data() + s * width);
    }
    return tile_.data();
  }

 private:
  struct Entry {
    Index column;
    float value;
  };

  /// Adds the entry's products with rows from `first` on: the last of its column's postings.
  static void scatter(const Entry& entry, const InvertedChunk& chunk, std::uint32_t first,
                      float* out) {
    const InvertedChunk::Posting* const begin = chunk.postings.data() + chunk.offsets[entry.column];
    const InvertedChunk::Posting* const end =
        chunk.postings.data() + chunk.offsets[entry.column + 1];
    for (const InvertedChunk::Posting* p = end; p != begin && p[-1].row >= first; --p)
      out[p[-1].row] += entry.value * p[-1].value;
  }

  const SparseGramSource& source_;
  std::vector<Index> positions_;  // of the panel's rows
  std::vector<Entry> entries_;    // of the panel's rows, but for the dense columns
  std::vector<Index> ends_;       // of each row in entries_
  Buffer<float> panel_block_;
  Buffer<float> tile_;
};

template <class T>
std::unique_ptr<GramSource::Worker> SparseGramSource<T>::worker() const {
  return std::make_unique<Worker>(*this);
}

}  // namespace

template <class T>
std::unique_ptr<GramSource> sparse_gram_source(const CsrView<T>& x, std::span<const Index> among) {
  return std::make_unique<SparseGramSource<T>>(x, among);
}
template std::unique_ptr<GramSource> sparse_gram_source(const CsrView<float>&,
                                                        std::span<const Index>);
template std::unique_ptr<GramSource> sparse_gram_source(const CsrView<double>&,
                                                        std::span<const Index>);

}  // namespace tamis
