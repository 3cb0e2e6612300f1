#include "core/cpu.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/simd.hpp"

namespace tamis {
namespace {

TEST(Cpu, TheBestTargetIsInUse) {
  if (std::getenv("TAMIS_TARGET") == nullptr) {
    EXPECT_EQ(current_target(), best_target());
  }
  EXPECT_LE(current_target(), best_target());
}

TEST(Cpu, ALimitHoldsWhileItLives) {
  const Target before = current_target();
  {
    const TargetLimit limit(Target::baseline);
    EXPECT_EQ(current_target(), Target::baseline);
    const TargetLimit higher(Target::avx512);  // no machine gets what it does not have
    EXPECT_EQ(current_target(), Target::baseline);
  }
  EXPECT_EQ(current_target(), before);
}

TEST(Cpu, KernelsAreToldTheRegistersOfTheTarget) {
  const auto vector_bytes = [] {
    return for_this_cpu([](auto cpu) TAMIS_KERNEL { return decltype(cpu)::kVectorBytes; });
  };
  const Index bytes[] = {16, 32, 64};
  EXPECT_EQ(vector_bytes(), bytes[static_cast<int>(current_target())]);
  const TargetLimit limit(Target::baseline);
  EXPECT_EQ(vector_bytes(), 16);
}

TEST(Cpu, TargetsHaveNames) {
  EXPECT_EQ(name_of(Target::baseline), "baseline");
  EXPECT_EQ(name_of(Target::avx2), "avx2");
  EXPECT_EQ(name_of(Target::avx512), "avx512");
}

/// A sum that any other order rounds differently.
TEST(Cpu, SumsInLanesAreTheSameOnEveryTarget) {
  const auto sum = [] {
    return for_this_cpu([](auto) TAMIS_KERNEL {
      return sum_in_lanes(1003, [](Index r) { return 1.0 / static_cast<double>(3 * r + 1); });
    });
  };
  const double expected = sum();
  for (const Target target : {Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    EXPECT_EQ(sum(), expected) << name_of(target);
  }
}

}  // namespace
}  // namespace tamis
