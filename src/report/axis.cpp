#include "report/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tamis {
namespace {

/// multiple * 10^exponent, so that ticks are computed without drift.
struct Step {
  double multiple;
  int exponent;

  double times(double count) const {
    const double product = count * multiple;
    return exponent >= 0 ? product * std::pow(10.0, exponent) : product / std::pow(10.0, -exponent);
  }
};

Step round_step(double rough) {
  const int exponent = static_cast<int>(std::floor(std::log10(rough)));
  const double fraction = rough / std::pow(10.0, exponent);
  for (const double multiple : {1.0, 2.0, 5.0})
    if (fraction <= multiple * 1.0001) return {multiple, exponent};
  return {1.0, exponent + 1};
}

std::string tick_text(double value, int decimals) {
  const double size = std::abs(value);
  if (size >= 1e6 || decimals > 5) return fmt::format("{:.4g}", value);
  return fmt::format("{:.{}f}", value == 0.0 ? 0.0 : value, std::max(decimals, 0));
}

Ticks ticks_of(double low, double high, Step step) {
  Ticks ticks;
  const double size = step.times(1.0);
  const double first = std::floor(low / size + 1e-9);
  const double last = std::max(std::ceil(high / size - 1e-9), first + 1.0);
  for (double count = first; count <= last; count += 1.0) {
    ticks.values.push_back(step.times(count));
    ticks.texts.push_back(tick_text(ticks.values.back(), -step.exponent));
  }
  return ticks;
}

/// Room around a single value.
void widen(double& low, double& high) {
  if (high > low) return;
  const double room = low == 0.0 ? 1.0 : std::abs(low) * 0.1;
  low -= room;
  high += room;
}

}  // namespace

Ticks linear_ticks(double low, double high, int count) {
  widen(low, high);
  return ticks_of(low, high, round_step((high - low) / count));
}

Ticks integer_ticks(double low, double high, int count) {
  const Step step = round_step(std::max((high - low) / count, 1.0));
  return ticks_of(low, high, step);
}

Ticks logarithmic_ticks(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = std::max(static_cast<int>(std::ceil(std::log10(high) - 1e-9)), first + 1);
  const int stride = (last - first) / 5 + 1;
  Ticks ticks;
  const auto add = [&](double multiple, int exponent) {
    ticks.values.push_back(Step{multiple, exponent}.times(1.0));
    ticks.texts.push_back(fmt::format("{:g}", ticks.values.back()));
  };
  for (int exponent = first; exponent < last; exponent += stride) {
    add(1.0, exponent);
    if (last - first > 1) continue;
    add(2.0, exponent);
    add(5.0, exponent);
  }
  add(1.0, first + (last - first + stride - 1) / stride * stride);
  return ticks;
}

Ticks ticks_within(const Ticks& ticks, double low, double high) {
  const double slack = (high - low) * 1e-9;
  Ticks within;
  for (std::size_t t = 0; t < ticks.values.size(); ++t)
    if (ticks.values[t] >= low - slack && ticks.values[t] <= high + slack) {
      within.values.push_back(ticks.values[t]);
      within.texts.push_back(ticks.texts[t]);
    }
  return within;
}

Scale::Scale(double first, double last, double from, double to, Spacing spacing)
    : first_(first), last_(last), from_(from), to_(to), spacing_(spacing) {
  if (spacing_ == Spacing::linear) return;
  first_ = std::log(first);
  last_ = std::log(last);
}

double Scale::operator()(double value) const {
  const double place = spacing_ == Spacing::linear ? value : std::log(value);
  const double share = first_ == last_ ? 1.0 : (place - first_) / (last_ - first_);
  return from_ + std::clamp(share, 0.0, 1.0) * (to_ - from_);
}

}  // namespace tamis
