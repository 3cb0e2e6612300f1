#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "constraints/pair_sums.hpp"
#include "linalg/principal_scores.hpp"
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
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// The rows among the given ones (ascending) that are in a pair with another of them, and the
/// constraints among them, of places in `rows`.
struct PairedRows {
  PairedRows(const Knowledge& known, std::span<const Index> among)
      : rows(paired(known, among)), links(known_about(known, rows), std::ssize(rows)) {}

  static std::vector<Index> paired(const Knowledge& known, std::span<const Index> among) {
    const ConstraintSet links(known_about(known, among), std::ssize(among));
    std::vector<Index> rows;
    for (const Index place : paired_rows(links)) rows.push_back(among[place]);
    return rows;
  }

  std::vector<Index> rows;
  ConstraintSet links;
};

class PairEvidence : public MatchingTarget::RowEvidence {
 public:
  PairEvidence(PairedRows all, PairedRows spread) : all_(std::move(all)), some_(std::move(spread)) {
    if (!some_.rows.empty()) links_ = link_vectors(some_.links, std::ssize(some_.rows));
  }

  RowVectors spread(const RankedTable& z, const TargetOptions& options) const override {
    if (links_.width == 0) return {};
    RowVectors target = kernel_ridge(z, some_.rows, links_, options.ridge);
    center(target);
    target = on_principal_axes(target);
    normalize(target);
    return target;
  }

  RowVectors coefficients(const RankedTable& z, const TargetOptions& options) const override {
    if (links_.width == 0) return {};
    return ridge_coefficients(z, some_.rows, links_, options.ridge);
  }

  bool has_classes() const override { return false; }

  /// Half the weighted mean squared differences over the pairs; 1 if there are none.
  ColumnEvidence of_columns(const RankedTable& z) const override {
    ColumnEvidence evidence{.merit = std::vector<double>(z.cols())};
    for_each_known_panel(z, all_.rows, [&](const KnownPanel& panel) {
      const DenseView<double> view(panel.values.data(), std::ssize(all_.rows), panel.width);
      append_half_means(cannot_link_sums(view, all_.links), all_.links.cannot_link_weight(),
                        evidence.apart);
      append_half_means(must_link_sums(view, all_.links), all_.links.must_link_weight(),
                        evidence.together);
    });
    for (Index r = 0; r < z.cols(); ++r)
      evidence.merit[r] = evidence.apart[r] / (1.0 + evidence.together[r]);
    return evidence;
  }

  double reliability(const RankedTable& z, const ColumnEvidence& columns,
                     const TargetOptions&) const override {
    const double apart = spread_sum(z, columns.apart);
    if (apart <= kNoDifference * spread_sum(z, std::vector(z.cols(), 1.0))) return 0.0;
    return std::clamp(1.0 - spread_sum(z, columns.together) / apart, 0.0, 1.0);
  }

 private:
  static void append_half_means(const std::vector<double>& sums, double weight,
                                std::vector<double>& means) {
    for (const double sum : sums) means.push_back(weight == 0.0 ? 1.0 : 0.5 * sum / weight);
  }

  PairedRows all_;
  PairedRows some_;  ///< the first of them: as many as a matrix of all their pairs may have
  RowVectors links_;
};

}  // namespace

std::unique_ptr<MatchingTarget::RowEvidence> evidence_of_pairs(const Knowledge& known, Index rows,
                                                               Diagnostics& diagnostics) {
  const ConstraintSet checked(known, rows);  // throws if pairs contradict, naming rows as they are
  PairedRows all(known, known_rows(known));
  if (all.rows.empty()) return nullptr;
  if (std::ssize(all.rows) <= kMostSpread) return std::make_unique<PairEvidence>(all, all);
  diagnostics.warnings.push_back(
      fmt::format("{} rows are in pairs; only those among the first {} are spread to other rows, "
                  "all of them weigh the columns",
                  all.rows.size(), kMostSpread));
  PairedRows some(known, std::span(all.rows).first(kMostSpread));
  return std::make_unique<PairEvidence>(std::move(all), std::move(some));
}

}  // namespace tamis
