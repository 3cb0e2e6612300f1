#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "constraints/pair_sums.hpp"
#include "methods/ridge_omp/kernel_ridge.hpp"
#include "methods/ridge_omp/known_rows.hpp"
#include "methods/ridge_omp/link_eigenpairs.hpp"
#include "methods/ridge_omp/row_evidence.hpp"

namespace tamis {
namespace {

/// Rows whose pairs make a matrix with an exact eigenproblem.
constexpr Index kMostSpread = 1000;

/// The rows in some pair, ascending.
std::vector<Index> paired_rows(const ConstraintSet& constraints) {
  std::vector<Index> rows;
  for (const std::vector<Index>& same : constraints.classes())
    if (same.size() > 1) rows.insert(rows.end(), same.begin(), same.end());
  for (const auto pairs : {constraints.extra_must_link(), constraints.extra_cannot_link()})
    for (const RowPair& pair : pairs) rows.insert(rows.end(), {pair.first, pair.second});
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  return rows;
}

/// The constraints with rows called by their places in `rows`.
ConstraintSet renumbered(const Problem& problem, const ConstraintSet& constraints,
                         const std::vector<Index>& rows) {
  const auto place = [&](Index row) { return std::ranges::lower_bound(rows, row) - rows.begin(); };
  const auto moved = [&](std::span<const RowPair> pairs) {
    std::vector<RowPair> result;
    for (const RowPair& pair : pairs) result.push_back({place(pair.first), place(pair.second)});
    return result;
  };
  // A problem without columns: only what is known of its rows is looked at.
  const double* const nothing = nullptr;
  Problem known{.matrix = DenseView<double>(nothing, std::ssize(rows), 0)};
  for (const Index row : rows) known.labels.push_back(problem.label(row));
  known.pairs = PairConstraints{.must_link = moved(constraints.extra_must_link()),
                                .cannot_link = moved(constraints.extra_cannot_link())};
  return ConstraintSet(known);
}

/// Rows in pairs, ascending, and the constraints among them, of places in `rows`.
struct PairedRows {
  PairedRows(const Problem& problem, const ConstraintSet& constraints)
      : rows(paired_rows(constraints)), links(renumbered(problem, constraints, rows)) {}

  std::vector<Index> rows;
  ConstraintSet links;
};

/// What is known of the rows before `end`.
Problem only_rows_before(const Problem& problem, Index end) {
  Problem part{.matrix = problem.matrix, .labels = problem.labels, .pairs = PairConstraints{}};
  for (Index i = end; i < std::ssize(part.labels); ++i) part.labels[i] = kUnlabeled;
  if (!problem.pairs) return part;
  const auto is_before = [&](const RowPair& pair) {
    return std::max(pair.first, pair.second) < end;
  };
  std::ranges::copy_if(problem.pairs->must_link, std::back_inserter(part.pairs->must_link),
                       is_before);
  std::ranges::copy_if(problem.pairs->cannot_link, std::back_inserter(part.pairs->cannot_link),
                       is_before);
  return part;
}

class PairEvidence : public MatchingTarget::Evidence {
 public:
  PairEvidence(PairedRows all, PairedRows spread)
      : all_(std::move(all)), some_(std::move(spread)) {}

  RowVectors spread(const RankedTable& z, const TargetOptions& options) const override {
    if (some_.rows.empty()) return {};
    const RowVectors links = link_vectors(some_.links, std::ssize(some_.rows));
    if (links.width == 0) return {};
    RowVectors target = kernel_ridge(z, some_.rows, links, options.ridge);
    center(target);
    normalize(target);
    return target;
  }

  /// Half the mean squared differences over the pairs; 1 if there are none.
  ColumnEvidence of_columns(const RankedTable& z) const override {
    ColumnEvidence evidence{.merit = std::vector<double>(z.cols())};
    for_each_known_panel(z, all_.rows, [&](const KnownPanel& panel) {
      const DenseView<double> view(panel.values.data(), std::ssize(all_.rows), panel.width);
      append_half_means(cannot_link_sums(view, all_.links), all_.links.n_cannot_link(),
                        evidence.apart);
      append_half_means(must_link_sums(view, all_.links), all_.links.n_must_link(),
                        evidence.together);
    });
    for (Index r = 0; r < z.cols(); ++r)
      evidence.merit[r] = evidence.apart[r] / (1.0 + evidence.together[r]);
    return evidence;
  }

  double reliability(const RankedTable& z, const ColumnEvidence& columns) const override {
    const double apart = spread_sum(z, columns.apart);
    if (apart <= kNoDifference * spread_sum(z, std::vector(z.cols(), 1.0))) return 0.0;
    return std::clamp(1.0 - spread_sum(z, columns.together) / apart, 0.0, 1.0);
  }

 private:
  static void append_half_means(const std::vector<double>& sums, Index pairs,
                                std::vector<double>& means) {
    for (const double sum : sums)
      means.push_back(pairs == 0 ? 1.0 : 0.5 * sum / static_cast<double>(pairs));
  }

  PairedRows all_;
  PairedRows some_;  ///< the first of them: as many as a matrix of all their pairs may have
};

}  // namespace

std::unique_ptr<MatchingTarget::Evidence> evidence_of_pairs(const Problem& problem,
                                                            Diagnostics& diagnostics) {
  PairedRows all(problem, ConstraintSet(problem));
  if (all.rows.empty()) return nullptr;
  if (std::ssize(all.rows) <= kMostSpread) return std::make_unique<PairEvidence>(all, all);
  diagnostics.warnings.push_back(
      fmt::format("{} rows are in pairs; only those among the first {} are spread to other rows, "
                  "all of them weigh the columns",
                  all.rows.size(), kMostSpread));
  const Problem part = only_rows_before(problem, all.rows[kMostSpread]);
  PairedRows some(part, ConstraintSet(part));
  return std::make_unique<PairEvidence>(std::move(all), std::move(some));
}

}  // namespace tamis
