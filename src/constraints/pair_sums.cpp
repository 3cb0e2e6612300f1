#include "constraints/pair_sums.hpp"

#include <algorithm>

#include "core/squared_differences.hpp"

namespace tamis {
namespace {

ColumnMoments no_rows(Index cols) {
  return {.mean = std::vector<double>(cols, 0.0), .squares = std::vector<double>(cols, 0.0)};
}

ColumnMoments moments_of(const MatrixView& x, std::span<const Index> rows,
                         std::span<const double> weights) {
  const bool has_weight = std::ranges::any_of(weights, [](double w) { return w > 0.0; });
  return has_weight ? weighted_moments(x, rows, weights) : no_rows(x.cols());
}

/// The moments of two sets of rows together (Chan, Golub, LeVeque 1983): no term cancels.
void absorb(ColumnMoments& all, const ColumnMoments& more) {
  const double total = all.total_weight + more.total_weight;
  if (total == 0.0) return;
  const double share = more.total_weight / total;
  for (std::size_t r = 0; r < all.mean.size(); ++r) {
    const double shift = more.mean[r] - all.mean[r];
    all.mean[r] += share * shift;
    all.squares[r] += more.squares[r] + all.total_weight * share * shift * shift;
  }
  all.total_weight = total;
}

/// Rows with weights v, and the same rows with weight 1.
struct RowSet {
  ColumnMoments plain;
  ColumnMoments weighted;
};

/// sum over i in a, j in b of v_i (f_i - f_j)^2 = V_a S_b + n_b (S^v_a + V_a (mu^v_a - mu_b)^2).
double one_sided(const RowSet& a, const RowSet& b, std::size_t r) {
  const double shift = a.weighted.mean[r] - b.plain.mean[r];
  return a.weighted.total_weight * b.plain.squares[r] +
         b.plain.total_weight * (a.weighted.squares[r] + a.weighted.total_weight * shift * shift);
}

std::vector<Index> rows_of(std::span<const std::vector<Index>> classes) {
  std::vector<Index> rows;
  for (const auto& members : classes) rows.insert(rows.end(), members.begin(), members.end());
  std::ranges::sort(rows);
  return rows;
}

/// The pairs between classes. Class after class meets all rows before it, so that the cost does not
/// grow with the square of the number of classes.
std::vector<double> between_classes(const MatrixView& x,
                                    std::span<const std::vector<Index>> classes,
                                    std::span<const double> row_weights) {
  std::vector<double> sums(x.cols(), 0.0);
  if (classes.size() < 2) return sums;
  RowSet before{no_rows(x.cols()), no_rows(x.cols())};
  for (const auto& rows : classes) {
    std::vector<double> weights;
    for (const Index row : rows) weights.push_back(row_weights[row]);
    const std::vector<double> ones(rows.size(), 1.0);
    const RowSet members{moments_of(x, rows, ones), moments_of(x, rows, weights)};
    for (std::size_t r = 0; r < sums.size(); ++r)
      sums[r] += one_sided(before, members, r) + one_sided(members, before, r);
    absorb(before.plain, members.plain);
    absorb(before.weighted, members.weighted);
  }
  // Rounded means of a column of equal values differ; its sum is 0 all the same.
  const std::vector<bool> varies = varying_columns(x, rows_of(classes));
  for (std::size_t r = 0; r < sums.size(); ++r)
    if (!varies[r]) sums[r] = 0.0;
  return sums;
}

void add(std::vector<double>& sums, const std::vector<double>& more) {
  for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += more[r];
}

}  // namespace

std::vector<double> must_link_sums(const MatrixView& x, const ConstraintSet& constraints) {
  std::vector<double> sums = squared_difference_sums(x, constraints.extra_must_link());
  for (const auto& rows : constraints.classes()) {
    if (rows.size() < 2) continue;
    const std::vector<double> ones(rows.size(), 1.0);
    const ColumnMoments members = weighted_moments(x, rows, ones);
    const std::vector<bool> varies = varying_columns(x, rows);
    for (std::size_t r = 0; r < sums.size(); ++r)
      if (varies[r]) sums[r] += members.total_weight * members.squares[r];
  }
  return sums;
}

std::vector<double> cannot_link_sums(const MatrixView& x, const ConstraintSet& constraints,
                                     std::span<const double> row_weights) {
  std::vector<RowPair> extra(constraints.extra_cannot_link().begin(),
                             constraints.extra_cannot_link().end());
  for (RowPair& pair : extra) pair.weight *= row_weights[pair.first] + row_weights[pair.second];
  std::vector<double> sums = squared_difference_sums(x, extra);
  add(sums, between_classes(x, constraints.classes(), row_weights));
  return sums;
}

std::vector<double> cannot_link_sums(const MatrixView& x, const ConstraintSet& constraints) {
  const std::vector<double> halves(x.rows(), 0.5);
  return cannot_link_sums(x, constraints, halves);
}

}  // namespace tamis
