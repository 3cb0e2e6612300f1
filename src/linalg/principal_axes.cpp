#include "linalg/principal_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/cpu.hpp"
#include "linalg/eigenbasis.hpp"
#include "linalg/eigenpairs.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr Index kLargestSide = 20000;
constexpr Index kBlockRows = 512;

Buffer<double> centred_rows(const MatrixView& x, std::span<const Index> rows,
                            const std::vector<double>& mean) {
  Buffer<double> block(std::ssize(rows) * x.cols());
  copy_columns(x, rows, 0, x.cols(), block.data());
  double* const values = block.data();
  const double* const means = mean.data();
  const Index n = std::ssize(rows);
  const Index cols = x.cols();
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index s = 0; s < n; ++s)
      for (Index r = 0; r < cols; ++r) values[s * cols + r] -= means[r];
  });
  return block;
}

/// Calls visit(block, first, count) for centred rows, a block at a time.
template <class Visit>
void for_each_block(const MatrixView& x, std::span<const Index> rows,
                    const std::vector<double>& mean, const Visit& visit) {
  for (Index from = 0; from < std::ssize(rows); from += kBlockRows) {
    const Index count = std::min(kBlockRows, std::ssize(rows) - from);
    visit(centred_rows(x, rows.subspan(from, count), mean), from, count);
  }
}

/// Of length 1, the largest entry positive.
std::vector<double> normalized(std::vector<double> direction) {
  double largest = 0.0;
  double squares = 0.0;
  for (const double entry : direction) {
    if (std::abs(entry) > std::abs(largest)) largest = entry;
    squares += entry * entry;
  }
  const double length = std::copysign(std::sqrt(squares), largest);
  for (double& entry : direction) entry /= length;
  return direction;
}

/// Of small matrices a tridiagonal one finds the first few eigenpairs soonest, of large ones
/// iterations.
EigenPairs axes_of(const Buffer<double>& lower, Index side, Index count) {
  constexpr Index kDirectSide = 300;
  if (side > kDirectSide) return leading_eigenpairs(lower, side, count);
  Eigenbasis basis = leading_eigenbasis(lower, side, count);
  EigenPairs pairs{.values = std::move(basis.values)};
  for (auto from = basis.vectors.begin(); from != basis.vectors.end(); from += side)
    pairs.vectors.emplace_back(from, from + side);
  return pairs;
}

}  // namespace

PrincipalAxes principal_axes(const MatrixView& x, std::span<const Index> rows, Index count) {
  const Index n = std::ssize(rows);
  const Index m = x.cols();
  if (std::min(n, m) > kLargestSide)
    throw DataError(
        fmt::format("principal axes of {} rows and {} columns: one of the two may be at most {}", n,
                    m, kLargestSide));
  PrincipalAxes axes{.mean = weighted_moments(x, rows, std::vector<double>(n, 1.0)).mean};
  const bool by_columns = m <= n;
  const Index side = std::min(n, m);
  count = std::min(count, side);
  Buffer<double> products(side * side, 0.0);
  if (by_columns) {
    for_each_block(x, rows, axes.mean, [&](const Buffer<double>& block, Index, Index block_rows) {
      add_cross_products(block.data(), block_rows, m, products.data());
    });
  } else {
    add_row_products(centred_rows(x, rows, axes.mean).data(), n, m, products.data());
  }
  const EigenPairs pairs = axes_of(products, side, count);
  const double negligible = 1e-12 * std::max(0.0, pairs.values[0]);
  for (Index a = 0; a < count && pairs.values[a] > negligible; ++a) {
    std::vector<double> direction = pairs.vectors[a];
    if (!by_columns) {
      // An eigenvector u of X X' becomes X'u, an eigenvector of X'X.
      const std::vector<double> of_rows = std::exchange(direction, std::vector<double>(m, 0.0));
      for (Index s = 0; s < n; ++s) add_row(x, rows[s], of_rows[s], direction);
      const double total = std::reduce(of_rows.begin(), of_rows.end());
      for (Index r = 0; r < m; ++r) direction[r] -= total * axes.mean[r];
    }
    axes.eigenvalues.push_back(pairs.values[a] / static_cast<double>(n));
    axes.directions.push_back(normalized(std::move(direction)));
  }
  return axes;
}

}  // namespace tamis
