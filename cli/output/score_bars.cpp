#include "cli/output/score_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tamis::cli {
namespace {

/// Of scores whose ratio is larger, the small ones would have no bar that can be told from another.
constexpr double kLargestLinearRatio = 30.0;

struct Extent {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

double power_of_ten_below(double value) { return std::pow(10.0, std::floor(std::log10(value))); }
double power_of_ten_above(double value) { return std::pow(10.0, std::ceil(std::log10(value))); }

}  // namespace

ScoreBars::ScoreBars(const Ranking& ranking, std::span<const Index> shown) : ranking_(ranking) {
  Extent all;
  for (const double score : ranking.scores)
    if (std::isfinite(score)) all.add(score);
  Extent positive;
  for (const Index column : shown)
    if (const double score = ranking.scores[column]; std::isfinite(score) && score > 0.0)
      positive.add(score);
  const bool is_higher = ranking.better == Better::higher;
  is_logarithmic_ = all.low >= 0.0 && positive.high > kLargestLinearRatio * positive.low;
  if (is_logarithmic_) {
    worst_ = is_higher ? power_of_ten_below(positive.low) : power_of_ten_above(positive.high);
    best_ = is_higher ? positive.high : positive.low;
  } else if (all.low <= all.high) {
    worst_ = is_higher ? all.low : all.high;
    best_ = is_higher ? all.high : all.low;
  }
}

double ScoreBars::share(Index column) const {
  const double score = ranking_.scores[column];
  const bool is_higher = ranking_.better == Better::higher;
  if (std::isnan(score)) return 0.0;
  if (std::isinf(score)) return (score > 0) == is_higher ? 1.0 : 0.0;
  if (best_ == worst_) return 1.0;
  if (!is_logarithmic_) return (score - worst_) / (best_ - worst_);
  if (score == 0.0) return is_higher ? 0.0 : 1.0;
  return std::clamp(std::log(score / worst_) / std::log(best_ / worst_), 0.0, 1.0);
}

std::string ScoreBars::head(std::size_t room) const {
  const std::array<std::string, 2> words =
      is_logarithmic_
          ? std::array{fmt::format("logarithmic, from {:g}", worst_), std::string("log")}
          : std::array{std::string("from worst to best"), std::string("to best")};
  const auto fits = std::ranges::find_if(words, [&](const auto& w) { return w.size() <= room; });
  return fits == words.end() ? "" : *fits;
}

std::string_view ScoreBars::style(double share) {
  static constexpr std::array<std::string_view, 4> kFromDarkToBright{"38;5;24", "38;5;31",
                                                                     "38;5;38", "38;5;45"};
  return kFromDarkToBright[static_cast<std::size_t>(std::clamp(share * 4.0, 0.0, 3.0))];
}

}  // namespace tamis::cli
