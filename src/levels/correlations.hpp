#pragma once

#include <span>
#include <vector>

#include "levels/code_facts.hpp"
#include "levels/symmetric_tiles.hpp"
#include "linalg/row_vectors.hpp"

namespace tamis {

/// The correlations of columns of codes: Z'Z/n for columns z with mean 0 and variance 1. Those of a
/// constant column are 0, its own with itself too.
class Correlations {
 public:
  Correlations() = default;
  Correlations(const SymmetricTiles<std::int64_t>& products, std::span<const CodeFacts> facts,
               Index rows);

  Index side() const { return tiles_.side(); }
  double at(Index i, Index j) const { return tiles_.at(i, j); }
  /// Their product with vectors of one row per column, side by side.
  RowVectors times(const RowVectors& vectors) const;
  /// sum_ij a_ic A_ij b_id for the columns c of a and d of b, row-major.
  std::vector<double> form(const RowVectors& a, const RowVectors& b) const;

 private:
  void multiply_vector(const Buffer<double>& vector, Buffer<double>& out) const;

  SymmetricTiles<double> tiles_;
};

}  // namespace tamis
