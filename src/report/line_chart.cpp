#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/svg.hpp"
#include "report/svg_chart.hpp"

namespace tamis {
namespace {

constexpr double kLeft = 58.0;
constexpr double kRight = kWidth - 14.0;
constexpr double kTop = 14.0;
constexpr double kBottom = 262.0;
constexpr double kHeight = kBottom + 46.0;

/// Besides its colour a line is known by the shape of its marks.
constexpr std::array<std::string_view, 4> kShapes{
    "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0z", "M-3 -3h6v6h-6z", "M0 -4.2l4 7h-8z",
    "M0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z"};

std::string shape_of(Index place) {
  return std::string(kShapes[static_cast<std::size_t>(place) % kShapes.size()]);
}

std::string kind_of(Index place, bool is_control) {
  return fmt::format("line {}{}", tone_class(place), is_control ? " control" : "");
}

struct Extent {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct Frame {
  Ticks x_ticks;
  Ticks y_ticks;
  Scale x;
  Scale y;
};

Frame frame_of(const LineChart& chart) {
  const bool is_logarithmic = chart.spacing == Spacing::logarithmic;
  Extent x;
  Extent y;
  for (const LineChart::Line& line : chart.lines)
    for (const LineChart::Mark& mark : line.marks) {
      if (!line.is_level) x.include(mark.x);
      for (const double end : {mark.y - mark.deviation, mark.y + mark.deviation})
        if (!is_logarithmic || end > 0.0) y.include(end);
    }
  if (x.low > x.high) x = {0.0, 1.0};
  if (y.low > y.high) y = {is_logarithmic ? 0.1 : 0.0, 1.0};
  const Ticks x_ticks = integer_ticks(x.low, x.high, 6);
  const Ticks y_ticks =
      is_logarithmic ? logarithmic_ticks(y.low, y.high) : linear_ticks(y.low, y.high, 5);
  return {x_ticks, y_ticks, Scale(x_ticks.values.front(), x_ticks.values.back(), kLeft, kRight),
          Scale(y_ticks.values.front(), y_ticks.values.back(), kBottom, kTop, chart.spacing)};
}

Html vertical_axis(const Frame& frame, const std::string& title) {
  Html axis;
  for (std::size_t t = 0; t < frame.y_ticks.values.size(); ++t) {
    const double y = frame.y(frame.y_ticks.values[t]);
    axis += line(kLeft, y, kRight, y, "grid");
    axis += label(kLeft - 7.0, y + 4.5, Anchor::end, frame.y_ticks.texts[t], "tick");
  }
  const double middle = (kTop + kBottom) / 2.0;
  axis += element("text",
                  {{"x", 0.0},
                   {"y", 0.0},
                   {"text-anchor", "middle"},
                   {"class", "title"},
                   {"transform", fmt::format("translate(14 {:g}) rotate(-90)", middle)}},
                  title);
  return axis;
}

Html band_of(const LineChart::Line& line, const Frame& frame) {
  if (line.marks.size() < 2) return {};
  std::string outline;
  for (const LineChart::Mark& mark : line.marks)
    outline +=
        command(outline.empty() ? 'M' : 'L', frame.x(mark.x), frame.y(mark.y + mark.deviation));
  for (auto mark = line.marks.rbegin(); mark != line.marks.rend(); ++mark)
    outline += command('L', frame.x(mark->x), frame.y(mark->y - mark->deviation));
  return path(outline + "z", "band");
}

Html stroke_of(const LineChart::Line& line, const Frame& frame) {
  std::string commands;
  if (line.is_level && !line.marks.empty()) {
    const double y = frame.y(line.marks.front().y);
    commands = command('M', kLeft, y) + command('L', kRight, y);
  } else {
    for (const LineChart::Mark& mark : line.marks)
      commands += command(commands.empty() ? 'M' : 'L', frame.x(mark.x), frame.y(mark.y));
  }
  return commands.empty() ? Html() : path(commands, "stroke");
}

Html marks_of(const LineChart::Line& line, Index place, const Frame& frame) {
  Html marks;
  for (const LineChart::Mark& mark : line.marks) {
    const double x = line.is_level ? kRight : frame.x(mark.x);
    const double y = frame.y(mark.y);
    if (line.chosen == mark.x)
      marks += leaf("circle", {{"cx", x}, {"cy", y}, {"r", 7.5}, {"class", "chosen"}});
    marks += path(command('M', x, y) + "m" + shape_of(place).substr(1), "mark");
  }
  return marks;
}

/// Colour and mark.
Html legend_key(Index place, bool is_control) {
  return element("svg", {{"viewBox", "0 0 30 12"}, {"class", "key"}, {"aria-hidden", "true"}},
                 element("g", {{"class", kind_of(place, is_control)}}, path("M1 6L29 6", "stroke"),
                         path("M15 6m" + shape_of(place).substr(1), "dot")));
}

}  // namespace

std::string tone_class(Index place) { return fmt::format("tone{}", place % kTones); }

Html legend_item(const LineChart::Line& line, Index place) {
  Html name = line.name;
  if (line.chosen)
    name += element("span", {{"class", "small"}}, fmt::format("k = {:g}", *line.chosen));
  return element(
      "li", {},
      element("button", {{"type", "button"}, {"aria-pressed", "true"}, {"data-line", place}},
              legend_key(place, line.is_control), element("span", {}, name)));
}

Html draw(const LineChart& chart) {
  const Frame frame = frame_of(chart);
  Html content = vertical_axis(frame, chart.y_title);
  content += horizontal_axis(frame.x_ticks, frame.x, kTop, kBottom, {kLeft, kRight}, chart.x_title);
  for (Index place = 0; place < std::ssize(chart.lines); ++place) {
    const LineChart::Line& line = chart.lines[place];
    content += element("g", {{"class", kind_of(place, line.is_control)}, {"data-line", place}},
                       band_of(line, frame), stroke_of(line, frame), marks_of(line, place, frame));
  }
  return picture(kHeight, chart.description, content);
}

}  // namespace tamis
