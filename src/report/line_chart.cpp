#include <fmt/format.h>

#include "report/plot_area.hpp"
#include "report/svg.hpp"
#include "report/svg_chart.hpp"

namespace tamis {
namespace {

PlotArea area_of(const LineChart& chart) {
  const bool is_logarithmic = chart.spacing == Spacing::logarithmic;
  Extent x;
  Extent y;
  for (const LineChart::Line& line : chart.lines)
    for (const LineChart::Mark& mark : line.marks) {
      if (!line.is_level) x.include(mark.x);
      for (const double end : {mark.y - mark.deviation, mark.y + mark.deviation})
        if (!is_logarithmic || end > 0.0) y.include(end);
    }
  x = x.or_unit();
  if (is_logarithmic && y.low > y.high) y = {0.1, 1.0};
  y = y.or_unit();
  return {chart.counts ? integer_ticks(x.low, x.high, 6) : linear_ticks(x.low, x.high, 6),
          is_logarithmic ? logarithmic_ticks(y.low, y.high) : linear_ticks(y.low, y.high, 5),
          chart.spacing};
}

Html band_of(const LineChart::Line& line, const PlotArea& area) {
  if (line.marks.size() < 2) return {};
  std::string outline;
  for (const LineChart::Mark& mark : line.marks)
    outline +=
        command(outline.empty() ? 'M' : 'L', area.x(mark.x), area.y(mark.y + mark.deviation));
  for (auto mark = line.marks.rbegin(); mark != line.marks.rend(); ++mark)
    outline += command('L', area.x(mark->x), area.y(mark->y - mark->deviation));
  return path(outline + "z", "band");
}

Html stroke_of(const LineChart::Line& line, const PlotArea& area) {
  std::string commands;
  if (line.is_level && !line.marks.empty()) {
    const double y = area.y(line.marks.front().y);
    commands = command('M', PlotArea::kLeft, y) + command('L', PlotArea::kRight, y);
  } else {
    for (const LineChart::Mark& mark : line.marks)
      commands += command(commands.empty() ? 'M' : 'L', area.x(mark.x), area.y(mark.y));
  }
  return commands.empty() ? Html() : path(commands, "stroke");
}

Html marks_of(const LineChart::Line& line, Index place, const PlotArea& area) {
  Html marks;
  for (const LineChart::Mark& mark : line.marks) {
    const double x = line.is_level ? PlotArea::kRight : area.x(mark.x);
    const double y = area.y(mark.y);
    if (line.chosen == mark.x)
      marks += leaf("circle", {{"cx", x}, {"cy", y}, {"r", 7.5}, {"class", "chosen"}});
    marks += mark_at(x, y, place);
  }
  return marks;
}

/// Colour and mark.
Html legend_key(Index place, bool is_control) {
  return element("svg", {{"viewBox", "0 0 30 12"}, {"class", "key"}, {"aria-hidden", "true"}},
                 element("g", {{"class", line_class(place, is_control)}},
                         path("M1 6L29 6", "stroke"), mark_at(15.0, 6.0, place, "dot")));
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
  const PlotArea area = area_of(chart);
  Html content = area.axes(chart.x_title, chart.y_title);
  for (Index place = 0; place < std::ssize(chart.lines); ++place) {
    const LineChart::Line& line = chart.lines[place];
    Html parts = band_of(line, area);
    parts += stroke_of(line, area);
    parts += marks_of(line, place, area);
    content += line_group(place, line.is_control, parts);
  }
  return picture(PlotArea::kHeight, chart.description, content);
}

}  // namespace tamis
