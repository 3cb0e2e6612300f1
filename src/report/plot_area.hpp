#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "report/axis.hpp"
#include "report/svg.hpp"
#include "tamis/core/index.hpp"

/// What charts with two axes share.
namespace tamis {

struct Extent {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// What was included; 0 to 1 if nothing was.
  Extent or_unit() const { return low > high ? Extent{0.0, 1.0} : *this; }
};

/// Where values are on the page, and the axes that say so.
class PlotArea {
 public:
  static constexpr double kLeft = 58.0;
  static constexpr double kRight = kWidth - 14.0;
  static constexpr double kTop = 14.0;
  static constexpr double kBottom = 262.0;
  static constexpr double kHeight = kBottom + 46.0;

  PlotArea(Ticks x_ticks, Ticks y_ticks, Spacing y_spacing = Spacing::linear);

  double x(double value) const { return x_(value); }
  double y(double value) const { return y_(value); }
  Html axes(const std::string& x_title, const std::string& y_title) const;

 private:
  Ticks x_ticks_;
  Ticks y_ticks_;
  Scale x_;
  Scale y_;
};

/// The class of what belongs to entry `place` of a legend: its colour; controls are dashed.
std::string line_class(Index place, bool is_control);

/// What that entry shows and hides.
Html line_group(Index place, bool is_control, const Html& content);

/// A mark in the shape of that entry: besides its colour it is known by that.
Html mark_at(double x, double y, Index place, const std::string& kind = "mark");

}  // namespace tamis
