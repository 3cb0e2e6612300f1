#include "methods/spfs/group_lasso.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr double kGap = 1e-8;
constexpr Index kMostSteps = 200'000;
constexpr Index kStepsBetweenGaps = 10;

double squares(const Targets& a) {
  double sum = 0.0;
  for (const auto& vector : a)
    for (const double value : vector) sum += value * value;
  return sum;
}

/// a + share (a - b)
Targets beyond(const Targets& a, const Targets& b, double share) {
  Targets sum = a;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i) sum[k][i] += share * (a[k][i] - b[k][i]);
  return sum;
}

std::vector<double> norms(const Targets& weights) {
  std::vector<double> sums(weights[0].size(), 0.0);
  for (const auto& of_target : weights)
    for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += of_target[r] * of_target[r];
  for (double& sum : sums) sum = std::sqrt(sum);
  return sums;
}

Targets along(const StandardColumns& columns, const Targets& rest) {
  Targets products;
  for (const auto& of_target : rest) products.push_back(columns.combined(of_target));
  return products;
}

/// A feasible point T of the dual, and what it tells.
struct Certificate {
  double gap = 0.0;                ///< how far the objective is from its minimum at most
  std::vector<double> reach = {};  ///< |f_j'T| of each column
};

class Descent {
 public:
  Descent(const StandardColumns& columns, const Targets& targets, double lambda, Targets start)
      : all_columns_(columns), targets_(targets), lambda_(lambda), weights_(std::move(start)) {
    if (weights_.empty()) weights_.assign(targets.size(), std::vector<double>(columns.cols(), 0.0));
    begin_anew();
  }

  GroupLasso run() {
    GroupLasso found{.lambda = lambda_};
    for (; found.iterations < kMostSteps; ++found.iterations) {
      if (found.iterations % kStepsBetweenGaps == 0) {
        Certificate now = certificate();
        if (is_enough(now) && fewer_) {
          widen();
          now = certificate();
        }
        found.gap = now.gap / objective_;
        found.converged = is_enough(now);
        if (found.converged) break;
        narrow(now);
      }
      step();
    }
    if (fewer_) widen();
    found.norms = norms(weights_);
    found.left = norms(along(all_columns_, rest_));
    found.weights = std::move(weights_);
    found.objective = objective_;
    return found;
  }

 private:
  const StandardColumns& columns() const { return fewer_ ? *fewer_ : all_columns_; }
  bool is_enough(const Certificate& now) const { return now.gap <= kGap * objective_; }

  /// From the present weights, without momentum.
  void begin_anew() {
    rest_ = rest_of(weights_);
    objective_ = objective_of(weights_, rest_);
    momentum_ = 1.0;
    before_ = weights_;
    rest_before_ = rest_;
  }

  /// Goes on without the columns that are 0 in the solution: the dual solution lies within
  /// sqrt(2 gap) of T, and columns have length 1, so that those of a smaller reach are inside its
  /// bounds (O. Fercoq, A. Gramfort, J. Salmon, Mind the duality gap, ICML 2015).
  void narrow(const Certificate& now) {
    const double radius = std::sqrt(2.0 * std::max(0.0, now.gap));
    std::vector<Index> kept;
    for (std::size_t r = 0; r < now.reach.size(); ++r)
      if (now.reach[r] + radius >= lambda_) kept.push_back(static_cast<Index>(r));
    if (kept.empty() || 2 * std::ssize(kept) > columns().cols()) return;
    for (auto& of_target : weights_) {
      for (std::size_t s = 0; s < kept.size(); ++s) of_target[s] = of_target[kept[s]];
      of_target.resize(kept.size());
    }
    fewer_ = columns().only(kept);
    if (!numbers_.empty())
      for (Index& column : kept) column = numbers_[column];
    numbers_ = std::move(kept);
    curvature_ = 1.0;  // fewer columns need less
    begin_anew();
  }

  /// Goes on with all columns.
  void widen() {
    for (auto& of_target : weights_) {
      std::vector<double> all(all_columns_.cols(), 0.0);
      for (std::size_t s = 0; s < numbers_.size(); ++s) all[numbers_[s]] = of_target[s];
      of_target = std::move(all);
    }
    fewer_.reset();
    numbers_.clear();
    begin_anew();
  }

