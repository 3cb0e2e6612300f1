#include "constraints/coherence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "constraints/constraint_set.hpp"
#include "core/cpu.hpp"
#include "core/random.hpp"
#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/source_root.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using test::Dense;
using test::StoredSample;
using Pairs = std::vector<RowPair>;

/// The length of q that the projection of p covers, word for word.
double naive_overlap(const Dense& x, const RowPair& p, const RowPair& q) {
  double length = 0.0;
  for (Index r = 0; r < x.cols; ++r) length += std::pow(x(q.second, r) - x(q.first, r), 2.0);
  length = std::sqrt(length);
  if (length == 0.0) return 0.0;
  const auto projection = [&](Index row) {
    double sum = 0.0;
    for (Index r = 0; r < x.cols; ++r)
      sum += (x(row, r) - x(q.first, r)) * (x(q.second, r) - x(q.first, r)) / length;
    return sum;
  };
  const double a = projection(p.first);
  const double b = projection(p.second);
  const double overlap = std::min(std::max(a, b), length) - std::max(std::min(a, b), 0.0);
  return overlap < 1e-12 * length ? 0.0 : overlap;
}

Coherence naive_coherence(const Dense& x, const Pairs& must, const Pairs& cannot) {
  Coherence all{0.0, std::vector<double>(must.size(), 0.0),
                std::vector<double>(cannot.size(), 0.0)};
  for (std::size_t k = 0; k < must.size(); ++k)
    for (std::size_t c = 0; c < cannot.size(); ++c) {
      const bool misses = naive_overlap(x, must[k], cannot[c]) == 0.0;
      const bool is_missed = naive_overlap(x, cannot[c], must[k]) == 0.0;
      all.of_set += misses && is_missed ? 1.0 : 0.0;
      all.must_link[k] += misses ? 1.0 : 0.0;
      all.cannot_link[c] += is_missed ? 1.0 : 0.0;
    }
  all.of_set /= static_cast<double>(must.size() * cannot.size());
  for (double& part : all.must_link) part /= static_cast<double>(cannot.size());
  for (double& part : all.cannot_link) part /= static_cast<double>(must.size());
  return all;
}

void expect_same(const Coherence& actual, const Coherence& expected) {
  EXPECT_EQ(actual.of_set, expected.of_set);
  EXPECT_EQ(actual.must_link, expected.must_link);
  EXPECT_EQ(actual.cannot_link, expected.cannot_link);
}

Pairs random_pairs(Index rows, Index count, std::uint64_t seed) {
  RandomStream random(seed);
  Pairs pairs;
  for (Index k = 0; k < count; ++k) {
    const std::vector<Index> ends = random.sample(rows, 2);
    pairs.push_back({ends[0], ends[1]});
  }
  return pairs;
}

/// The constraints that are at least as coherent as the set.
PairConstraints select_coherent(const MatrixView& x, const Pairs& must, const Pairs& cannot) {
  const Coherence found = coherence(x, must, cannot);
  PairConstraints kept;
  for (std::size_t k = 0; k < must.size(); ++k)
    if (found.must_link[k] >= found.of_set) kept.must_link.push_back(must[k]);
  for (std::size_t k = 0; k < cannot.size(); ++k)
    if (found.cannot_link[k] >= found.of_set) kept.cannot_link.push_back(cannot[k]);
  return kept;
}

/// Four corners of a unit square and their doubles, beside each other: overlaps are 0 or 1.
Dense square() {
  Dense x(8, 2);
  x.values = {0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1};
  return x;
}

TEST(Coherence, MatchesTheNaiveFormulaInEveryStorage) {
  for (const Index cols : {1, 2, 7, 100})
    for (const auto make : {test::random_table, test::sparse_table}) {
      SCOPED_TRACE(cols);
      const Dense x = make(40, cols, /*seed=*/3);
      const Pairs must = random_pairs(40, 30, /*seed=*/1);
      const Pairs cannot = random_pairs(40, 25, /*seed=*/2);
      const Coherence expected = naive_coherence(x, must, cannot);
      for (const test::Storage storage : test::kStorages) {
        const StoredSample stored({x}, storage);
        expect_same(coherence(stored.problem().matrix, must, cannot), expected);
      }
    }
}

