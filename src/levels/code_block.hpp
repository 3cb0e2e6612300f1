#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "levels/level_tree.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {

/// Rows whose sums of products of codes fit 32 bits.
inline constexpr Index kCodeRows = 512;

/// At most kCodeRows rows of a table as codes, column by column, kCodeRows apart; codes of rows
/// beyond the last are 0, which changes no sum.
struct CodeBlock {
  Index rows = 0;
  Index cols = 0;
  Buffer<std::int16_t> codes = {};

  const std::int16_t* column(Index r) const { return codes.data() + r * kCodeRows; }
};

/// Calls visit(code blocks, place of their first row) on runs of code blocks that together are the
/// block, or as many of its first columns as there are levels of; of a run all but the last are
/// full.
void for_each_code_run(
    std::span<const LevelTree> levels, const MatrixView& block,
    const std::function<void(std::span<const CodeBlock>, Index first_row)>& visit);

/// The same, code block by code block.
void for_each_code_block(std::span<const LevelTree> levels, const MatrixView& block,
                         const std::function<void(const CodeBlock&, Index first_row)>& visit);

/// The codes as doubles, each column kCodeRows apart: what matrix products take.
void copy_codes(const CodeBlock& block, Buffer<double>& out);

}  // namespace tamis
