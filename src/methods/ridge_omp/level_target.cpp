#include "methods/ridge_omp/level_target.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/eigenpairs.hpp"

namespace tamis {
namespace {

/// Up to here all eigenpairs are computed.
constexpr Index kDirectSide = 300;
/// Variances below this share of the largest are rounding.
constexpr double kNegligible = 1e-12;
/// Deviations below this are rounding.
constexpr double kNoDeviation = 1e-12;

/// Drops pairs that are rounding.
EigenPairs significant(EigenPairs pairs) {
  while (!pairs.values.empty() && !(pairs.values.back() > kNegligible * pairs.values[0])) {
    pairs.values.pop_back();
    pairs.vectors.pop_back();
  }
  return pairs;
}

/// Lower triangle of diag(roots) A diag(roots).
Buffer<double> weighted_correlations(const Correlations& correlations,
                                     std::span<const double> roots) {
  const Index side = correlations.side();
  Buffer<double> lower(side * side, 0.0);
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j <= i; ++j)
      lower[i * side + j] = roots[i] * correlations.at(i, j) * roots[j];
  return lower;
}

EigenPairs leading_directions(const Correlations& correlations, std::span<const double> roots,
                              Index count) {
  const Index side = correlations.side();
  const SymmetricOperator multiply = [&](const double* in, double* out) {
    RowVectors vector{1, Buffer<double>(side)};
    for (Index r = 0; r < side; ++r) vector.values[r] = roots[r] * in[r];
    const RowVectors image = correlations.times(vector);
    for (Index r = 0; r < side; ++r) out[r] = roots[r] * image.values[r];
  };
  count = std::min(count, side);
  if (side > std::max(kDirectSide, 2 * count))
    if (auto pairs = leading_eigenpairs(multiply, side, count)) return std::move(*pairs);
  return leading_eigenpairs(weighted_correlations(correlations, roots), side, count);
}

/// Z times these is the leading principal components of Z diag(sqrt(G)), scaled to mean squared row
/// length 1.
RowVectors component_coefficients(const Correlations& correlations, std::span<const double> spread,
                                  Index count) {
  std::vector<double> roots;
  for (const double value : spread) roots.push_back(std::sqrt(value));
  const EigenPairs pairs = significant(leading_directions(correlations, roots, count));
  double total = 0.0;
  for (const double value : pairs.values) total += value;
  const Index width = std::ssize(pairs.values);
  RowVectors result{width, Buffer<double>(correlations.side() * width)};
  for (Index r = 0; r < correlations.side(); ++r)
    for (Index c = 0; c < width; ++c)
      result.row(r)[c] = roots[r] * pairs.vectors[c][r] / std::sqrt(total);
  return result;
}

/// The same vectors turned to the axes along which their products with rows vary most, scaled to
/// mean squared row length 1.
RowVectors on_principal_axes(const Correlations& correlations, const RowVectors& coefficients) {
  constexpr double kNothing = 1e-24;
  const Index width = coefficients.width;
  const EigenPairs pairs =
      significant(leading_eigenpairs(correlations.form(coefficients, coefficients), width, width));
  double total = 0.0;
  for (const double value : pairs.values) total += value;
  if (total <= kNothing) return {};
  const Index axes = std::ssize(pairs.values);
  RowVectors turned{axes, Buffer<double>(coefficients.rows() * axes, 0.0)};
  for (Index r = 0; r < coefficients.rows(); ++r)
    for (Index a = 0; a < axes; ++a)
      for (Index c = 0; c < width; ++c)
        turned.row(r)[a] += coefficients.row(r)[c] * pairs.vectors[a][c] / std::sqrt(total);
  return turned;
}

void standardize(const Correlations& correlations, RowVectors& coefficients) {
  const std::vector<double> deviation = deviations(correlations, coefficients);
  for (Index r = 0; r < coefficients.rows(); ++r)
    for (Index c = 0; c < coefficients.width; ++c)
      coefficients.row(r)[c] *= deviation[c] > kNoDeviation ? 1.0 / deviation[c] : 0.0;
}

}  // namespace

std::vector<double> deviations(const Correlations& correlations, const RowVectors& coefficients) {
  const RowVectors image = correlations.times(coefficients);
  std::vector<double> result(coefficients.width, 0.0);
  for (Index r = 0; r < coefficients.rows(); ++r)
    for (Index c = 0; c < coefficients.width; ++c)
      result[c] += coefficients.row(r)[c] * image.row(r)[c];
  for (double& value : result) value = std::sqrt(std::max(0.0, value));
  return result;
}

LevelTarget level_target(const Correlations& correlations, const RankedTable& known,
                         const MatchingTarget::Evidence* evidence, const ColumnEvidence& columns,
                         const TargetOptions& options) {
  LevelTarget target{
      .components = component_coefficients(correlations, known.spread(), options.n_components)};
  if (evidence == nullptr) return target;
  target.reliability = evidence->reliability(known, columns, options);
  RowVectors coefficients = evidence->coefficients(known, options);
  if (coefficients.width == 0) return target;
  if (evidence->has_classes()) {
    standardize(correlations, coefficients);
    target.class_scores = std::move(coefficients);
  } else {
    target.links = on_principal_axes(correlations, coefficients);
  }
  return target;
}

}  // namespace tamis
