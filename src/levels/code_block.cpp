#include "levels/code_block.hpp"

#include "levels/column_chunks.hpp"

namespace tamis {
namespace {

constexpr Index kGrain = 64;

/// The codes of a column of which all rows are there.
void encode_all(const SlotFinder& finder, const double* value, Index r,
                std::span<CodeBlock> blocks) {
  for (CodeBlock& block : blocks) {
    std::int16_t* const codes = &block.codes[r * kCodeRows];
    for (Index i = 0; i < block.rows; ++i) codes[i] = finder.code_of(value_key(*value++));
    std::fill(codes + block.rows, codes + kCodeRows, std::int16_t{0});
  }
}

/// The same where most are 0.
void encode_some(const SlotFinder& finder, const ColumnValues& chunk, Index r,
                 std::span<CodeBlock> blocks) {
  const std::int16_t zero = chunk.zeros() > 0 ? finder.code_of(value_key(0.0)) : std::int16_t{0};
  for (CodeBlock& block : blocks) {
    std::int16_t* const codes = &block.codes[r * kCodeRows];
    std::fill_n(codes, block.rows, zero);
    std::fill(codes + block.rows, codes + kCodeRows, std::int16_t{0});
  }
  for (std::size_t e = 0; e < chunk.values.size(); ++e) {
    const std::int32_t place = chunk.places[e];
    blocks[place / kCodeRows].codes[r * kCodeRows + place % kCodeRows] =
        finder.code_of(value_key(chunk.values[e]));
  }
}

/// The rows of a chunk: the levels of a column are looked at once for all of them.
template <class View>
void encode(std::span<const LevelTree> levels, const View& x, Index from, Index rows,
            std::span<CodeBlock> blocks) {
  for_each_column_of(
      x, from, rows, {0, std::ssize(levels)}, [] { return SlotFinder(); },
      [&](SlotFinder& finder, Index r, const ColumnValues& chunk) {
        finder.open(levels[r]);
        if (chunk.zeros() == 0 && chunk.places.empty())
          encode_all(finder, chunk.values.data(), r, blocks);
        else
          encode_some(finder, chunk, r, blocks);
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
    for_each_row_chunk(view, [&](Index from, Index rows) {
      const std::span filled(blocks.data(), (rows + kCodeRows - 1) / kCodeRows);
      for (Index b = 0; b < std::ssize(filled); ++b)
        filled[b].rows = std::min(kCodeRows, rows - b * kCodeRows);
      encode(levels, view, from, rows, filled);
      visit(filled, from);
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
