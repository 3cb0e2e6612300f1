#include "report/svg.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "report/text.hpp"

namespace tamis {

Html picture(double height, const std::string& description, const Html& content) {
  return element("svg",
                 {{"viewBox", fmt::format("0 0 {:g} {:g}", kWidth, height)},
                  {"role", "img"},
                  {"tabindex", "0"},
                  {"aria-label", description}},
                 content);
}

Html label(double x, double y, Anchor anchor, const std::string& text, const std::string& kind) {
  static constexpr std::array<std::string_view, 3> kAnchors{"start", "middle", "end"};
  return element("text",
                 {{"x", x},
                  {"y", y},
                  {"text-anchor", kAnchors[static_cast<std::size_t>(anchor)]},
                  {"class", kind}},
                 text);
}

Html line(double x1, double y1, double x2, double y2, const std::string& kind) {
  return leaf("line", {{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}, {"class", kind}});
}

Html path(const std::string& commands, const std::string& kind) {
  return leaf("path", {{"d", commands}, {"class", kind}});
}

std::string command(char letter, double x, double y) {
  return fmt::format("{}{} {}", letter, Attribute("", x).value, Attribute("", y).value);
}

Html horizontal_axis(const Ticks& ticks, const Scale& scale, double top, double bottom, Span span,
                     const std::string& title) {
  Html axis;
  double last_place = -HUGE_VAL;
  double last_width = 0.0;
  for (std::size_t t = 0; t < ticks.values.size(); ++t) {
    const double x = scale(ticks.values[t]);
    const double width = text_width(ticks.texts[t]) * kLargestText;
    axis += line(x, top, x, bottom, "grid");
    // A number that would touch the one before is left out.
    if (std::abs(x - last_place) < (width + last_width) / 2.0 + 4.0) continue;
    axis += label(x, bottom + 17.0, Anchor::middle, ticks.texts[t], "tick");
    last_place = x;
    last_width = width;
  }
  axis += label((span.from + span.to) / 2.0, bottom + 38.0, Anchor::middle, title, "title");
  return axis;
}

}  // namespace tamis