TEST(Coherence, MatchesTheGoldenValues) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(name);
    const test::Golden golden = test::load_golden(name);
    std::ifstream file(source_root() / "tests/data/golden" / (std::string(name) + ".json"));
    const auto expected = nlohmann::json::parse(file)["coherence"];
    const StoredSample stored(golden.sample);
    const MatrixView& x = stored.problem().matrix;
    expect_same(coherence(x, golden.must_link, golden.cannot_link),
                {expected["set"], expected["must_link"], expected["cannot_link"]});
    const auto pairs_of = [](const nlohmann::json& list) {
      Pairs pairs;
      for (const auto& pair : list) pairs.push_back({pair[0], pair[1]});
      return pairs;
    };
    const PairConstraints kept = select_coherent(x, golden.must_link, golden.cannot_link);
    EXPECT_EQ(kept.must_link, pairs_of(expected["selected_must_link"]));
    EXPECT_EQ(kept.cannot_link, pairs_of(expected["selected_cannot_link"]));
  }
}

TEST(Coherence, IsOneWithoutPairsOfBothKinds) {
  const StoredSample stored({square()});
  const MatrixView& x = stored.problem().matrix;
  const Pairs pairs{{0, 1}, {2, 3}};
  expect_same(coherence(x, {}, {}), {1.0, {}, {}});
  expect_same(coherence(x, pairs, {}), {1.0, {1.0, 1.0}, {}});
  expect_same(coherence(x, {}, pairs), {1.0, {}, {1.0, 1.0}});
  EXPECT_EQ(select_coherent(x, pairs, {}).must_link, pairs);
  EXPECT_EQ(select_coherent(x, {}, pairs).cannot_link, pairs);
}

TEST(Coherence, FindsNoOverlapOfPerpendicularPairsAndFullOverlapOfParallelOnes) {
  const StoredSample stored({square()});
  const MatrixView& x = stored.problem().matrix;
  expect_same(coherence(x, Pairs{{0, 1}}, Pairs{{1, 2}}), {1.0, {1.0}, {1.0}});
  expect_same(coherence(x, Pairs{{0, 1}}, Pairs{{3, 2}}), {0.0, {0.0}, {0.0}});
  expect_same(coherence(x, Pairs{{0, 1}}, Pairs{{1, 2}, {3, 2}}), {0.5, {0.5}, {1.0, 0.0}});
}

TEST(Coherence, CountsOneDirectionForAConstraintAndBothForTheSet) {
  Dense x(4, 2);  // the steep pair falls within the flat one, which falls beside the steep one
  x.values = {0, 0, 10, 0, 5, 1, 6, 9};
  const StoredSample stored({x});
  const MatrixView& matrix = stored.problem().matrix;
  expect_same(coherence(matrix, Pairs{{0, 1}}, Pairs{{2, 3}}), {0.0, {1.0}, {0.0}});
  expect_same(coherence(matrix, Pairs{{2, 3}}, Pairs{{0, 1}}), {0.0, {0.0}, {1.0}});
}

TEST(Coherence, MatchesTheNaiveFormulaForManyRows) {
  constexpr Index kPairs = 4'200;  // of 8,400 rows
  const Dense x = test::random_table(2 * kPairs, 2, /*seed=*/7);
  Pairs must;
  for (Index k = 2; k < kPairs; ++k) must.push_back({2 * k, 2 * k + 1});
  const Pairs cannot{{0, 1}, {2, 3}, {0, 9}};
  const StoredSample stored({x});
  expect_same(coherence(stored.problem().matrix, must, cannot, /*max_pairs=*/kPairs),
              naive_coherence(x, must, cannot));
}

TEST(Coherence, GivesPairsOfEqualRowsNoOverlap) {
  const StoredSample stored({square()});
  const MatrixView& x = stored.problem().matrix;
  expect_same(coherence(x, Pairs{{0, 4}}, Pairs{{0, 1}, {1, 5}}), {1.0, {1.0}, {1.0, 1.0}});
  expect_same(coherence(x, Pairs{{0, 1}}, Pairs{{2, 6}}), {1.0, {1.0}, {1.0}});
}

