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

/// gram += Q'Q for a block Q of codes: exact below 2^41 rows in all.
void add_code_products(const CodeBlock& block, CodeKernel kernel,
                       SymmetricTiles<std::int64_t>& gram);

}  // namespace tamis
