#include "methods/relevance/backed_steps.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/gemm.hpp"
#include "methods/relevance/sphere_law.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns and targets of which no more is left (squared, of 1) are explained.
constexpr double kExplainedColumn = 1e-6;
constexpr double kExplainedTarget = 1e-10;
constexpr Index kInARow = 4;
constexpr double kChance = 0.5;

/// What is left of targets, MT, and of columns, Mc, once the chosen ones are read:
/// M = I - sum_p b_p b_p' / (r_p + nugget), b_p = M c_p at the time. All b are combinations of
/// chosen columns, so products tell everything.
class LeftOver {
 public:
  LeftOver(ChosenProducts products, Index count, double nugget)
      : count_(count),
        nugget_(nugget),
        whole_(products.columns),
        columns_(std::move(products.columns)),
        targets_(std::move(products.targets)),
        squares_(std::move(products.squares)) {
    for (std::size_t v = 0; v < squares_.size(); ++v) totals_.push_back(trace(v));
  }

  /// c'Mc
  double column(Index t) const { return columns_[t * count_ + t]; }
  /// |c'MT|^2
  double told(Index t, Index fold) const {
    double sum = 0.0;
    for (Index c = 0; c < targets_[fold].width; ++c)
      sum += targets_[fold].row(t)[c] * targets_[fold].row(t)[c];
    return sum;
  }
  bool is_explained(Index fold) const { return trace(fold) <= kExplainedTarget * totals_[fold]; }
  /// (MT)'(MT)
  const std::vector<double>& squares(Index fold) const { return squares_[fold]; }

  /// MT -= b(c'MT)/(r + nugget) for all folds, and M likewise.
  void take(Index t) {
    const double scale = column(t) + nugget_;
    const std::vector<double> b = combination(t);
    const double length = squared_length(b);
    std::vector<double> told_by(count_);  // c'b of all columns
    for (Index s = 0; s < count_; ++s) told_by[s] = columns_[s * count_ + t];
    for (std::size_t v = 0; v < targets_.size(); ++v) take_from_target(v, t, b, length, told_by);
    for (Index s = 0; s < count_; ++s)
      for (Index other = 0; other < count_; ++other)
        columns_[s * count_ + other] -= told_by[s] * told_by[other] / scale;
    read_.push_back(b);
    scales_.push_back(scale);
  }

 private:
  double trace(std::size_t fold) const {
    const Index width = targets_[fold].width;
    double sum = 0.0;
    for (Index c = 0; c < width; ++c) sum += squares_[fold][c * width + c];
    return sum;
  }

  /// b = c - sum_p b_p (b_p'c)/(r_p + nugget), as coefficients of the chosen columns.
  std::vector<double> combination(Index t) const {
    std::vector<double> b(count_, 0.0);
    b[t] = 1.0;
    for (std::size_t p = 0; p < read_.size(); ++p) {
      double share = 0.0;
      for (Index s = 0; s < count_; ++s) share += read_[p][s] * whole_[s * count_ + t];
      for (Index s = 0; s < count_; ++s) b[s] -= share / scales_[p] * read_[p][s];
    }
    return b;
  }

  double squared_length(const std::vector<double>& b) const {
    double sum = 0.0;
    for (Index s = 0; s < count_; ++s)
      for (Index other = 0; other < count_; ++other)
        sum += b[s] * whole_[s * count_ + other] * b[other];
    return sum;
  }

  void take_from_target(std::size_t fold, Index t, const std::vector<double>& b, double length,
                        const std::vector<double>& told_by) {
    RowVectors& target = targets_[fold];
    const Index width = target.width;
    const double scale = column(t) + nugget_;
    const std::vector<double> told_now(target.row(t), target.row(t) + width);  // c'MT
    std::vector<double> of_b(width, 0.0);                                      // b'MT
    for (Index s = 0; s < count_; ++s)
      for (Index c = 0; c < width; ++c) of_b[c] += b[s] * target.row(s)[c];
    for (Index c = 0; c < width; ++c)
      for (Index d = 0; d < width; ++d)
        squares_[fold][c * width + d] -= (of_b[c] * told_now[d] + told_now[c] * of_b[d]) / scale -
                                         told_now[c] * told_now[d] * length / (scale * scale);
    for (Index s = 0; s < count_; ++s)
      for (Index c = 0; c < width; ++c) target.row(s)[c] -= told_by[s] * told_now[c] / scale;
  }

