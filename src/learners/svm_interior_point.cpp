#include "learners/svm_interior_point.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

constexpr int kMostSteps = 100;
constexpr double kGap = 1e-11;           ///< relative
constexpr double kBeforeBounds = 0.995;  ///< of the way to the nearest bound

using Vector = Eigen::ArrayXd;

/// alpha in the box, its room below the cost, and the multipliers of both bounds and the balance.
struct Point {
  Vector alpha;
  Vector room;
  Vector low;
  Vector high;
  double bias = 0.0;
};

struct Direction {
  Vector alpha;
  Vector low;
  Vector high;
  double bias = 0.0;
};

class InteriorPoint {
 public:
  InteriorPoint(std::span<const double> kernel, std::span<const double> signs, double cost)
      : n_(std::ssize(signs)), y_(Eigen::Map<const Vector>(signs.data(), n_)), q_(n_, n_) {
    for (Index i = 0; i < n_; ++i)
      for (Index j = 0; j < n_; ++j) q_(i, j) = y_(i) * y_(j) * kernel[i * n_ + j];
    now_ = {.alpha = Vector::Constant(n_, 0.5 * cost),
            .room = Vector::Constant(n_, 0.5 * cost),
            .low = Vector::Ones(n_),
            .high = Vector::Ones(n_)};
  }

  std::vector<double> run() {
    const double cost = now_.alpha(0) + now_.room(0);
    for (int step = 0; step < kMostSteps && !take_step(); ++step) {
    }
    std::vector<double> alpha(now_.alpha.begin(), now_.alpha.end());
    for (Index i = 0; i < n_; ++i) {
      if (now_.alpha(i) < now_.low(i)) alpha[i] = 0.0;
      if (now_.room(i) < now_.high(i)) alpha[i] = cost;
    }
    return alpha;
  }

 private:
  /// true if there is nothing left to gain.
  bool take_step() {
    const Vector product = (q_ * now_.alpha.matrix()).array();
    dual_rest_ = 1.0 - product - now_.bias * y_ + now_.low - now_.high;
    balance_rest_ = -(y_ * now_.alpha).sum();
    const double gap = (now_.low * now_.alpha + now_.high * now_.room).sum();
    const double objective = std::abs(now_.alpha.sum() - 0.5 * (now_.alpha * product).sum());
    if (gap <= kGap * (1.0 + objective) && dual_rest_.abs().maxCoeff() <= kGap * (1.0 + objective))
      return true;
    Eigen::MatrixXd system = q_;
    system.diagonal().array() += now_.low / now_.alpha + now_.high / now_.room;
    factor_.compute(system);
    if (factor_.info() != Eigen::Success) return true;
    const double mean = gap / static_cast<double>(2 * n_);
    const Direction predicted = direction(-now_.low * now_.alpha, -now_.high * now_.room);
    const double reach = longest_share(predicted);
    const double reached =
        ((now_.low + reach * predicted.low) * (now_.alpha + reach * predicted.alpha) +
         (now_.high + reach * predicted.high) * (now_.room - reach * predicted.alpha))
            .sum() /
        static_cast<double>(2 * n_);
    const double centre = std::pow(reached / mean, 3) * mean;
    const Direction corrected =
        direction(centre - now_.low * now_.alpha - predicted.alpha * predicted.low,
                  centre - now_.high * now_.room + predicted.alpha * predicted.high);
    move(corrected, kBeforeBounds * longest_share(corrected));
    return false;
  }

  /// Newton's, towards low * alpha and high * room that change as given.
  Direction direction(const Vector& of_low, const Vector& of_high) const {
    const Vector rest = dual_rest_ + of_low / now_.alpha - of_high / now_.room;
    const Vector by_rest = factor_.solve(rest.matrix()).array();
    const Vector by_signs = factor_.solve(y_.matrix()).array();
    Direction found;
    found.bias = ((y_ * by_rest).sum() - balance_rest_) / (y_ * by_signs).sum();
    found.alpha = by_rest - found.bias * by_signs;
    found.low = (of_low - now_.low * found.alpha) / now_.alpha;
    found.high = (of_high + now_.high * found.alpha) / now_.room;
    return found;
  }

  double longest_share(const Direction& way) const {
    double share = 1.0 / kBeforeBounds;
    const auto limit = [&](const Vector& value, const Vector& change) {
      for (Index i = 0; i < n_; ++i)
        if (change(i) < 0.0) share = std::min(share, -value(i) / change(i));
    };
    limit(now_.alpha, way.alpha);
    limit(now_.room, -way.alpha);
    limit(now_.low, way.low);
    limit(now_.high, way.high);
    return share;
  }

  void move(const Direction& way, double share) {
    now_.alpha += share * way.alpha;
    now_.room -= share * way.alpha;
    now_.low += share * way.low;
    now_.high += share * way.high;
    now_.bias += share * way.bias;
  }

  Index n_;
  Vector y_;
  Eigen::MatrixXd q_;
  Point now_;
  Vector dual_rest_;
  double balance_rest_ = 0.0;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace

std::vector<double> svm_interior_point(std::span<const double> kernel,
                                       std::span<const double> signs, double cost) {
  return InteriorPoint(kernel, signs, cost).run();
}

}  // namespace tamis
