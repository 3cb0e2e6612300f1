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

/// At most kChunkRows rows: the levels of a column are looked at once for all of them.
void encode(std::span<const LevelTree> levels, const MatrixView& rows,
            std::span<CodeBlock> blocks) {
  for_each_column_chunk(
      rows, {0, std::ssize(levels)}, [] { return SlotFinder(); },
      [&](SlotFinder& finder, Index r, Index, std::span<const double> values) {
        finder.open(levels[r]);
        const double* value = values.data();
        for (CodeBlock& block : blocks) {
          std::int16_t* const codes = &block.codes[r * kCodeRows];
          for (Index i = 0; i < block.rows; ++i) codes[i] = finder.code_of(value_key(*value++));
          std::fill(codes + block.rows, codes + kCodeRows, std::int16_t{0});
        }
      });
}

/// Room for the codes of so many rows.
std::vector<CodeBlock> code_blocks(Index rows, Index cols) {
  std::vector<CodeBlock> blocks((rows + kCodeRows - 1) / kCodeRows);
  for (CodeBlock& block : blocks)
    block = {.cols = cols, .codes = Buffer<std::int16_t>(cols * kCodeRows)};
  return blocks;
}

}  // namespace

void for_each_code_run(
    std::span<const LevelTree> levels, const MatrixView& block,
    const std::function<void(std::span<const CodeBlock>, Index first_row)>& visit) {
  const Index cols = std::ssize(levels);
  std::vector<CodeBlock> blocks = code_blocks(std::min(kChunkRows, block.rows()), cols);
  block.visit([&](const auto& view) {
    for_each_dense_part(view, {0, cols}, [&](const auto& part, Index first_row) {
      for (Index from = 0; from < part.rows(); from += kChunkRows) {
        const Index count = std::min(kChunkRows, part.rows() - from);
        const std::span filled(blocks.data(), (count + kCodeRows - 1) / kCodeRows);
        for (Index b = 0; b < std::ssize(filled); ++b)
          filled[b].rows = std::min(kCodeRows, count - b * kCodeRows);
        encode(levels, rows_of(part, from, count), filled);
        visit(filled, first_row + from);
      }
    });
  });
}

void for_each_code_block(std::span<const LevelTree> levels, const MatrixView& block,
                         const std::function<void(const CodeBlock&, Index first_row)>& visit) {
  for_each_code_run(levels, block, [&](std::span<const CodeBlock> run, Index first_row) {
    for (const CodeBlock& part : run) {
      visit(part, first_row);
      first_row += part.rows;
    }
  });
}

void copy_codes(const CodeBlock& block, Buffer<double>& out) {
  out.resize(block.codes.size());
  parallel_for(block.cols, kGrain, [&](Index begin, Index end) {
    for (Index e = begin * kCodeRows; e < end * kCodeRows; ++e) out[e] = block.codes[e];
  });
}

}  // namespace tamis
