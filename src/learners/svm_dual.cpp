#include "learners/svm_dual.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "learners/svm_interior_point.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr Index kMostSteps = 10'000'000;
/// Steps for each row, after which up to so many rows go through an interior point method.
constexpr Index kEasySteps = 50;
constexpr Index kMostInterior = 3'000;
constexpr Index kMostFree = 400;  ///< variables of a Newton step, which costs their third power
constexpr double kLeastCurvature = 1e-12;
/// What may be left of the tolerance after Newton steps, and how hard that is tried.
constexpr double kRefined = 1e-3;
constexpr int kMostRefinements = 3;
constexpr Index kFurtherSteps = 100'000;

class Solver {
 public:
  Solver(std::span<const double> kernel, std::span<const double> signs, double cost,
         std::vector<double> start)
      : kernel_(kernel), y_(signs), cost_(cost), alpha_(std::move(start)) {
    alpha_.resize(y_.size(), 0.0);
    measure();
  }

  SvmDual run(double tolerance) {
    bool converged = settle(tolerance, kEasySteps * n());
    if (!converged && n() <= kMostInterior) {
      alpha_ = svm_interior_point(kernel_, y_, cost_);
      measure();
    }
    if (!converged) converged = settle(tolerance, kMostSteps);
    for (int again = 0; again < kMostRefinements; ++again) {
      refine();
      if (violation() <= kRefined * tolerance) break;
      settle(kRefined * tolerance, kFurtherSteps);
    }
    double objective = 0.0;
    for (Index i = 0; i < n(); ++i) objective += 0.5 * alpha_[i] * (1.0 - gradient_[i]);
    return {.alpha = alpha_, .objective = objective, .converged = converged};
  }

 private:
  Index n() const { return std::ssize(y_); }
  double kernel(Index i, Index j) const { return kernel_[i * n() + j]; }
  bool can_rise(Index i) const { return y_[i] > 0.0 ? alpha_[i] < cost_ : alpha_[i] > 0.0; }
  bool can_fall(Index i) const { return y_[i] > 0.0 ? alpha_[i] > 0.0 : alpha_[i] < cost_; }

  /// Of minus the objective: Q a - 1, Q_ij = y_i y_j K_ij.
  void measure() {
    gradient_.assign(y_.size(), -1.0);
    for (Index j = 0; j < n(); ++j)
      if (alpha_[j] > 0.0) add_to_gradient(j, alpha_[j]);
  }

  void add_to_gradient(Index j, double change) {
    const double* const row = kernel_.data() + j * n();
    const double signed_change = change * y_[j];
    for (Index i = 0; i < n(); ++i) gradient_[i] += y_[i] * (row[i] * signed_change);
  }

  /// The largest -y_i g_i of those that can rise: no one that can fall may be below it.
  double highest(Index& best) const {
    double high = -std::numeric_limits<double>::infinity();
    for (Index i = 0; i < n(); ++i)
      if (can_rise(i) && -y_[i] * gradient_[i] > high) {
        high = -y_[i] * gradient_[i];
        best = i;
      }
    return high;
  }

  double curvature(Index i, Index j) const {
    return std::max(kernel(i, i) + kernel(j, j) - 2.0 * kernel(i, j), kLeastCurvature);
  }

  bool settle(double tolerance, Index most_steps) {
    for (Index steps = 0; steps < most_steps; ++steps)
      if (!step(tolerance)) return true;
    return false;
  }

  /// Moves the pair that promises most; false if none violates its conditions.
  bool step(double tolerance) {
    Index i = -1;
    Index j = -1;
    const double high = highest(i);
    double low = std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (Index t = 0; t < n(); ++t) {
      if (!can_fall(t)) continue;
      const double value = -y_[t] * gradient_[t];
      low = std::min(low, value);
      const double slope = high - value;
      if (slope <= 0.0) continue;
      if (const double gain = slope * slope / curvature(i, t); gain > most) {
        most = gain;
        j = t;
      }
    }
    if (j < 0 || high - low < tolerance) return false;
    move(i, j, (high + y_[j] * gradient_[j]) / curvature(i, j));
    return true;
  }

