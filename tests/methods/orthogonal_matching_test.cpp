#include "methods/ridge_omp/orthogonal_matching.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "support/sample.hpp"

namespace tamis {
namespace {

RowVectors as_target(const test::Dense& x) { return {x.cols, {x.values.begin(), x.values.end()}}; }

WeightedColumns all_columns(const RankedTable& z) {
  return {&z, all_indices(z.cols()), std::vector(z.cols(), 1.0)};
}

TEST(OrthogonalMatching, FindsTheColumnsThatATargetIsMadeOf) {
  const test::StoredSample stored({test::random_table(100, 40, /*seed=*/1)});
  const RankedTable z(stored.problem().matrix);
  RowVectors target{1, Buffer<double>(100, 0.0)};
  std::vector<double> column(100);
  for (const auto& [r, factor] : {std::pair<Index, double>{7, 4.0}, {31, -2.0}, {12, 1.0}}) {
    z.copy_column(r, 0, 100, column.data());
    for (Index i = 0; i < 100; ++i) target.values[i] += factor * column[i];
  }
  const Matching matching = match_orthogonally(all_columns(z), target, {.steps = 10});
  EXPECT_EQ(matching.chosen, (std::vector<Index>{7, 31, 12}));  // then nothing is left
}

TEST(OrthogonalMatching, GainsAddUpToAllThatColumnsCanExplain) {
  // With weights 1 and as many columns as dimensions, the gains sum to |target|^2.
  const test::StoredSample stored({test::random_table(12, 30, /*seed=*/2)});
  const RankedTable z(stored.problem().matrix);
  RowVectors target = as_target(test::random_table(12, 4, /*seed=*/3));
  center(target);
  const Matching matching = match_orthogonally(all_columns(z), target, {.steps = 30});
  double sum = 0.0;
  for (const double gain : matching.gains) sum += gain;
  EXPECT_NEAR(sum, 12.0 * mean_squared_length(target), 1e-9);
  EXPECT_EQ(matching.chosen.size(), 11U);
}

TEST(OrthogonalMatching, PrefersWeightAndTheEarlierOfTwins) {
  test::Dense x = test::random_table(50, 6, /*seed=*/4);
  for (Index i = 0; i < 50; ++i) x(i, 5) = x(i, 2);
  const test::StoredSample stored({x});
  const RankedTable z(stored.problem().matrix);
  RowVectors target{1, Buffer<double>(50)};
  z.copy_column(2, 0, 50, target.values.data());
  WeightedColumns columns = all_columns(z);
  EXPECT_EQ(match_orthogonally(columns, target, {.steps = 1}).chosen.front(), 2);
  columns.weights[5] = 1.01;
  EXPECT_EQ(match_orthogonally(columns, target, {.steps = 1}).chosen.front(), 5);
  columns.columns = {5, 4, 2};
  columns.weights = {1.0, 1.0, 1.0};
  EXPECT_EQ(match_orthogonally(columns, target, {.steps = 1}).chosen.front(), 5);
}

TEST(OrthogonalMatching, LeavesACopyAThirdOfTheGainUnderANuggetOfOne) {
  test::Dense x = test::random_table(50, 2, /*seed=*/4);
  for (Index i = 0; i < 50; ++i) x(i, 1) = 3.0 + 2.0 * x(i, 0);
  const test::StoredSample stored({x});
  const RankedTable z(stored.problem().matrix);
  const RowVectors target = as_target(test::random_table(50, 3, /*seed=*/5));
  const Matching noisy = match_orthogonally(all_columns(z), target, {.steps = 2, .nugget = 1.0});
  ASSERT_EQ(noisy.chosen, (std::vector<Index>{0, 1}));
  EXPECT_NEAR(noisy.gains[1], noisy.gains[0] / 3.0, 1e-12 * noisy.gains[0]);
  EXPECT_EQ(match_orthogonally(all_columns(z), target, {.steps = 2}).chosen.size(), 1U);
}

TEST(OrthogonalMatching, ChoosesTheSameWhateverColumnsCrowdAround) {
  // Copies with a little noise fill the products that are taken ahead; choices must not change.
  test::Dense x = test::random_table(200, 90, /*seed=*/5);
  RandomStream random(/*seed=*/6);
  for (Index i = 0; i < 200; ++i)
    for (Index r = 10; r < 90; ++r) x(i, r) = x(i, r % 10) + 0.05 * random.normal();
  const test::StoredSample stored({x});
  const RankedTable z(stored.problem().matrix);
  const RowVectors target = as_target(test::random_table(200, 3, /*seed=*/7));
  const Matching long_run = match_orthogonally(all_columns(z), target, {.steps = 80});
  ASSERT_EQ(long_run.chosen.size(), 80U);
  // Each gain by its definition: project the column and the target on the complement of the others.
  std::vector<std::vector<double>> basis;
  for (std::size_t t = 0; t < 80; ++t) {
    std::vector<double> q(200);
    z.copy_column(long_run.chosen[t], 0, 200, q.data());
    for (int twice = 0; twice < 2; ++twice)
      for (const auto& b : basis) {
        double share = 0.0;
        for (Index i = 0; i < 200; ++i) share += q[i] * b[i];
        for (Index i = 0; i < 200; ++i) q[i] -= share * b[i];
      }
    double squares = 0.0;
    for (const double value : q) squares += value * value;
    for (double& value : q) value /= std::sqrt(squares);
    double gain = 0.0;
    for (Index c = 0; c < 3; ++c) {
      double product = 0.0;
      for (Index i = 0; i < 200; ++i) product += q[i] * target.row(i)[c];
      gain += product * product;
    }
    EXPECT_NEAR(long_run.gains[t], gain, 1e-9 * long_run.gains[0]) << t;
    basis.push_back(q);
  }
}

TEST(OrthogonalMatching, ChoosesAmongTheAllowedAndMeasuresAll) {
  const test::StoredSample stored({test::random_table(60, 30, /*seed=*/8)});
  const RankedTable z(stored.problem().matrix);
  const RowVectors target = as_target(test::random_table(60, 2, /*seed=*/9));
  const std::vector<Index> allowed{2, 3, 11, 29};
  const Matching some =
      match_orthogonally(all_columns(z), target, {.steps = 10, .nugget = 1.0, .allowed = allowed});
  const Matching alone =
      match_orthogonally({&z, allowed, std::vector(4, 1.0)}, target, {.steps = 10, .nugget = 1.0});
  EXPECT_EQ(some.chosen, alone.chosen);
  EXPECT_EQ(some.gains, alone.gains);
  EXPECT_EQ(some.chosen.size(), 4U);
  EXPECT_EQ(some.first_gains,
            match_orthogonally(all_columns(z), target, {.steps = 1, .nugget = 1.0}).first_gains);
  const MatchingRules none{.steps = 10, .allowed = std::vector<Index>{}};
  EXPECT_TRUE(match_orthogonally(all_columns(z), target, none).chosen.empty());
}

/// Of columns that have nothing to do with each other.
class CountedProducts : public ColumnProducts {
 public:
  Buffer<double> of(std::span<const Index> columns, std::span<const Index> some) const override {
    taken_ += std::ssize(some);
    Buffer<double> products;
    for (const Index column : columns)
      for (const Index other : some) products.push_back(column == other ? 1.0 : 0.0);
    return products;
  }
  Index taken() const { return taken_; }

