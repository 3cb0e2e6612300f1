#pragma once

#include <cstdint>

#include "levels/code_block.hpp"
#include "levels/symmetric_tiles.hpp"

namespace tamis {

/// How products of codes are computed: by multiply-add instructions for 16-bit integers, or by
/// matrix products of doubles. The integers are the same.
enum class CodeKernel { integers, doubles };

/// The faster one that this machine has.
CodeKernel best_code_kernel();

/// Code blocks whose products are taken at once: the sums come from memory for each such run anew.
inline constexpr std::size_t kBlocksAtOnce = 4;

/// gram += Q'Q, or that strip of it, for a run Q of code blocks of all columns up to its last:
/// exact below 2^41 rows in all.
void add_code_products(std::span<const CodeBlock> run, CodeKernel kernel,
                       SymmetricTiles<std::int64_t>& gram);

}  // namespace tamis
