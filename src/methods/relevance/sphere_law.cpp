#include "methods/relevance/sphere_law.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "linalg/eigenpairs.hpp"
#include "linalg/gemm.hpp"

namespace tamis {
namespace {

/// ln Phi(y).
double log_normal_cdf(double y) {
  const double tail = 0.5 * std::erfc(std::abs(y) / std::numbers::sqrt2);
  return y > 0.0 ? std::log1p(-tail) : std::log(tail);
}

}  // namespace

/// K(zeta) = -1/2 sum_i ln(1 - 2 zeta lambda_i) of lambda_i = s_i - x, `dimension` of them, and its
/// derivatives. K' grows from -inf to inf between the poles.
struct SphereLaw::Saddle {
  Saddle(const SphereLaw& of_law, double at)
      : law(of_law),
        x(at),
        zeros(static_cast<double>(law.dimension_ - std::ssize(law.eigenvalues_))),
        low(-0.5 / (x - (zeros > 0.0 ? 0.0 : law.eigenvalues_.back()))),
        high(0.5 / (law.eigenvalues_.front() - x)) {}

  double value(double zeta) const {
    double sum = zeros * std::log1p(2.0 * zeta * x);
    for (const double s : law.eigenvalues_) sum += std::log1p(-2.0 * zeta * (s - x));
    return -0.5 * sum;
  }
  void derivatives(double zeta, double& first, double& second) const {
    const double of_zeros = -x / (1.0 + 2.0 * zeta * x);
    first = zeros * of_zeros;
    second = 2.0 * zeros * of_zeros * of_zeros;
    for (const double s : law.eigenvalues_) {
      const double term = (s - x) / (1.0 - 2.0 * zeta * (s - x));
      first += term;
      second += 2.0 * term * term;
    }
  }
  /// Where K' = 0, by Newton's method within what is known to hold it, else by halving that.
  double root() const {
    double left = low;
    double right = high;
    double zeta = 0.0;
    for (int step = 0; step < 200; ++step) {
      double first = 0.0;
      double second = 0.0;
      derivatives(zeta, first, second);
      (first < 0.0 ? left : right) = zeta;
      double next = zeta - first / second;
      if (!(next > left && next < right)) next = 0.5 * (left + right);
      const double change = std::abs(next - zeta);
      zeta = next;
      if (change <= 1e-14 * std::abs(zeta)) break;
    }
    return zeta;
  }

  const SphereLaw& law;
  double x;
  double zeros;  ///< eigenvalues that are 0
  double low;    ///< poles of K'
  double high;
};

SphereLaw::SphereLaw(std::vector<double> eigenvalues, Index dimension)
    : eigenvalues_(std::move(eigenvalues)), dimension_(dimension) {
  std::ranges::sort(eigenvalues_, std::greater());
  std::erase_if(eigenvalues_, [](double s) { return !(s > 0.0); });
  if (std::ssize(eigenvalues_) > dimension_) eigenvalues_.resize(std::max<Index>(0, dimension_));
  for (const double s : eigenvalues_) mean_ += s / static_cast<double>(dimension_);
}

double SphereLaw::log_tail(double x) const {
  constexpr double kAtTheMean = 1e-4;
  constexpr double kBesideTheMean = 3e-4;
  // On a line every direction is the same one.
  if (x <= 0.0 || eigenvalues_.empty() || dimension_ <= 1) return 0.0;
  const bool has_zeros = std::ssize(eigenvalues_) < dimension_;
  if (!has_zeros && x <= eigenvalues_.back()) return 0.0;
  if (x >= eigenvalues_.front()) return kLeastLogP;
  if (std::abs(x - mean_) < kAtTheMean * mean_)
    return 0.5 * (saddle_point_tail(mean_ * (1.0 - kBesideTheMean)) +
                  saddle_point_tail(mean_ * (1.0 + kBesideTheMean)));
  return saddle_point_tail(x);
}

double SphereLaw::saddle_point_tail(double x) const {
  const Saddle saddle(*this, x);
  const double zeta = saddle.root();
  double first = 0.0;
  double second = 0.0;
  saddle.derivatives(zeta, first, second);
  const double w = std::copysign(std::sqrt(-2.0 * saddle.value(zeta)), zeta);
  const double v = zeta * std::sqrt(second);
  return std::max(kLeastLogP, log_normal_cdf(-w - std::log(v / w) / w));
}

SphereLaw law_of_squares(std::span<const double> squares, Index dimension) {
  if (squares.empty()) return SphereLaw({}, dimension);
  const auto width = static_cast<Index>(std::lround(std::sqrt(squares.size())));
  return SphereLaw(eigenvalues(squares, width), dimension);
}

SphereLaw law_of(const RowVectors& target, Index dimension) {
  const Index width = target.width;
  std::vector<double> products(width * width, 0.0);
  if (width > 0) add_cross_products(target.values.data(), target.rows(), width, products.data());
  return law_of_squares(products, dimension);
}

}  // namespace tamis
