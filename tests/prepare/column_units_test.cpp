#include "prepare/column_units.hpp"

#include "support/sample.hpp"

namespace tamis::test {
namespace {

Dense with_scaled_column(double factor) {
  Dense x = random_table(50, 4, 3);
  for (Index i = 0; i < x.rows; ++i) {
    x(i, 1) *= factor;
    x(i, 3) = 7.0;
  }
  return x;
}

TEST(DifferingUnits, AreColumnsThatVaryAHundredTimesAsMuchAsOthers) {
  for (const Storage storage : kStorages) {
    const StoredSample alike({.x = with_scaled_column(50.0)}, storage);
    EXPECT_FALSE(differing_units(alike.problem()));
    const StoredSample stored({.x = with_scaled_column(1000.0)}, storage);
    Problem problem = stored.problem();
    problem.feature_names = {"a", "grams", "c", "constant"};
    const std::string warning = differing_units(problem).value();
    EXPECT_TRUE(warning.starts_with("the standard deviations reach from ")) << warning;
    EXPECT_TRUE(
        warning.ends_with(" in column 1 (grams), so that distances hardly see the small ones"))
        << warning;
  }
}

TEST(DifferingUnits, NeedTwoColumnsThatVary) {
  const StoredSample stored({.x = Dense(3, 2)});
  EXPECT_FALSE(differing_units(stored.problem()));
}

}  // namespace
}  // namespace tamis::test
