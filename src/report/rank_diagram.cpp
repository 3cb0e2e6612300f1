#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/svg.hpp"
#include "report/svg_chart.hpp"
#include "report/text.hpp"

namespace tamis {
namespace {

constexpr double kLeft = 158.0;
constexpr double kTop = 44.0;
constexpr double kRow = 25.0;
constexpr double kGroup = 11.0;

double row_middle(Index method) { return kTop + kRow * (static_cast<double>(method) + 0.5); }

/// The critical difference as a length on the axis.
Html ruler(const RankDiagram& diagram, const Scale& x) {
  const double from = x(1.0);
  const double to = x(1.0 + diagram.critical_difference);
  Html whole = line(from, 28.0, to, 28.0, "ruler");
  whole += line(from, 23.0, from, 33.0, "ruler");
  whole += line(to, 23.0, to, 33.0, "ruler");
  whole += label(from, 17.0, Anchor::start,
                 fmt::format("critical difference {:.2f}", diagram.critical_difference), "tick");
  return whole;
}

}  // namespace

std::vector<std::pair<Index, Index>> groups_of_equals(const RankDiagram& diagram) {
  std::vector<std::pair<Index, Index>> groups;
  const auto& methods = diagram.methods;
  for (Index first = 0; first < std::ssize(methods); ++first) {
    Index last = first;
    while (last + 1 < std::ssize(methods) &&
           methods[last + 1].average_rank - methods[first].average_rank <=
               diagram.critical_difference)
      ++last;
    if (last > first && (groups.empty() || last > groups.back().second))
      groups.emplace_back(first, last);
  }
  return groups;
}

Html draw(const RankDiagram& chart) {
  const auto groups = groups_of_equals(chart);
  const auto n_methods = static_cast<double>(chart.methods.size());
  const double right = kWidth - 58.0 - kGroup * static_cast<double>(groups.size());
  const double bottom = kTop + kRow * n_methods;
  const Ticks ticks = integer_ticks(1.0, std::max(n_methods, 2.0), 8);
  const Scale x(1.0, std::max(ticks.values.back(), 1.0 + chart.critical_difference), kLeft, right);
  Html content = horizontal_axis(ticks_within(ticks, 1.0, ticks.values.back()), x, kTop, bottom,
                                 {kLeft, right}, "average rank (1 is best)");
  content += ruler(chart, x);
  for (Index method = 0; method < std::ssize(chart.methods); ++method) {
    const auto& [name, rank] = chart.methods[method];
    const double y = row_middle(method);
    content += element(
        "g", {{"class", "row tone0"}},
        label(kLeft - 10.0, y + 4.5, Anchor::end, shortened(name, (kLeft - 14.0) / kLargestText)),
        line(x(1.0), y, x(rank), y, "stem"),
        leaf("circle", {{"cx", x(rank)}, {"cy", y}, {"r", 5.5}, {"class", "mark"}}),
        label(right + 8.0, y + 4.5, Anchor::start, fmt::format("{:.2f}", rank), "value"));
  }
  double column = right + 58.0;
  for (const auto& [first, last] : groups) {
    content +=
        line(column - 6.0, row_middle(first) - 7.0, column - 6.0, row_middle(last) + 7.0, "group");
    column += kGroup;
  }
  return picture(bottom + 46.0, chart.description, content);
}

}  // namespace tamis
