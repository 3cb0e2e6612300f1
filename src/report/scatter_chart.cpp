#include <algorithm>
#include <cmath>

#include "report/plot_area.hpp"
#include "report/svg_chart.hpp"

namespace tamis {

Html draw(const ScatterChart& chart) {
  Extent x;
  Extent y;
  for (const ScatterChart::Group& group : chart.groups)
    for (const ScatterChart::Point& point : group.marks) {
      x.include(point.x);
      y.include(point.y);
    }
  const PlotArea area(linear_ticks(x.or_unit().low, x.or_unit().high, 6),
                      linear_ticks(y.or_unit().low, y.or_unit().high, 5));
  Html content = area.axes(chart.x_title, chart.y_title);
  Index place = 0;
  Html groups;
  for (const ScatterChart::Group& group : chart.groups) {
    Html marks;
    for (const ScatterChart::Point& point : group.marks)
      marks += mark_at(area.x(point.x), area.y(point.y), place);
    groups += line_group(place++, /*is_control=*/false, marks);
  }
  for (const ScatterChart::Links& links : chart.links) {
    std::string commands;
    for (const auto& [from, to] : links.ends)
      commands +=
          command('M', area.x(from.x), area.y(from.y)) + command('L', area.x(to.x), area.y(to.y));
    content += line_group(place++, links.is_dashed, path(commands, "stroke"));
  }
  content += groups;  // marks above links
  return picture(PlotArea::kHeight, chart.description, content);
}

}  // namespace tamis
