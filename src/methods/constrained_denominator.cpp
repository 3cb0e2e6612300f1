#include "methods/constrained_denominator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "constraints/pair_sums.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// |J| - c_i, the number of rows in cannot-links that i is not linked with, or n - c_i, that of all
/// such rows; 1 without cannot-links. Weights that add up to more leave 0.
std::vector<double> unlinked_counts(std::vector<double> unlinked, ClsForm form) {
  const Index involved =
      std::ranges::count_if(unlinked, [](double weight) { return weight > 0.0; });
  if (involved == 0) return std::vector<double>(unlinked.size(), 1.0);
  const auto all = static_cast<double>(form == ClsForm::full ? std::ssize(unlinked) : involved);
  for (double& count : unlinked) count = std::max(all - count, 0.0);
  return unlinked;
}

/// How much each row's distance from the mean counts in the denominator, D_i aside.
std::vector<double> row_factors(const Problem& problem, ClsForm form,
                                const CannotLinkTerms& cannot_links) {
  if (form == ClsForm::sum || form == ClsForm::full)
    return unlinked_counts(cannot_links.weights, form);
  std::vector<double> factors(problem.rows(), 0.0);
  if (form == ClsForm::ensemble)
    for (const Index row : unlabeled_rows(problem)) factors[row] = 1.0;
  return factors;
}

/// sums[r] += sum_i v_i (x_ir - mu_r)^2 with the plain mean mu.
void add_spread(const MatrixView& x, std::span<const double> row_weights,
                std::vector<double>& sums) {
  std::vector<Index> rows;
  std::vector<double> weights;
  for (Index i = 0; i < x.rows(); ++i) {
    if (row_weights[i] <= 0.0) continue;
    rows.push_back(i);
    weights.push_back(row_weights[i]);
  }
  if (rows.empty()) return;
  const ColumnMoments spread = weighted_moments(x, rows, weights);
  const std::vector<double> mean = column_means(x);
  for (Index r = 0; r < x.cols(); ++r) {
    const double shift = spread.mean[r] - mean[r];
    sums[r] += spread.squares[r] + spread.total_weight * shift * shift;
  }
}

/// f'L_CL D f = sum over the cannot-links of (f_i - f_j)(D_i f_i - D_j f_j).
std::vector<double> matrix_products(const MatrixView& x, std::span<const RowPair> cannot_links,
                                    std::span<const double> degree) {
  constexpr Index kColumnsAtOnce = 16;
  const std::vector<Index> rows = all_indices(x.rows());
  std::vector<double> sums(x.cols(), 0.0);
  parallel_for(x.cols(), kColumnsAtOnce, [&](Index begin, Index end) {
    const Index width = end - begin;
    std::vector<double> block(x.rows() * width);
    copy_columns(x, rows, begin, width, block.data());
    for (const RowPair& pair : cannot_links) {
      const double* const fi = block.data() + pair.first * width;
      const double* const fj = block.data() + pair.second * width;
      for (Index c = 0; c < width; ++c)
        sums[begin + c] += pair.weight * (fi[c] - fj[c]) *
                           (degree[pair.first] * fi[c] - degree[pair.second] * fj[c]);
    }
  });
  return sums;
}

}  // namespace

void check_form(const MethodInfo& method, ClsForm form, const ConstraintSet& constraints) {
  if ((form == ClsForm::pairs || form == ClsForm::matrix) && constraints.n_cannot_link() == 0)
    throw DataError(
        fmt::format("{}: form = {} needs cannot-link pairs, and there are none: give "
                    "labels of two classes or cannot-links, or use form = sum",
                    method.name, word_of(form)));
  if (form == ClsForm::matrix) check_pair_count("cannot-link", constraints.n_cannot_link());
}

std::vector<double> matrix_denominators(const MatrixView& x, std::span<const RowPair> cannot_links,
                                        std::span<const double> degree) {
  std::vector<double> sums = matrix_products(x, cannot_links, degree);
  for (double& sum : sums) sum *= 2.0;
  return sums;
}

std::vector<double> constrained_denominators(const Problem& problem, ClsForm form,
                                             const CannotLinkTerms& cannot_links,
                                             std::span<const double> degree) {
  std::vector<double> sums = cannot_links.sums;
  std::vector<double> row_weights = row_factors(problem, form, cannot_links);
  for (Index i = 0; i < problem.rows(); ++i) row_weights[i] *= degree[i];
  add_spread(problem.matrix, row_weights, sums);
  return sums;
}

std::vector<double> constrained_denominators(const Problem& problem, ClsForm form,
                                             const ConstraintSet& constraints,
                                             std::span<const double> degree) {
  if (form == ClsForm::matrix)
    return matrix_denominators(problem.matrix, constraints.cannot_link_pairs(), degree);
  CannotLinkTerms terms{.sums = std::vector<double>(problem.cols(), 0.0),
                        .weights = constraints.cannot_link_weights()};
  if (constraints.n_cannot_link() > 0)
    terms.sums = cannot_link_sums(problem.matrix, constraints, degree);
  return constrained_denominators(problem, form, terms, degree);
}

}  // namespace tamis
