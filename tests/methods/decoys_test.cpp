#include "methods/relevance/decoys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/cpu.hpp"
#include "core/random.hpp"
#include "support/sample.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Surprises of `count` columns, -ln of uniform numbers times `scale`.
std::vector<double> surprises(Index count, double scale, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<double> values;
  for (Index k = 0; k < count; ++k) values.push_back(-scale * std::log(1.0 - random.uniform()));
  return values;
}

/// The definition word for word: t the 101st largest, e the mean excess of the 100 above, at
/// least 1.
double naive_corrected(std::vector<double> decoys, double surprise) {
  std::ranges::sort(decoys, std::greater());
  const double t = decoys[100];
  double e = 0.0;
  for (Index k = 0; k < 100; ++k) e += (decoys[k] - t) / 100.0;
  e = std::max(1.0, e);
  const auto n = static_cast<double>(decoys.size());
  const auto above = std::ranges::count_if(decoys, [&](double d) { return d >= surprise; });
  const double other = surprise > t && e <= 1.5
                           ? std::log(n / 100.0) + (surprise - t) / e
                           : -std::log((1.0 + static_cast<double>(above)) / (1.0 + n));
  return std::min(surprise, other);
}

TEST(DecoyTail, CorrectsAsDefined) {
  for (const double scale : {0.5, 1.0, 1.3, 3.0}) {
    const std::vector<double> decoys = surprises(2000, scale, /*seed=*/1);
    const DecoyTail tail(decoys);
    for (const double surprise : {0.0, 0.1, 1.0, 2.5, 4.0, 7.0, 20.0, 700.0})
      EXPECT_NEAR(tail.corrected(surprise), naive_corrected(decoys, surprise), 1e-12)
          << scale << ", " << surprise;
    EXPECT_EQ(tail.corrected(decoys[7]), naive_corrected(decoys, decoys[7])) << "a tie";
  }
}

