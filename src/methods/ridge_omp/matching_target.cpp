#include "methods/ridge_omp/matching_target.hpp"

#include <fmt/format.h>

#include <cmath>

#include "constraints/constraint_set.hpp"
#include "linalg/principal_scores.hpp"
#include "methods/ridge_omp/row_evidence.hpp"

namespace tamis {
namespace {

std::unique_ptr<MatchingTarget::Evidence> evidence_of(const Knowledge& known, Index rows,
                                                      Diagnostics& diagnostics) {
  if (rows_by_class(known).size() < 2) return evidence_of_pairs(known, rows, diagnostics);
  const ConstraintSet checked(known, rows);  // throws if pairs contradict
  const Index unused =
      std::ssize(checked.extra_must_link()) + std::ssize(checked.extra_cannot_link());
  if (unused > 0) {
    diagnostics.dropped_constraints += unused;
    diagnostics.warnings.push_back(fmt::format(
        "the classes of the labels decide; {} pair{} that they do not imply {} not used", unused,
        unused == 1 ? "" : "s", unused == 1 ? "is" : "are"));
  }
  return evidence_of_labels(known);
}

std::vector<double> roots(std::span<const double> values) {
  std::vector<double> result;
  for (const double value : values) result.push_back(std::sqrt(value));
  return result;
}

}  // namespace

double spread_sum(const RankedTable& z, const std::vector<double>& values) {
  double sum = 0.0;
  for (Index r = 0; r < z.cols(); ++r) sum += z.spread()[r] * values[r];
  return sum;
}

void normalize(RowVectors& target) {
  constexpr double kRounding = 1e-24;
  const double length = mean_squared_length(target);
  if (length <= kRounding)
    target = {};
  else
    multiply_all(target, 1.0 / std::sqrt(length));
}

MatchingTarget::MatchingTarget(const Knowledge& known, const RankedTable& z,
                               const TargetOptions& options, std::uint64_t seed,
                               Diagnostics& diagnostics)
    : evidence_(evidence_of(known, z.rows(), diagnostics)) {
  RowVectors components = principal_scores(z, roots(z.spread()), options.n_components, seed);
  normalize(components);
  if (!evidence_) {
    values_ = std::move(components);
    return;
  }
  const ColumnEvidence columns = evidence_->of_columns(z);
  reliability_ = evidence_->reliability(z, columns);
  mean_merit_ = spread_sum(z, columns.merit) / spread_sum(z, std::vector(z.cols(), 1.0));
  combine(evidence_->spread(z, options), std::move(components));
}

MatchingTarget::~MatchingTarget() = default;

void MatchingTarget::combine(RowVectors supervised, RowVectors components) {
  if (supervised.width == 0) {
    values_ = std::move(components);
    return;
  }
  is_supervised_ = true;
  const double share = 0.5 * (1.0 + reliability_);
  const Index width = supervised.width + components.width;
  values_ = {width, Buffer<double>(supervised.rows() * width)};
  for (Index i = 0; i < supervised.rows(); ++i) {
    for (Index c = 0; c < supervised.width; ++c)
      values_.row(i)[c] = std::sqrt(share) * supervised.row(i)[c];
    for (Index c = 0; c < components.width; ++c)
      values_.row(i)[supervised.width + c] = std::sqrt(1.0 - share) * components.row(i)[c];
  }
}

std::vector<double> MatchingTarget::weights(const RankedTable& columns) const {
  std::vector<double> weights(columns.spread().begin(), columns.spread().end());
  if (!is_supervised_ || mean_merit_ <= kNoDifference) return weights;  // none agrees with anything
  const std::vector<double> merit = evidence_->of_columns(columns).merit;
  for (Index r = 0; r < columns.cols(); ++r)
    weights[r] *= std::sqrt(reliability_ * merit[r] + (1.0 - reliability_) * mean_merit_);
  return weights;
}

}  // namespace tamis
