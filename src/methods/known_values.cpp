#include "methods/known_values.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {

RowVectors standard_values(const Knowledge& known) {
  RowVectors values{1, {}};
  for (const Index row : valued_rows(known)) values.values.push_back(known.values[row]);
  center(values);
  double largest = 0.0;  // squares of tiny numbers would vanish
  for (const double value : values.values) largest = std::max(largest, std::abs(value));
  for (double& value : values.values) value /= largest;
  multiply_all(values, 1.0 / std::sqrt(mean_squared_length(values)));
  return values;
}

}  // namespace tamis
