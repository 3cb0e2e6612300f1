#include "core/column_sorter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "core/random.hpp"

namespace tamis {
namespace {

/// By value, equal ones by place.
std::vector<Index> naive_order(const std::vector<double>& values) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index place) { return values[place]; });
  return order;
}

std::vector<Index> order_of(const std::vector<double>& values) {
  using Sorter = ColumnSorter<double, std::uint64_t>;
  Sorter sorter;
  std::vector<Index> order;
  for (const auto& item : sorter.sort(values, Sorter::Ties::by_place))
    order.push_back(static_cast<Index>(item.place));
  return order;
}

TEST(ColumnSorter, SortsByValueAndThenByPlaceWhateverTheNumber) {
  for (const Index n : {0, 1, 2, 16, 17, 100, 128, 129, 400, 401, 3000, 20000}) {
    RandomStream random(3, static_cast<std::uint64_t>(n));
    std::vector<double> spread(n), tied(n), crowded(n), equal(n, 1.5);
    for (Index i = 0; i < n; ++i) {
      spread[i] = random.normal();
      tied[i] = std::round(3.0 * random.normal());  // -0 among them
      crowded[i] = i % 50 == 0 ? 1e300 * random.normal() : 1.0 + 1e-9 * std::round(random.normal());
    }
    for (const std::vector<double>& values : {spread, tied, crowded, equal})
      EXPECT_EQ(order_of(values), naive_order(values)) << n;
  }
}

}  // namespace
}  // namespace tamis