  Index count_;
  double nugget_;
  std::vector<double> whole_;    ///< c'c of all pairs
  std::vector<double> columns_;  ///< c'Mc
  std::vector<RowVectors> targets_;
  std::vector<std::vector<double>> squares_;
  std::vector<double> totals_;
  std::vector<std::vector<double>> read_;
  std::vector<double> scales_;
};

bool is_chance_in_a_row(const std::vector<double>& p) {
  return std::ssize(p) >= kInARow &&
         std::all_of(p.end() - kInARow, p.end(), [](double value) { return value > kChance; });
}

/// The other half of a symmetric matrix of which the lower triangle is given.
void mirror(std::vector<double>& lower, Index side) {
  for (Index a = 0; a < side; ++a)
    for (Index b = 0; b < a; ++b) lower[b * side + a] = lower[a * side + b];
}

}  // namespace

ChosenProducts chosen_products(const RankedTable& z, const CrossedTargets& crossed,
                               std::span<const Index> chosen) {
  const Index n = z.rows();
  const Index count = std::ssize(chosen);
  Buffer<double> units(count * n);
  parallel_for(count, 1, [&](Index t, Index) {
    std::ranges::copy(crossed.unit_column(z, chosen[t]), &units[t * n]);
  });
  ChosenProducts products{.columns = std::vector(count * count, 0.0)};
  add_row_products(units.data(), count, n, products.columns.data());
  mirror(products.columns, count);
  for (const RowVectors& target : crossed.targets) {
    const Index width = target.width;
    RowVectors& told = products.targets.emplace_back();
    told = {width, Buffer<double>(count * width, 0.0)};
    std::vector<double>& squares = products.squares.emplace_back(width * width, 0.0);
    if (width == 0) continue;
    add_product(units.data(), n, target.values.data(), count, n, width, told.values.data());
    add_cross_products(target.values.data(), n, width, squares.data());
    mirror(squares, width);
  }
  return products;
}

BackedSteps steps_of(const CrossedTargets& crossed, std::span<const Index> chosen, double nugget) {
  BackedSteps steps{
      .chosen = chosen,
      .judged = std::ranges::count_if(crossed.fold_of, [](Index v) { return v != kNoFold; }),
      .dimension = crossed.dimension(),
      .nugget = nugget};
  for (const Index column : chosen) steps.folds.push_back(crossed.fold_of[column]);
  return steps;
}

std::vector<double> step_probabilities(ChosenProducts products, const BackedSteps& steps,
                                       const CorrectLogP& corrected) {
  std::vector<double> p;
  if (steps.chosen.empty()) return p;
  LeftOver left(std::move(products), std::ssize(steps.chosen), steps.nugget);
  for (Index t = 0; t < std::ssize(steps.chosen) && !is_chance_in_a_row(p); ++t) {
    const Index fold = steps.folds[t];
    const double r = left.column(t);
    const bool is_projected = steps.nugget == 0.0;
    if (is_projected && (r <= kExplainedColumn || left.is_explained(fold))) {
      p.push_back(1.0);
      continue;
    }
    const double share = left.told(t, fold);
    const SphereLaw law =
        law_of_squares(left.squares(fold), steps.dimension - (is_projected ? t : 0));
    const double log_p = corrected(steps.chosen[t], law.log_tail(is_projected ? share / r : share));
    // The best of all that could have been chosen: 1 - (1 - p)^(m' - t).
    p.push_back(-std::expm1(static_cast<double>(steps.judged - t) * std::log1p(-std::exp(log_p))));
    left.take(t);
  }
  return p;
}

}  // namespace tamis