 private:
  mutable Index taken_ = 0;
};

TEST(OrthogonalMatching, TakesNoMoreProductsThanItChoosesColumnsOfManyDirections) {
  constexpr Index kCols = 40;
  for (const Index steps : {1, 8, 11}) {
    const CountedProducts products;
    MatchingColumns columns{.columns = all_indices(kCols),
                            .weights = std::vector(kCols, 1.0),
                            .lengths = std::vector(kCols, 1.0),
                            .targets = {kCols, Buffer<double>(kCols * kCols, 0.0)},
                            .products = &products};
    for (Index r = 0; r < kCols; ++r)
      columns.targets.row(r)[r] = 1.0 + static_cast<double>(r * 7 % kCols);
    EXPECT_EQ(match_orthogonally(columns, {.steps = steps}).chosen.size(), steps);
    EXPECT_EQ(products.taken(), steps);
  }
}

TEST(OrthogonalMatching, BeginsTheSameForAnyNumberOfSteps) {
  const test::StoredSample stored({test::random_table(1500, 60, /*seed=*/10)});
  const RankedTable z(stored.problem().matrix);
  const RowVectors target = as_target(test::random_table(1500, 3, /*seed=*/11));
  const Matching all = match_orthogonally(all_columns(z), target, {.steps = 25, .nugget = 1.0});
  for (const Index steps : {1, 3, 8, 10, 21}) {
    const Matching some =
        match_orthogonally(all_columns(z), target, {.steps = steps, .nugget = 1.0});
    ASSERT_EQ(some.chosen.size(), steps);
    for (Index t = 0; t < steps; ++t) {
      EXPECT_EQ(some.chosen[t], all.chosen[t]);
      EXPECT_EQ(some.gains[t], all.gains[t]);
    }
  }
}

}  // namespace
}  // namespace tamis