  /// Y - FW
  Targets rest_of(const Targets& weights) const {
    Targets rest = targets_;
    parallel_for(std::ssize(rest), 1, [&](Index k, Index) {
      for (Index r = 0; r < columns().cols(); ++r) {
        if (weights[k][r] == 0.0) continue;
        const std::span<const double> column = columns().column(r);
        for (std::size_t i = 0; i < column.size(); ++i) rest[k][i] -= weights[k][r] * column[i];
      }
    });
    return rest;
  }

  double objective_of(const Targets& weights, const Targets& rest) const {
    double sum = 0.5 * squares(rest);
    for (const double norm : norms(weights)) sum += lambda_ * norm;
    return sum;
  }

  /// Of the dual 1/2 |Y|^2 - 1/2 |Y - T|^2, |f_j'T| <= lambda, at T = the rest shrunk to fit.
  Certificate certificate() const {
    Certificate now{.reach = norms(along(columns(), rest_))};
    const double largest = std::ranges::max(now.reach);
    const double share = largest > lambda_ ? lambda_ / largest : 1.0;
    for (double& reach : now.reach) reach *= share;
    double dual = 0.0;
    for (std::size_t k = 0; k < rest_.size(); ++k)
      for (std::size_t i = 0; i < rest_[k].size(); ++i) {
        const double point = share * rest_[k][i];
        dual += point * targets_[k][i] - 0.5 * point * point;
      }
    now.gap = objective_ - dual;
    return now;
  }

  /// Rows of V + F'R / L, shortened by lambda / L.
  Targets shrunk(const Targets& from, const Targets& products) const {
    Targets weights = from;
    for (std::size_t k = 0; k < from.size(); ++k)
      for (std::size_t r = 0; r < from[k].size(); ++r) weights[k][r] += products[k][r] / curvature_;
    const std::vector<double> lengths = norms(weights);
    for (auto& of_target : weights)
      for (std::size_t r = 0; r < lengths.size(); ++r)
        of_target[r] = lengths[r] * curvature_ > lambda_
                           ? of_target[r] * (1.0 - lambda_ / (curvature_ * lengths[r]))
                           : 0.0;
    return weights;
  }

  /// Whether the parabola of the present curvature lies above the loss, so that the step is safe.
  bool is_below(const Targets& from, const Targets& rest, const Targets& products,
                const Targets& to, const Targets& new_rest) const {
    double bound = 0.5 * squares(rest);
    for (std::size_t k = 0; k < from.size(); ++k)
      for (std::size_t r = 0; r < from[k].size(); ++r) {
        const double change = to[k][r] - from[k][r];
        bound += change * (0.5 * curvature_ * change - products[k][r]);
      }
    return 0.5 * squares(new_rest) <= bound * (1.0 + 1e-12);
  }

  /// One step from beyond the last two points.
  void step() {
    const double next_momentum = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum_ * momentum_));
    const double share = (momentum_ - 1.0) / next_momentum;
    const Targets from = beyond(weights_, before_, share);
    const Targets rest = beyond(rest_, rest_before_, share);
    const Targets products = along(columns(), rest);
    Targets to = shrunk(from, products);
    Targets new_rest = rest_of(to);
    while (!is_below(from, rest, products, to, new_rest)) {
      curvature_ *= 2.0;
      to = shrunk(from, products);
      new_rest = rest_of(to);
    }
    const double reached = objective_of(to, new_rest);
    if (reached > objective_ && share > 0.0) {  // momentum leads astray: from here anew
      momentum_ = 1.0;
      before_ = weights_;
      rest_before_ = rest_;
      return;
    }
    objective_ = reached;
    momentum_ = next_momentum;
    before_ = std::exchange(weights_, std::move(to));
    rest_before_ = std::exchange(rest_, std::move(new_rest));
  }

  const StandardColumns& all_columns_;
  const Targets& targets_;
  double lambda_;
  std::optional<StandardColumns> fewer_ = std::nullopt;  // those of numbers_
  std::vector<Index> numbers_ = {};
  double curvature_ = 1.0;  // of one column alone; doubled where it does not suffice
  double momentum_ = 1.0;
  double objective_ = 0.0;
  Targets weights_;
  Targets rest_;
  Targets before_;
  Targets rest_before_;
};

}  // namespace

Index GroupLasso::n_nonzero() const {
  return std::ranges::count_if(norms, [](double norm) { return norm > 0.0; });
}

double largest_lambda(const StandardColumns& columns, const Targets& targets) {
  return std::ranges::max(norms(along(columns, targets)));
}

GroupLasso group_lasso(const StandardColumns& columns, const Targets& targets, double lambda,
                       Targets start) {
  return Descent(columns, targets, lambda, std::move(start)).run();
}

}  // namespace tamis
