#pragma once

#include <string>
#include <vector>

namespace tamis {

enum class Spacing { linear, logarithmic };

/// Round numbers along an axis, ascending; the first and the last enclose the data.
struct Ticks {
  std::vector<double> values = {};
  std::vector<std::string> texts = {};
};

/// About `count` steps of 1, 2 or 5 times a power of ten. Data without extent get some around them.
Ticks linear_ticks(double low, double high, int count);

/// The same, but never a fraction.
Ticks integer_ticks(double low, double high, int count);

/// Powers of ten, at most six; 1, 2, 5 and 10 times one of them if that is enough. Needs 0 < low <=
/// high.
Ticks logarithmic_ticks(double low, double high);

/// The ticks that lie on an axis from low to high.
Ticks ticks_within(const Ticks& ticks, double low, double high);

/// Takes values to places on the page. Values outside of the axis are put at its end; `first` may
/// be the larger of the two.
class Scale {
 public:
  Scale(double first, double last, double from, double to, Spacing spacing = Spacing::linear);
  double operator()(double value) const;

 private:
  double first_;
  double last_;
  double from_;
  double to_;
  Spacing spacing_;
};

}  // namespace tamis
