#include "tamis/projections/ssdr.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/eigenbasis.hpp"
#include "linalg/gemm.hpp"
#include "projections/fitting.hpp"
#include "projections/pair_scatter.hpp"

namespace tamis {
namespace {

/// The matrix of the problem in the coordinates of the space, lower triangle.
Buffer<double> criterion(const Fitting& fitting, const ConstraintSet& constraints,
                         const SsdrOptions& options) {
  const Index rank = fitting.rank();
  Buffer<double> matrix(rank * rank, 0.0);
  if (options.variant == SsdrVariant::cmu)
    for (Index a = 0; a < rank; ++a) matrix[a * rank + a] = fitting.variances()[a];
  const auto add = [&](LinkKind kind, double factor, double total) {
    if (total == 0.0 || factor == 0.0) return;
    const Buffer<double> scatter = pair_scatter(fitting.space(), constraints, kind);
    for (Index e = 0; e < rank * rank; ++e) matrix[e] += factor / total * scatter[e];
  };
  if (options.variant != SsdrVariant::m)
    add(LinkKind::cannot_link, options.alpha, constraints.cannot_link_weight());
  add(LinkKind::must_link, -options.beta, constraints.must_link_weight());
  return matrix;
}

/// Turns the vectors begin .. end - 1, whose eigenvalues are equal, into the directions of their
/// span in which the rows vary most, those first.
void turn_to_variance(std::span<const double> variances, Index begin, Index end,
                      Buffer<double>& vectors) {
  const Index rank = std::ssize(variances);
  const Index count = end - begin;
  Buffer<double> scaled(count * rank);
  for (Index c = 0; c < count; ++c)
    for (Index a = 0; a < rank; ++a)
      scaled[c * rank + a] = vectors[(begin + c) * rank + a] * std::sqrt(variances[a]);
  Buffer<double> products(count * count, 0.0);
  add_row_products(scaled.data(), count, rank, products.data());
  const Eigenbasis turn = eigenbasis(std::move(products), count);
  multiply(turn.vectors.data(), &vectors[begin * rank], count, count, rank, scaled.data());
  std::ranges::copy(scaled, &vectors[begin * rank]);
}

}  // namespace

Projection ssdr(const Problem& problem, const SsdrOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  const ConstraintSet constraints(problem.known, problem.rows());
  Fitting fitting(options.info, problem, options.n_components, run);
  if (constraints.must_link_weight() == 0.0 && constraints.cannot_link_weight() == 0.0)
    fitting.warn(
        "there are neither must-links nor cannot-links, so these are the directions of pca");
  Eigenbasis basis = eigenbasis(criterion(fitting, constraints, options), fitting.rank());
  const double tolerance = eigenvalue_tolerance(basis.values);
  for (Index begin = 0, end = 0; begin < fitting.n_components(); begin = end) {
    for (end = begin + 1;
         end < fitting.rank() && basis.values[end - 1] - basis.values[end] <= tolerance;)
      ++end;
    if (end - begin > 1) turn_to_variance(fitting.variances(), begin, end, basis.vectors);
  }
  return fitting.projection(std::move(basis.values), basis.vectors, Fitting::Length::one);
}

}  // namespace tamis
