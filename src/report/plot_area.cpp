#include "report/plot_area.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "report/svg_chart.hpp"

namespace tamis {
namespace {

constexpr std::array<std::string_view, 4> kShapes{
    "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0z", "m-3 -3h6v6h-6z", "m0 -4.2l4 7h-8z",
    "m0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z"};

}  // namespace

PlotArea::PlotArea(Ticks x_ticks, Ticks y_ticks, Spacing y_spacing)
    : x_ticks_(std::move(x_ticks)),
      y_ticks_(std::move(y_ticks)),
      x_(x_ticks_.values.front(), x_ticks_.values.back(), kLeft, kRight),
      y_(y_ticks_.values.front(), y_ticks_.values.back(), kBottom, kTop, y_spacing) {}

Html PlotArea::axes(const std::string& x_title, const std::string& y_title) const {
  Html axes;
  for (std::size_t t = 0; t < y_ticks_.values.size(); ++t) {
    const double y = y_(y_ticks_.values[t]);
    axes += line(kLeft, y, kRight, y, "grid");
    axes += label(kLeft - 7.0, y + 4.5, Anchor::end, y_ticks_.texts[t], "tick");
  }
  axes += element(
      "text",
      {{"x", 0.0},
       {"y", 0.0},
       {"text-anchor", "middle"},
       {"class", "title"},
       {"transform", fmt::format("translate(14 {:g}) rotate(-90)", (kTop + kBottom) / 2.0)}},
      y_title);
  axes += horizontal_axis(x_ticks_, x_, kTop, kBottom, {kLeft, kRight}, x_title);
  return axes;
}

std::string line_class(Index place, bool is_control) {
  return fmt::format("line {}{}", tone_class(place), is_control ? " control" : "");
}

Html line_group(Index place, bool is_control, const Html& content) {
  return element("g", {{"class", line_class(place, is_control)}, {"data-line", place}}, content);
}

Html mark_at(double x, double y, Index place, const std::string& kind) {
  const std::string_view shape = kShapes[static_cast<std::size_t>(place) % kShapes.size()];
  return path(command('M', x, y) + std::string(shape), kind);
}

}  // namespace tamis
