#include "core/lanes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tamis {
namespace {

constexpr Index kCount = 16;
using Values = std::array<double, kCount>;

Values ascending(double from, double step) {
  Values values;
  for (Index l = 0; l < kCount; ++l) values[l] = from + step * static_cast<double>(l);
  return values;
}

/// What body(a, b) makes of lanes, on each target that the machine has.
template <class Body>
void expect_lanes(const Body& body, const Values& a, const Values& b,
                  double (*expected)(double, double)) {
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    SCOPED_TRACE(name_of(target));
    const TargetLimit limit(target);
    Values out;
    for_this_cpu([&](auto cpu) TAMIS_KERNEL {
      using Vector = Lanes<double, kCount, decltype(cpu)>;
      body(Vector::load(a.data()), Vector::load(b.data())).store(out.data());
    });
    for (Index l = 0; l < kCount; ++l) EXPECT_EQ(out[l], expected(a[l], b[l])) << "lane " << l;
  }
}

TEST(Lanes, ComputeAsNumbersDo) {
  const Values a = ascending(-1.3, 0.37);
  const Values b = ascending(2.1, -0.41);
  expect_lanes([](const auto& x, const auto& y) TAMIS_KERNEL { return x + y * x - 0.5; }, a, b,
               [](double x, double y) { return x + y * x - 0.5; });
  expect_lanes([](const auto& x, const auto& y) TAMIS_KERNEL { return -(0.3 - x) / 7.0 + 2.0 * y; },
               a, b, [](double x, double y) { return -(0.3 - x) / 7.0 + 2.0 * y; });
  expect_lanes([](const auto& x, const auto& y) TAMIS_KERNEL { return smaller(x, y); }, a, b,
               [](double x, double y) { return x < y ? x : y; });
  expect_lanes([](const auto& x, const auto& y) TAMIS_KERNEL { return larger(x, y); }, a, b,
               [](double x, double y) { return x > y ? x : y; });
  expect_lanes([](const auto& x, const auto& y) TAMIS_KERNEL { return ones_where_less(x, y); }, a,
               b, [](double x, double y) { return x < y ? 1.0 : 0.0; });
}

TEST(Lanes, NeitherIsSmallerThanNan) {
  Values a = ascending(0.0, 1.0);
  a[3] = std::nan("");
  expect_lanes([](const auto& x, const auto& y) TAMIS_KERNEL { return smaller(x, y); }, a,
               ascending(5.0, 0.0), [](double x, double y) { return x < y ? x : y; });
}

TEST(Lanes, AreAddedOneAfterTheOther) {
  const Values values = ascending(1e15, 0.1);
  double expected = 0.0;
  for (const double value : values) expected += value;
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    const double sum = for_this_cpu([&](auto cpu) TAMIS_KERNEL {
      return Lanes<double, kCount, decltype(cpu)>::load(values.data()).sum();
    });
    EXPECT_EQ(sum, expected) << name_of(target);
  }
}

TEST(Lanes, OfFloatsAreAddedAsDoubles) {
  std::array<float, kCount> values;
  for (Index l = 0; l < kCount; ++l) values[l] = 0.1F * static_cast<float>(l);
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    SCOPED_TRACE(name_of(target));
    const TargetLimit limit(target);
    Values sums = ascending(0.3, 0.7);
    for_this_cpu([&](auto cpu) TAMIS_KERNEL {
      add_to(sums.data(), Lanes<float, kCount, decltype(cpu)>::load(values.data()));
    });
    for (Index l = 0; l < kCount; ++l)
      EXPECT_EQ(sums[l], ascending(0.3, 0.7)[l] + static_cast<double>(values[l]));
  }
}

/// n doubles, narrowed, on each target.
template <Index n>
void expect_floats_of_doubles() {
  std::array<double, n> values;
  for (Index l = 0; l < n; ++l) values[l] = 0.1 * static_cast<double>(l + 1);
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    SCOPED_TRACE(name_of(target));
    const TargetLimit limit(target);
    std::array<float, n> stored;
    for_this_cpu([&](auto cpu) TAMIS_KERNEL {
      narrowed(Lanes<double, n, decltype(cpu)>::load(values.data())).store(stored.data());
    });
    for (Index l = 0; l < n; ++l)
      EXPECT_EQ(stored[l], static_cast<float>(values[l])) << n << " lanes, lane " << l;
  }
}

TEST(Lanes, OfDoublesBecomeFloatsHoweverManyThereAre) {
  expect_floats_of_doubles<2>();
  expect_floats_of_doubles<8>();
  expect_floats_of_doubles<16>();
}

/// n floats, loaded as doubles and loaded then widened, on each target.
template <Index n>
void expect_doubles_of_floats() {
  std::array<float, n> values;
  for (Index l = 0; l < n; ++l) values[l] = 0.1F * static_cast<float>(l + 1);
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    SCOPED_TRACE(name_of(target));
    const TargetLimit limit(target);
    std::array<double, n> loaded;
    std::array<double, n> made;
    for_this_cpu([&](auto cpu) TAMIS_KERNEL {
      Lanes<double, n, decltype(cpu)>::load(values.data()).store(loaded.data());
      widened(Lanes<float, n, decltype(cpu)>::load(values.data())).store(made.data());
    });
    for (Index l = 0; l < n; ++l) {
      EXPECT_EQ(loaded[l], static_cast<double>(values[l])) << n << " lanes, lane " << l;
      EXPECT_EQ(made[l], static_cast<double>(values[l])) << n << " lanes, lane " << l;
    }
  }
}

TEST(Lanes, OfFloatsBecomeThoseOfDoublesHoweverManyThereAre) {
  expect_doubles_of_floats<2>();
  expect_doubles_of_floats<4>();
  expect_doubles_of_floats<8>();
  expect_doubles_of_floats<16>();
  expect_doubles_of_floats<32>();
}

}  // namespace
}  // namespace tamis
