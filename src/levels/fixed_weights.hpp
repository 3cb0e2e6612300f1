#pragma once

#include <span>
#include <vector>

#include "levels/code_block.hpp"
#include "levels/code_facts.hpp"
#include "linalg/row_vectors.hpp"

namespace tamis {

/// Vectors w of one weight per column of codes, whose products with centred rows of codes are
/// exact: they are rounded to whole multiples of a power of two, such that no sum leaves 53 bits.
/// So a product depends on its row alone, whatever block the row comes in.
struct FixedWeights {
  RowVectors weights = {};           ///< whole numbers, one row per column of codes
  std::vector<double> units = {};    ///< what 1 of each vector stands for
  std::vector<double> offsets = {};  ///< the product with the mean row

  Index width() const { return weights.width; }
};

/// @param coefficients of columns with mean 0 and variance 1
FixedWeights fixed_weights(const RowVectors& coefficients, std::span<const CodeFacts> facts);

/// The products of the rows of a block, which is given as doubles too.
RowVectors products(const FixedWeights& weights, Index rows, const Buffer<double>& codes);

}  // namespace tamis
