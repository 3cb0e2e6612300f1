#pragma once

#include <string>

#include "report/axis.hpp"
#include "report/html.hpp"

/// What the charts share. Lengths are in units of the picture; narrow screens show fewer pixels per
/// unit and enlarge the text, for which the layouts leave room.
namespace tamis {

inline constexpr double kWidth = 480.0;
inline constexpr double kLargestText = 15.0;  ///< the font size on a narrow screen

enum class Anchor { start, middle, end };

/// The picture with its description.
Html picture(double height, const std::string& description, const Html& content);

Html label(double x, double y, Anchor anchor, const std::string& text,
           const std::string& kind = "label");
Html line(double x1, double y1, double x2, double y2, const std::string& kind);
Html path(const std::string& commands, const std::string& kind);
/// "M10 20.5", "L30 40"
std::string command(char letter, double x, double y);

/// From one place to another.
struct Span {
  double from;
  double to;
};

/// Grid lines with their numbers, from `top` to `bottom`, and the title below the middle of `span`.
Html horizontal_axis(const Ticks& ticks, const Scale& scale, double top, double bottom, Span span,
                     const std::string& title);

}  // namespace tamis
