#include "linalg/principal_scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "linalg/eigenpairs.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Sums of products that are taken side by side, whatever the number of threads.
constexpr Index kParts = 4;
constexpr Index kSteps = 6;
constexpr Index kExtraVectors = 10;
/// Directions whose share of the largest is below this are rounding.
constexpr double kNegligible = 1e-12;

/// Lower triangle of the cross products of all columns (by_columns) or of all rows.
Buffer<double> cross_products(const RankedTable& z, std::span<const double> scales,
                              bool by_columns) {
  const Index n = z.rows();
  const Index m = z.cols();
  const Index side = by_columns ? m : n;
  const Index step = by_columns ? 512 : 64;
  std::vector<Buffer<double>> parts(kParts);
  parallel_for(kParts, 1, [&](Index part, Index) {
    Buffer<double>& sums = parts[part];
    sums.assign(side * side, 0.0);
    Buffer<double> block(side * step);
    for (Index from = part * step; from < (by_columns ? n : m); from += kParts * step) {
      const Index count = std::min(step, (by_columns ? n : m) - from);
      const Index length = by_columns ? count : n;
      const Index first = by_columns ? 0 : from;
      const Index columns = by_columns ? m : count;
      for (Index r = 0; r < columns; ++r) {
        double* const column = &block[r * length];
        z.copy_column(first + r, by_columns ? from : 0, length, column);
        for (Index i = 0; i < length; ++i) column[i] *= scales[first + r];
      }
      if (by_columns)
        add_row_products(block.data(), columns, length, sums.data());
      else
        add_cross_products(block.data(), columns, length, sums.data());
    }
  });
  for (Index part = 1; part < kParts; ++part)
    for (Index e = 0; e < side * side; ++e) parts[0][e] += parts[part][e];
  return std::move(parts[0]);
}

RowVectors exact_scores(const RankedTable& z, std::span<const double> scales, Index count) {
  const bool by_columns = z.cols() <= z.rows();
  const Index side = std::min(z.rows(), z.cols());
  const EigenPairs pairs =
      leading_eigenpairs(cross_products(z, scales, by_columns), side, std::min(count, side));
  const auto is_negligible = [&](double value) { return value <= kNegligible * pairs.values[0]; };
  const Index width = std::ranges::find_if(pairs.values, is_negligible) - pairs.values.begin();
  RowVectors scores{width, Buffer<double>(z.rows() * width)};
  if (!by_columns) {
    for (Index i = 0; i < z.rows(); ++i)
      for (Index c = 0; c < width; ++c)
        scores.row(i)[c] = pairs.vectors[c][i] * std::sqrt(pairs.values[c]);
    return scores;
  }
  Buffer<double> directions(z.cols() * width);
  for (Index r = 0; r < z.cols(); ++r)
    for (Index c = 0; c < width; ++c) directions[r * width + c] = scales[r] * pairs.vectors[c][r];
  z.multiply(directions.data(), width, scores.values.data());
  return scores;
}

/// The eigenpairs of vectors' vectors that are not rounding.
EigenPairs inner_pairs(const RowVectors& vectors) {
  const Index width = vectors.width;
  std::vector<double> products(width * width, 0.0);
  add_cross_products(vectors.values.data(), vectors.rows(), width, products.data());
  EigenPairs pairs = leading_eigenpairs(products, width, width);
  while (!pairs.values.empty() && pairs.values.back() <= kNegligible * pairs.values[0]) {
    pairs.values.pop_back();
    pairs.vectors.pop_back();
  }
  return pairs;
}

/// As many rows of as many numbers as wanted, where memory for them may be there already: what is
/// new would be cleared first.
RowVectors resized(RowVectors memory, Index rows, Index width) {
  memory.width = width;
  memory.values.resize(rows * width);
  return memory;
}

/// vectors [v_1 s_1, v_2 s_2, ...] for the first `count` of the pairs' vectors v and factors s.
RowVectors rotated(const RowVectors& vectors, const EigenPairs& pairs, Index count,
                   double (*factor)(double eigenvalue), RowVectors memory = {}) {
  const Index width = vectors.width;
  std::vector<double> rotation(width * count);
  for (Index c = 0; c < count; ++c)
    for (Index d = 0; d < width; ++d)
      rotation[d * count + c] = pairs.vectors[c][d] * factor(pairs.values[c]);
  RowVectors result = resized(std::move(memory), vectors.rows(), count);
  multiply(vectors.values.data(), rotation.data(), vectors.rows(), width, count,
           result.values.data());
  return result;
}

RowVectors orthonormal(const RowVectors& vectors, RowVectors memory = {}) {
  const EigenPairs pairs = inner_pairs(vectors);
  return rotated(
      vectors, pairs, std::ssize(pairs.values), [](double value) { return 1.0 / std::sqrt(value); },
      std::move(memory));
}

/// Z with scaled columns, as something to multiply with.
class ScaledTable {
 public:
  ScaledTable(const RankedTable& z, std::span<const double> scales) : z_(z), scales_(scales) {}

  RowVectors times(RowVectors b, RowVectors memory = {}) const {
    scale_rows(b);
    RowVectors out = resized(std::move(memory), z_.rows(), b.width);
    z_.multiply(b.values.data(), b.width, out.values.data());
    return out;
  }
  RowVectors transposed_times(const RowVectors& v) const {
    RowVectors out{v.width, Buffer<double>(z_.cols() * v.width)};
    z_.multiply_transposed(v.values.data(), v.width, out.values.data());
    scale_rows(out);
    return out;
  }

 private:
  void scale_rows(RowVectors& b) const {
    for (Index r = 0; r < z_.cols(); ++r)
      for (Index c = 0; c < b.width; ++c) b.row(r)[c] *= scales_[r];
  }

  const RankedTable& z_;
  std::span<const double> scales_;
};

RowVectors randomised_scores(const RankedTable& z, std::span<const double> scales, Index count,
                             std::uint64_t seed) {
  const Index width = count + kExtraVectors;
  const ScaledTable table(z, scales);
  RandomStream random(seed);
  RowVectors directions{width, Buffer<double>(z.cols() * width)};
  for (double& value : directions.values) value = random.normal();
  RowVectors basis = table.times(std::move(directions));
  RowVectors turned;
  for (Index step = 0; step < kSteps; ++step) {
    turned = orthonormal(basis, std::move(turned));
    basis = table.times(orthonormal(table.transposed_times(turned)), std::move(basis));
  }
  turned = orthonormal(basis, std::move(turned));
  basis = orthonormal(turned, std::move(basis));
  const EigenPairs pairs = inner_pairs(table.transposed_times(basis));
  return rotated(basis, pairs, std::min(count, std::ssize(pairs.values)),
                 [](double value) { return std::sqrt(value); });
}

}  // namespace

RowVectors principal_scores(const RankedTable& z, std::span<const double> scales, Index count,
                            std::uint64_t seed) {
  return std::min(z.rows(), z.cols()) <= kExactComponentsSide
             ? exact_scores(z, scales, count)
             : randomised_scores(z, scales, count, seed);
}

RowVectors on_principal_axes(const RowVectors& centred) {
  const EigenPairs pairs = inner_pairs(centred);
  return rotated(centred, pairs, std::ssize(pairs.values), [](double) { return 1.0; });
}

}  // namespace tamis
