#include <algorithm>

#include "report/svg.hpp"
#include "report/svg_chart.hpp"
#include "report/text.hpp"

namespace tamis {
namespace {

constexpr double kLeft = 12.0;
constexpr double kTop = 6.0;
constexpr double kRow = 23.0;
constexpr double kLabelSpace = 300.0;  // what the deepest node keeps for its text
constexpr double kLargestIndent = 18.0;

std::vector<Index> depths(const TreeChart& chart) {
  std::vector<Index> depth;
  for (const TreeChart::Node& node : chart.nodes)
    depth.push_back(node.parent ? depth[*node.parent] + 1 : 0);
  return depth;
}

double middle_of(Index node) { return kTop + kRow * (static_cast<double>(node) + 0.5); }

Html text_of(const TreeChart::Node& node, double x, double y) {
  const double room = (kWidth - x) / kLargestText;
  const std::string name = shortened(node.label, node.note.empty() ? room : room * 0.5);
  const std::string note = shortened(node.note, std::max(room - text_width(name) - 1.0, 2.0));
  Html text = element("tspan", {{"class", node.is_filled ? "kept" : "gone"}}, name);
  if (!note.empty()) text += element("tspan", {{"class", "note"}, {"dx", 8.0}}, note);
  return element("text", {{"x", x}, {"y", y}, {"class", "label"}}, text);
}

}  // namespace

Html draw(const TreeChart& chart) {
  const std::vector<Index> depth = depths(chart);
  const Index deepest = depth.empty() ? 0 : std::ranges::max(depth);
  const double indent =
      std::min(kLargestIndent,
               (kWidth - kLeft - kLabelSpace) / static_cast<double>(std::max<Index>(deepest, 1)));
  const auto x_of = [&](Index node) { return kLeft + indent * static_cast<double>(depth[node]); };
  Html edges;
  Html nodes;
  for (Index i = 0; i < std::ssize(chart.nodes); ++i) {
    const TreeChart::Node& node = chart.nodes[i];
    const double y = middle_of(i);
    if (node.parent)
      edges +=
          leaf("path", {{"d", command('M', x_of(*node.parent), middle_of(*node.parent)) +
                                  command('L', x_of(*node.parent), y) + command('L', x_of(i), y)},
                        {"stroke-width", 1.0 + 2.5 * node.strength},
                        {"class", node.has_strong_edge ? "edge strong" : "edge"}});
    nodes += leaf("circle", {{"cx", x_of(i)},
                             {"cy", y},
                             {"r", 5.0},
                             {"class", node.is_filled ? "mark kept" : "mark gone"}});
    nodes += text_of(node, x_of(i) + 11.0, y + 4.5);
  }
  Html content = edges;
  content += nodes;
  return picture(kTop * 2.0 + kRow * static_cast<double>(chart.nodes.size()), chart.description,
                 content);
}

}  // namespace tamis