  /// y_i a_i rises and y_j a_j falls, as far as the box allows. A variable that reaches a bound is
  /// put there exactly.
  void move(Index i, Index j, double by) {
    const double room_of_i = y_[i] > 0.0 ? cost_ - alpha_[i] : alpha_[i];
    const double room_of_j = y_[j] > 0.0 ? alpha_[j] : cost_ - alpha_[j];
    by = std::min({by, room_of_i, room_of_j});
    shift(i, y_[i] * by, by == room_of_i);
    shift(j, -y_[j] * by, by == room_of_j);
  }

  void shift(Index i, double change, bool is_at_bound) {
    alpha_[i] += change;
    if (is_at_bound) alpha_[i] = change > 0.0 ? cost_ : 0.0;
    add_to_gradient(i, change);
  }

  double violation() const {
    Index ignored = -1;
    double low = std::numeric_limits<double>::infinity();
    for (Index t = 0; t < n(); ++t)
      if (can_fall(t)) low = std::min(low, -y_[t] * gradient_[t]);
    return highest(ignored) - low;
  }

  std::vector<Index> free_variables() const {
    std::vector<Index> free;
    for (Index i = 0; i < n(); ++i)
      if (alpha_[i] > 0.0 && alpha_[i] < cost_) free.push_back(i);
    return free;
  }

  /// Newton's step where variables at their bounds stay: g_F + Q_FF d + b y_F = 0, y'(a + d) = 0.
  Eigen::VectorXd newton_step(const std::vector<Index>& free) const {
    const Index f = std::ssize(free);
    Eigen::MatrixXd conditions = Eigen::MatrixXd::Zero(f + 1, f + 1);
    Eigen::VectorXd rest = Eigen::VectorXd::Zero(f + 1);
    for (Index s = 0; s < f; ++s) {
      for (Index t = 0; t < f; ++t)
        conditions(s, t) = y_[free[s]] * y_[free[t]] * kernel(free[s], free[t]);
      conditions(s, f) = conditions(f, s) = y_[free[s]];
      rest(s) = -gradient_[free[s]];
    }
    for (Index i = 0; i < n(); ++i) rest(f) -= y_[i] * alpha_[i];  // 0 but for rounding
    return conditions.completeOrthogonalDecomposition().solve(rest);
  }

  /// The share of a step that the box allows, and the variable that then reaches its bound.
  std::pair<double, Index> longest_share(const std::vector<Index>& free,
                                         const Eigen::VectorXd& step) const {
    double share = 1.0;
    Index first = -1;
    for (Index s = 0; s < std::ssize(free); ++s) {
      const double room = step(s) > 0.0 ? cost_ - alpha_[free[s]] : -alpha_[free[s]];
      if (step(s) != 0.0 && room / step(s) < share) {
        share = room / step(s);
        first = s;
      }
    }
    return {share, first};
  }

  /// Newton steps, each up to the first bound that it meets, until one meets none.
  void refine() {
    measure();  // without what many steps left of rounding
    for (std::vector<Index> free = free_variables(); !free.empty(); free = free_variables()) {
      if (std::ssize(free) > kMostFree) return;
      const Eigen::VectorXd step = newton_step(free);
      const auto [share, first] = longest_share(free, step);
      for (Index s = 0; s < std::ssize(free); ++s) {
        double& alpha = alpha_[free[s]];
        alpha = s == first ? (step(s) > 0.0 ? cost_ : 0.0)
                           : std::clamp(alpha + share * step(s), 0.0, cost_);
      }
      measure();
      if (first < 0) return;
    }
  }

  std::span<const double> kernel_;
  std::span<const double> y_;
  double cost_;
  std::vector<double> alpha_;
  std::vector<double> gradient_;
};

}  // namespace

void check_kernel_rows(std::string_view who, std::string_view what, Index rows) {
  if (rows > kMaxKernelRows)
    throw DataError(
        fmt::format("{} forms a matrix of every two {}, and {} are more than the {} that it takes; "
                    "take fewer rows",
                    who, what, rows, kMaxKernelRows));
}

SvmDual solve_svm_dual(std::span<const double> kernel, std::span<const double> signs, double cost,
                       double tolerance, std::vector<double> start) {
  return Solver(kernel, signs, cost, std::move(start)).run(tolerance);
}

}  // namespace tamis