TEST(Coherence, CountsARepeatedPairEachTime) {
  const StoredSample stored({square()});
  const MatrixView& x = stored.problem().matrix;
  expect_same(coherence(x, Pairs{{0, 1}, {1, 0}, {0, 3}}, Pairs{{3, 2}}),
              {1.0 / 3.0, {0.0, 0.0, 1.0}, {1.0 / 3.0}});
  expect_same(coherence(x, Pairs{{0, 1}}, Pairs{{4, 5}}), {0.0, {0.0}, {0.0}});
}

TEST(Coherence, IgnoresAnOverlapThatOnlyRoundingLeaves) {
  Dense x(4, 2);  // nearly perpendicular, far from the origin
  for (const double tilt : {0.0, 1e-13, 1e-9}) {
    x.values = {1e6, 1e6, 1e6 + 100, 1e6, 1e6, 1e6 + 1, 1e6 + 100 * tilt, 1e6 + 3};
    const StoredSample stored({x});
    expect_same(coherence(stored.problem().matrix, Pairs{{0, 1}}, Pairs{{2, 3}}),
                naive_coherence(x, {{0, 1}}, {{2, 3}}));
  }
}

TEST(Coherence, SeesAnOverlapThatIsTinyBesideTheDistanceOfThePairs) {
  Dense x(4, 2);  // pairs of length 1 at a distance of 1e7 share 1e-6 of their length
  x.values = {0, 0, 1, 0, 1 - 1e-6, 1e7, 2, 1e7};
  const StoredSample stored({x});
  expect_same(coherence(stored.problem().matrix, Pairs{{0, 1}}, Pairs{{2, 3}}),
              {0.0, {0.0}, {0.0}});
  x.values = {0, 0, 1, 0, 1 + 1e-6, 1e7, 2, 1e7};
  const StoredSample apart({x});
  expect_same(coherence(apart.problem().matrix, Pairs{{0, 1}}, Pairs{{2, 3}}), {1.0, {1.0}, {1.0}});
}

TEST(Coherence, DoesNotDependOnTheNumberOfThreads) {
  const StoredSample stored({test::random_table(60, 3, /*seed=*/5)});
  const Pairs must = random_pairs(60, 300, /*seed=*/1);
  const Pairs cannot = random_pairs(60, 300, /*seed=*/2);
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return coherence(stored.problem().matrix, must, cannot, /*max_pairs=*/200);
  };
  expect_same(run(1), run(3));
}

TEST(Coherence, OfLabelsIsThatOfTheirPairsAsAList) {
  for (const auto make : {test::blobs, test::blobs_with_pairs}) {
    const StoredSample stored(make(60, 4, 8, /*seed=*/6));
    const MatrixView& x = stored.problem().matrix;
    const ConstraintSet all(stored.problem().known, x.rows());
    for (const Index max_pairs : {10, 2000}) {
      const CoherenceMeter meter(x, all, max_pairs, {.seed = 3});
      const Coherence listed =
          coherence(x, all.must_link_pairs(), all.cannot_link_pairs(), max_pairs, {.seed = 3});
      EXPECT_EQ(meter.of_set(), listed.of_set);
      EXPECT_EQ(meter.standard_error(), listed.standard_error);
      EXPECT_EQ(listed.standard_error.has_value(), max_pairs == 10);
      for (std::size_t k = 0; k < listed.must_link.size(); ++k) {
        const RowPair pair = all.must_link_pairs()[k];
        EXPECT_EQ(meter.of_must_link(pair.first, pair.second), listed.must_link[k]);
        EXPECT_EQ(meter.keeps_must_link(pair.first, pair.second),
                  listed.must_link[k] >= listed.of_set);
      }
      for (std::size_t k = 0; k < listed.cannot_link.size(); ++k) {
        const RowPair pair = all.cannot_link_pairs()[k];
        EXPECT_EQ(meter.of_cannot_link(pair.first, pair.second), listed.cannot_link[k]);
      }
    }
  }
}

