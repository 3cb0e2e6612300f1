#include "levels/code_block.hpp"

#include "levels/column_chunks.hpp"

namespace tamis {
namespace {

constexpr Index kGrain = 64;

/// Rows from .. from + count - 1 of a block, which someone else owns.
template <class T>
MatrixView rows_of(const DenseView<T>& x, Index from, Index count) {
  const Index stride = x.rows() > 1 ? x.row(1) - x.row(0) : x.cols();
  return DenseView<T>(x.row(from), count, x.cols(), stride);
}

void encode(const std::vector<LevelTree>& levels, const MatrixView& block, CodeBlock& out) {
  out.rows = block.rows();
  for_each_column_chunk(
      block, [] { return SlotFinder(); },
      [&](SlotFinder& finder, Index r, Index first_row, std::span<const double> values) {
        finder.open(levels[r]);
        std::int16_t* const codes = &out.codes[r * kCodeRows + first_row];
        for (std::size_t i = 0; i < values.size(); ++i)
          codes[i] = finder.code_of(value_key(values[i]));
        std::fill(codes + values.size(), &out.codes[(r + 1) * kCodeRows - 1] + 1, std::int16_t{0});
      });
}

}  // namespace

void for_each_code_block(const std::vector<LevelTree>& levels, const MatrixView& block,
                         const std::function<void(const CodeBlock&, Index first_row)>& visit) {
  CodeBlock codes{.cols = block.cols(), .codes = Buffer<std::int16_t>(block.cols() * kCodeRows)};
  block.visit([&](const auto& view) {
    for_each_dense_part(view, [&](const auto& part, Index first_row) {
      for (Index from = 0; from < part.rows(); from += kCodeRows) {
        encode(levels, rows_of(part, from, std::min(kCodeRows, part.rows() - from)), codes);
        visit(codes, first_row + from);
      }
    });
  });
}

void copy_codes(const CodeBlock& block, Buffer<double>& out) {
  out.resize(block.codes.size());
  parallel_for(block.cols, kGrain, [&](Index begin, Index end) {
    for (Index e = begin * kCodeRows; e < end * kCodeRows; ++e) out[e] = block.codes[e];
  });
}

}  // namespace tamis
