#include "methods/ridge_omp/matching_target.hpp"

#include <fmt/format.h>

#include <cmath>

#include "constraints/constraint_set.hpp"
#include "core/counted.hpp"
#include "linalg/principal_scores.hpp"
#include "methods/ridge_omp/row_evidence.hpp"

namespace tamis {
namespace {

std::vector<double> roots(std::span<const double> values) {
  std::vector<double> result;
  for (const double value : values) result.push_back(std::sqrt(value));
  return result;
}

}  // namespace

std::unique_ptr<MatchingTarget::RowEvidence> evidence_of(const Knowledge& known, Index rows,
                                                         Diagnostics& diagnostics) {
  const bool has_values = values_decide(known);
  if (!has_values && rows_by_class(known).size() < 2)
    return evidence_of_pairs(known, rows, diagnostics);
  const ConstraintSet checked(known, rows);  // throws if pairs contradict
  const Index unused =
      std::ssize(checked.extra_must_link()) + std::ssize(checked.extra_cannot_link());
  if (unused > 0) {
    diagnostics.dropped_constraints += unused;
    diagnostics.warnings.push_back(
        fmt::format("{}; {}{} {} not used",
                    has_values ? "the numeric target decides" : "the classes of the labels decide",
                    counted(unused, "pair"), has_values ? "" : " that they do not imply",
                    unused == 1 ? "is" : "are"));
  }
  return has_values ? evidence_of_values(known) : evidence_of_labels(known);
}

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
    : z_(z), options_(options), seed_(seed), evidence_(evidence_of(known, z.rows(), diagnostics)) {
  if (evidence_) columns_ = evidence_->of_columns(z_);
  made_ = made_of(z_);
}

MatchingTarget::~MatchingTarget() = default;

MatchingTarget::Made MatchingTarget::made_of(const RankedTable& z) const {
  RowVectors components = principal_scores(z, roots(z.spread()), options_.n_components, seed_);
  normalize(components);
  Made made;
  if (evidence_) made.reliability = evidence_->reliability(z, columns_, options_);
  const RowVectors supervised = evidence_ ? evidence_->spread(z, options_) : RowVectors{};
  made.is_supervised = supervised.width > 0;
  if (!made.is_supervised) {
    made.values = std::move(components);
    return made;
  }
  const double share = supervised_share(made.reliability);
  const Index width = supervised.width + components.width;
  made.values = {width, Buffer<double>(supervised.rows() * width)};
  for (Index i = 0; i < supervised.rows(); ++i) {
    double* const row = made.values.row(i);
    for (Index c = 0; c < supervised.width; ++c) row[c] = std::sqrt(share) * supervised.row(i)[c];
    for (Index c = 0; c < components.width; ++c)
      row[supervised.width + c] = std::sqrt(1.0 - share) * components.row(i)[c];
  }
  return made;
}

std::vector<double> trusted_weights(const RankedTable& z, const ColumnEvidence& columns,
                                    double reliability) {
  std::vector<double> weights(z.spread().begin(), z.spread().end());
  const double mean_merit =
      spread_sum(z, columns.merit) / spread_sum(z, std::vector(z.cols(), 1.0));
  if (mean_merit <= kNoDifference) return weights;  // no column agrees with anything
  for (Index r = 0; r < z.cols(); ++r)
    weights[r] *= std::sqrt(reliability * columns.merit[r] + (1.0 - reliability) * mean_merit);
  return weights;
}

std::vector<double> MatchingTarget::weights() const {
  if (!is_supervised()) return {z_.spread().begin(), z_.spread().end()};
  return trusted_weights(z_, columns_, reliability());
}

RowVectors MatchingTarget::without(std::span<const Index> columns) const {
  return made_of(z_.without(columns)).values;
}

}  // namespace tamis
