#include "methods/relevance/backed_steps.hpp"

#include <algorithm>
#include <cmath>

#include "methods/relevance/sphere_law.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns and targets of which no more is left (squared, of 1) are explained.
constexpr double kExplainedColumn = 1e-6;
constexpr double kExplainedTarget = 1e-10;
constexpr Index kInARow = 4;
constexpr double kChance = 0.5;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double squared_length(const RowVectors& target) {
  double sum = 0.0;
  for (const double value : target.values) sum += value * value;
  return sum;
}

std::vector<double> product(const std::vector<double>& a, const RowVectors& target) {
  std::vector<double> result(target.width, 0.0);
  for (Index i = 0; i < target.rows(); ++i)
    for (Index c = 0; c < target.width; ++c) result[c] += a[i] * target.row(i)[c];
  return result;
}

/// What is left of targets, MT, and of columns, Mc, once the chosen ones are read:
/// M = I - sum_p b_p b_p' / (r_p + nugget).
class LeftOver {
 public:
  LeftOver(std::vector<RowVectors> targets, double nugget)
      : targets_(std::move(targets)), nugget_(nugget) {
    for (const RowVectors& target : targets_) totals_.push_back(squared_length(target));
  }

  /// b = Mc
  std::vector<double> of(std::vector<double> column) const {
    const std::vector<double> whole = column;
    for (std::size_t p = 0; p < read_.size(); ++p) {
      const double share = dot(read_[p], whole) / scales_[p];
      for (std::size_t i = 0; i < column.size(); ++i) column[i] -= share * read_[p][i];
    }
    return column;
  }
  const RowVectors& target(Index fold) const { return targets_[fold]; }
  bool is_explained(Index fold) const {
    return squared_length(targets_[fold]) <= kExplainedTarget * totals_[fold];
  }

  /// MT -= b(c'MT)/(r + nugget) for all folds, and M likewise.
  void take(const std::vector<double>& c, std::vector<double> b, double r) {
    const double scale = r + nugget_;
    parallel_for(std::ssize(targets_), 1, [&](Index fold, Index) {
      RowVectors& target = targets_[fold];
      const std::vector<double> told = product(c, target);
      for (Index i = 0; i < target.rows(); ++i)
        for (Index k = 0; k < target.width; ++k) target.row(i)[k] -= b[i] * told[k] / scale;
    });
    read_.push_back(std::move(b));
    scales_.push_back(scale);
  }

 private:
  std::vector<RowVectors> targets_;
  double nugget_;
  std::vector<double> totals_;
  std::vector<std::vector<double>> read_;
  std::vector<double> scales_;
};

bool is_chance_in_a_row(const std::vector<double>& p) {
  return std::ssize(p) >= kInARow &&
         std::all_of(p.end() - kInARow, p.end(), [](double value) { return value > kChance; });
}

}  // namespace

std::vector<double> step_probabilities(const RankedTable& z, const CrossedTargets& crossed,
                                       std::span<const Index> chosen, double nugget,
                                       const CorrectLogP& corrected) {
  const auto judged = std::ranges::count_if(crossed.fold_of, [](Index v) { return v != kNoFold; });
  LeftOver left(crossed.targets, nugget);
  std::vector<double> steps;
  for (Index t = 0; t < std::ssize(chosen) && !is_chance_in_a_row(steps); ++t) {
    const Index fold = crossed.fold_of[chosen[t]];
    const std::vector<double> c = crossed.unit_column(z, chosen[t]);
    std::vector<double> b = left.of(c);
    const double r = dot(c, b);
    const bool is_projected = nugget == 0.0;
    if (is_projected && (r <= kExplainedColumn || left.is_explained(fold))) {
      steps.push_back(1.0);
      continue;
    }
    double share = 0.0;
    for (const double told : product(c, left.target(fold))) share += told * told;
    const SphereLaw law = law_of(left.target(fold), crossed.dimension() - (is_projected ? t : 0));
    const double log_p = corrected(chosen[t], law.log_tail(is_projected ? share / r : share));
    // The best of all that could have been chosen: 1 - (1 - p)^(m' - t).
    steps.push_back(-std::expm1(static_cast<double>(judged - t) * std::log1p(-std::exp(log_p))));
    left.take(c, std::move(b), r);
  }
  return steps;
}

}  // namespace tamis