TEST(Coherence, KeepsPairsOfManyRowsAtOnceAsOneByOne) {
  const StoredSample stored(test::blobs(90, 4, 30, /*seed=*/6));
  const MatrixView& x = stored.problem().matrix;
  const ConstraintSet all(stored.problem().known, x.rows());
  const std::vector<Index> rows = labeled_rows(stored.problem().known);
  const auto left = std::span(rows).first(CoherenceMeter::kRowsAtOnce);
  const auto right = std::span(rows).subspan(20, 27);
  for (const Index max_pairs : {1, 63, 65, 2000}) {
    const CoherenceMeter meter(x, all, max_pairs, {.seed = 3});
    for (const Target target : {Target::baseline, Target::avx2, Target::avx512}) {
      const TargetLimit limit(target);
      CoherenceMeter::KeptPairs must;
      CoherenceMeter::KeptPairs cannot;
      meter.keep(LinkKind::must_link, left, right, must);
      meter.keep(LinkKind::cannot_link, left, right, cannot);
      for (Index a = 0; a < std::ssize(left); ++a)
        for (Index b = 0; b < std::ssize(right); ++b) {
          const Index at = a * CoherenceMeter::kRowsAtOnce + b;
          EXPECT_EQ(must[at], meter.keeps_must_link(left[a], right[b]));
          EXPECT_EQ(cannot[at], meter.keeps_cannot_link(left[a], right[b]));
        }
    }
  }
}

TEST(Coherence, OfASampleIsNearThatOfAllAndItsErrorSaysHowNear) {
  const StoredSample stored({test::random_table(80, 3, /*seed=*/5)});
  const MatrixView& x = stored.problem().matrix;
  const Pairs must = random_pairs(80, 400, /*seed=*/1);
  const Pairs cannot = random_pairs(80, 300, /*seed=*/2);
  const Coherence all = coherence(x, must, cannot);
  EXPECT_EQ(all.standard_error, std::nullopt);
  constexpr int kSeeds = 200;
  double squares = 0.0;
  double variance = 0.0;
  double shift = 0.0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Coherence part = coherence(x, must, cannot, /*max_pairs=*/60, {.seed = seed});
    squares += std::pow(part.of_set - all.of_set, 2) / kSeeds;
    variance += std::pow(*part.standard_error, 2) / kSeeds;
    for (std::size_t k = 0; k < must.size(); ++k)
      shift += (part.must_link[k] - all.must_link[k]) / kSeeds / static_cast<double>(must.size());
  }
  EXPECT_NEAR(squares / variance, 1.0, 0.35);
  EXPECT_NEAR(shift, 0.0, 0.02);
  expect_same(coherence(x, must, cannot, 60, {.seed = 7}),
              coherence(x, must, cannot, 60, {.seed = 7}));
  EXPECT_EQ(coherence(x, must, cannot, 400).of_set, all.of_set);  // no more than that: no sample
}

TEST(Coherence, SelectsPairsThatMakeAConstraintSet) {
  const test::Sample sample = test::blobs(30, 4, 4, /*seed=*/1);
  const StoredSample stored(sample);
  const ConstraintSet all(stored.problem().known, stored.problem().rows());
  const PairConstraints kept =
      select_coherent(stored.problem().matrix, all.must_link_pairs(), all.cannot_link_pairs());
  const ConstraintSet selected(30, kept);
  EXPECT_EQ(selected.must_link_pairs(), kept.must_link);
  EXPECT_EQ(selected.cannot_link_pairs(), kept.cannot_link);
  EXPECT_LE(selected.n_must_link(), all.n_must_link());
}

TEST(Coherence, RefusesMoreConstraintsThanItCanMeasure) {
  constexpr Index kRows = 36'000;
  Dense x(kRows, 1);
  const StoredSample stored({x, std::vector<Index>(kRows, 0)});
  Knowledge known = stored.problem().known;
  known.labels[0] = 1;
  const ConstraintSet all(known, kRows);
  EXPECT_EQ(message_of<DataError>(
                [&] { CoherenceMeter(stored.problem().matrix, all, kMaxMeasuredPairs, {}); }),
            "647982000 constraints are too many to measure the coherence of each (at most "
            "625000000): give fewer labels or pairs, or do not select constraints");
}

}  // namespace
}  // namespace tamis