TEST(DecoyTail, LeavesALawThatHoldsAlone) {
  const DecoyTail tail(surprises(20'000, 1.0, /*seed=*/2));
  EXPECT_NEAR(tail.corrected(10.0), 10.0, 1.0);
  EXPECT_LE(tail.corrected(10.0), 10.0);
  EXPECT_NEAR(DecoyTail(surprises(20'000, 1.4, 3)).corrected(14.0), 10.0, 1.5)
      << "too heavy a tail";
  EXPECT_LT(DecoyTail(surprises(20'000, 3.0, 4)).corrected(100.0), 10.0) << "far too heavy";
}

TEST(Strata, JoinLevelsUntilTheyHoldAHundredColumns) {
  std::vector<Index> rows_off;
  const auto add = [&](Index count, Index off) {
    for (Index k = 0; k < count; ++k) rows_off.push_back(off);
  };
  add(40, 1);     // level 0
  add(70, 2);     // level 1: 110 with those before it
  add(120, 7);    // level 2
  add(99, 8);     // level 3
  add(30, 500);   // level 8: 129
  add(20, 1000);  // level 9: a remainder
  const auto strata = strata_of(rows_off);
  ASSERT_EQ(strata.size(), 3U);
  EXPECT_EQ(strata[0].size(), 110U);
  EXPECT_EQ(strata[1].size(), 120U);
  EXPECT_EQ(strata[2].size(), 149U);
  EXPECT_EQ(strata_of(std::vector<Index>(5, 50)).size(), 1U);
  EXPECT_TRUE(strata_of({}).empty());
}

/// Columns with `ones` ones each, and a target of one column.
struct RareColumns {
  RareColumns(Index rows, Index cols, Index ones, std::uint64_t seed)
      : sample{test::Dense(rows, cols)} {
    RandomStream random(seed);
    for (Index r = 0; r < cols; ++r)
      for (const Index i : random.sample(rows, ones)) sample.x(i, r) = 1.0;
    RowVectors target{1, Buffer<double>(rows)};
    for (double& value : target.values) value = std::pow(random.normal(), 3.0);  // heavy tails
    center(target);
    crossed = {.rows = all_indices(rows),
               .fold_of = std::vector<Index>(cols, 0),
               .targets = {std::move(target)},
               .lengths = std::vector(cols, std::sqrt(static_cast<double>(rows)))};
  }
  test::Sample sample;
  CrossedTargets crossed;
};

TEST(Decoys, KeepChanceFromLookingSure) {
  // Two ones in 200 rows point to two entries of the target: the law of directions does not hold.
  RareColumns rare(200, 3000, 2, /*seed=*/5);
  const test::StoredSample stored(rare.sample);
  const RankedTable z(stored.problem().matrix);
  const std::vector<SphereLaw> laws{law_of(rare.crossed.targets[0], rare.crossed.dimension())};
  const Decoys decoys(z, rare.crossed, laws, 2000, {});
  std::vector<double> products(3000);
  z.dot(all_indices(3000), rare.crossed.targets[0].values.data(), 1, products.data());
  Index by_law = 0, by_decoys = 0;
  for (Index r = 0; r < 3000; ++r) {
    const double log_p = laws[0].log_tail(products[r] * products[r] / 200.0);
    EXPECT_GE(decoys.corrected(r, log_p), log_p);
    by_law += log_p < std::log(0.001) ? 1 : 0;
    by_decoys += decoys.corrected(r, log_p) < std::log(0.001) ? 1 : 0;
  }
  EXPECT_GT(by_law, 20) << "3 are expected of 3000";
  EXPECT_LE(by_decoys, 9);
}

/// Threshold and scale of the decoys of such columns, beside `before` and `after` targets of zeros.
std::vector<double> tail_beside_zeros(const RareColumns& rare, Index before, Index after) {
  const test::StoredSample stored(rare.sample);
  const RankedTable z(stored.problem().matrix);
  const std::vector<SphereLaw> laws{law_of(rare.crossed.targets[0], rare.crossed.dimension())};
  CrossedTargets crossed = rare.crossed;
  const Index width = before + 1 + after;
  const Index rows = std::ssize(crossed.rows);
  crossed.targets[0] = {width, Buffer<double>(rows * width, 0.0)};
  for (Index i = 0; i < rows; ++i)
    crossed.targets[0].row(i)[before] = rare.crossed.targets[0].values[i];
  std::vector<double> told;
  tamis::Run run{.seed = 4};
  run.trace = Trace([&](const TraceEvent& event) {
    told = {std::get<double>(event.fields[3].second), std::get<double>(event.fields[4].second)};
  });
  const Decoys decoys(z, crossed, laws, 1000, run);
  return told;
}

TEST(Decoys, HaveTheSameBitsWhereverATargetStandsOnEveryTarget) {
  const RareColumns rare(90, 120, 8, /*seed=*/9);
  const std::vector<double> alone = tail_beside_zeros(rare, 0, 0);
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    for (const Index before : {0, 9, 12})
      EXPECT_EQ(tail_beside_zeros(rare, before, 12 - before), alone) << name_of(target);
  }
}

TEST(Decoys, AreTheSameForAnyThreadsAndStorageAndToldInTheTrace) {
  test::Sample sample = RareColumns(60, 150, 7, /*seed=*/6).sample;
  const test::Dense noise = test::random_table(60, 150, /*seed=*/7);
  for (Index i = 0; i < 60; ++i)
    for (Index r = 0; r < 150; r += 2) sample.x(i, r) = noise(i, r);
  const RareColumns other(60, 150, 7, /*seed=*/6);
  std::vector<double> first;
  for (const test::Storage storage : test::kStorages)
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(name_of(storage));
      const ThreadLimit limit(threads);
      const test::StoredSample stored(sample, storage);
      const RankedTable z(stored.problem().matrix);
      std::vector<double> told;
      tamis::Run run{.seed = 3};
      run.trace = Trace([&](const TraceEvent& event) {
        EXPECT_EQ(event.name, "decoys");
        EXPECT_EQ(std::get<Index>(event.fields[1].second), 150) << "one stratum: 75 + 75 columns";
        EXPECT_GE(std::get<Index>(event.fields[2].second), 20'000) << "some have few values";
        told = {std::get<double>(event.fields[3].second), std::get<double>(event.fields[4].second)};
      });
      const std::vector<SphereLaw> laws{law_of(other.crossed.targets[0], 59)};
      const Decoys decoys(z, other.crossed, laws, 2000, run);
      ASSERT_EQ(told.size(), 2U);
      told.push_back(decoys.corrected(0, -5.0));
      if (first.empty()) first = told;
      test::expect_scores_near(told, first, z.is_single() ? 1e-5 : 1e-12);
    }
}

}  // namespace
}  // namespace tamis
