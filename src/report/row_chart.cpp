#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/svg.hpp"
#include "report/svg_chart.hpp"
#include "report/text.hpp"

namespace tamis {
namespace {

constexpr double kLeft = 158.0;
constexpr double kRight = kWidth - 88.0;
constexpr double kTop = 8.0;
constexpr double kRow = 23.0;

struct Ends {
  double first;
  double last;
};

Ends ends_of(const RowChart& chart) {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const RowChart::Row& row : chart.rows)
    for (const double value : {row.value, row.low, row.high})
      if (std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
  if (low > high) low = high = 1.0;
  if (chart.shape == RowChart::Shape::bar) low = std::min(low, 0.0);
  return {chart.first.value_or(low), chart.last.value_or(high)};
}

struct Frame {
  Ticks ticks;
  Scale x;
};

Frame frame_of(const RowChart& chart) {
  const auto [first, last] = ends_of(chart);
  const double low = std::min(first, last);
  const double high = std::max(first, last);
  const Ticks ticks = chart.spacing == Spacing::logarithmic ? logarithmic_ticks(low, high)
                                                            : linear_ticks(low, high, 4);
  // Ends that were asked for are kept; others are round.
  const double left = chart.first.value_or(ticks.values.front());
  const double right = chart.last.value_or(ticks.values.back());
  return {ticks_within(ticks, std::min(left, right), std::max(left, right)),
          Scale(left, right, kLeft, kRight, chart.spacing)};
}

Html whisker(const RowChart::Row& row, const Scale& x, double middle) {
  if (std::isnan(row.low) || std::isnan(row.high)) return {};
  const double from = x(row.low);
  const double to = x(row.high);
  Html whole = line(from, middle, to, middle, "whisker");
  whole += line(from, middle - 4.0, from, middle + 4.0, "whisker");
  whole += line(to, middle - 4.0, to, middle + 4.0, "whisker");
  return whole;
}

Html mark_of(const RowChart& chart, const RowChart::Row& row, const Scale& x, double middle) {
  // A row without a value keeps an invisible mark: marks and rows of data go together.
  if (std::isnan(row.value))
    return leaf("rect",
                {{"x", kLeft}, {"y", middle}, {"width", 0.0}, {"height", 0.0}, {"class", "mark"}});
  if (chart.shape == RowChart::Shape::dot)
    return leaf("circle", {{"cx", x(row.value)}, {"cy", middle}, {"r", 5.0}, {"class", "mark"}});
  const double base = x(chart.first.value_or(0.0));
  const double tip = x(row.value);
  return leaf("rect", {{"x", std::min(base, tip)},
                       {"y", middle - 7.5},
                       {"width", std::max(std::abs(tip - base), 1.5)},
                       {"height", 15.0},
                       {"rx", 2.0},
                       {"class", "mark"}});
}

}  // namespace

Html draw(const RowChart& chart) {
  const Frame frame = frame_of(chart);
  const double bottom = kTop + kRow * static_cast<double>(chart.rows.size()) + 2.0;
  Html content =
      horizontal_axis(frame.ticks, frame.x, kTop, bottom, {kLeft, kRight}, chart.axis_title);
  double middle = kTop + kRow / 2.0;
  for (const RowChart::Row& row : chart.rows) {
    const std::string name = shortened(row.label, (kLeft - 12.0) / kLargestText);
    content +=
        element("g", {{"class", "row " + tone_class(row.tone)}},
                label(kLeft - 8.0, middle + 4.5, Anchor::end, name),
                mark_of(chart, row, frame.x, middle), whisker(row, frame.x, middle),
                label(kRight + 8.0, middle + 4.5, Anchor::start, briefly(row.value), "value"));
    middle += kRow;
  }
  return picture(bottom + 46.0, chart.description, content);
}

}  // namespace tamis
