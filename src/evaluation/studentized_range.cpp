#include "evaluation/studentized_range.hpp"

#include <fmt/format.h>

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Normal density beyond this is below the rounding of a sum to 1.
constexpr double kNormalEnd = 8.5;
constexpr int kPanels = 24;

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double normal_density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

/// The integrand is smooth on the scale of a panel.
template <class F>
double integrate(const F& f, double low, double high) {
  double sum = 0.0;
  const double width = (high - low) / kPanels;
  for (int panel = 0; panel < kPanels; ++panel)
    sum += boost::math::quadrature::gauss<double, 15>::integrate(f, low + panel * width,
                                                                 low + (panel + 1) * width);
  return sum;
}

/// P(range < q) = k int phi(z) (Phi(z) - Phi(z - q))^(k-1) dz, z being the largest of k values.
double range_cdf(double q, double groups) {
  return groups * integrate(
                      [&](double z) {
                        const double inside = normal_cdf(z) - normal_cdf(z - q);
                        return normal_density(z) * std::pow(inside, groups - 1.0);
                      },
                      -kNormalEnd, kNormalEnd);
}

/// Density of sqrt(chi^2_v / v) at s.
double deviation_density(double s, double v) {
  const double half = 0.5 * v;
  return s <= 0.0 ? 0.0
                  : 2.0 * std::exp(half * std::log(half) - std::lgamma(half) +
                                   (v - 1.0) * std::log(s) - half * s * s);
}

void check(Index groups, double freedom) {
  if (groups < 2)
    throw InvalidArgument(fmt::format("a range needs at least 2 groups, not {}", groups));
  if (!(freedom >= 1.0))
    throw InvalidArgument(fmt::format("degrees of freedom = {} is not in [1, inf]", freedom));
}

}  // namespace

double studentized_range_cdf(double q, Index groups, double freedom) {
  check(groups, freedom);
  if (std::isnan(q)) throw InvalidArgument("a range cannot be compared with nan");
  if (q <= 0.0) return 0.0;
  const auto k = static_cast<double>(groups);
  if (std::isinf(freedom)) return std::min(1.0, range_cdf(q, k));
  const double reach = 12.0 / std::sqrt(2.0 * freedom);
  const double mixed =
      integrate([&](double s) { return deviation_density(s, freedom) * range_cdf(q * s, k); },
                std::max(0.0, 1.0 - reach), 1.0 + reach);
  return std::min(1.0, mixed);
}

double studentized_range_quantile(double probability, Index groups, double freedom) {
  check(groups, freedom);
  if (!(probability > 0.0 && probability < 1.0))
    throw InvalidArgument(fmt::format("probability = {} is not in (0, 1)", probability));
  const auto excess = [&](double q) {
    return studentized_range_cdf(q, groups, freedom) - probability;
  };
  double high = 1.0;
  while (excess(high) < 0.0) high *= 2.0;
  std::uintmax_t steps = 100;
  const auto [low, top] = boost::math::tools::toms748_solve(
      excess, 0.0, high, boost::math::tools::eps_tolerance<double>(40), steps);
  return 0.5 * (low + top);
}

}  // namespace tamis
