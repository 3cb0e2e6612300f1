#include "support/method_properties.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "core/cpu.hpp"
#include "core/random.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

std::vector<double> scores_of(const Rank& rank, const Sample& sample,
                              Storage storage = Storage::dense_double) {
  return rank(StoredSample(sample, storage).problem()).scores;
}

std::vector<Index> shuffled(Index n) {
  RandomStream random(/*seed=*/99);
  return random.sample(n, n);
}

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t r = 0; r < a.size(); ++r)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a[r]), std::bit_cast<std::uint64_t>(b[r]))
        << "column " << r;
}

void expect_threads_change_nothing(const Rank& rank, const Sample& sample) {
  for (const Storage storage : kStorages) {
    SCOPED_TRACE("1 and 3 threads, " + name_of(storage));
    const auto run = [&](int threads) {
      const ThreadLimit limit(threads);
      return scores_of(rank, sample, storage);
    };
    expect_same_bits(run(1), run(3));
  }
}

void expect_targets_change_nothing(const Rank& rank, const Sample& sample) {
  for (const Storage storage : kStorages) {
    const std::vector<double> scores = scores_of(rank, sample, storage);
    for (const Target target : {Target::avx2, Target::baseline}) {
      SCOPED_TRACE(std::string(name_of(target)) + ", " + name_of(storage));
      const TargetLimit limit(target);
      expect_same_bits(scores_of(rank, sample, storage), scores);
    }
  }
}

void expect_order_changes_nothing(const Rank& rank, const Sample& sample, double precision) {
  const std::vector<double> scores = scores_of(rank, sample);
  {
    SCOPED_TRACE("rows in another order");
    expect_scores_near(scores_of(rank, permute_rows(sample, shuffled(sample.x.rows))), scores,
                       precision);
  }
  SCOPED_TRACE("columns in another order");
  const std::vector<Index> order = shuffled(sample.x.cols);
  std::vector<double> moved;
  for (const Index r : order) moved.push_back(scores[r]);
  expect_scores_near(scores_of(rank, permute_columns(sample, order)), moved, precision);
}

void expect_scaling(const Rank& rank, const Sample& sample, int power, double precision) {
  SCOPED_TRACE("the table times 4");
  Sample larger = sample;
  for (double& value : larger.x.values) value *= 4.0;  // exact in binary
  std::vector<double> expected = scores_of(rank, sample);
  for (double& score : expected) score *= std::pow(4.0, power);
  expect_scores_near(scores_of(rank, larger), expected, precision);
}

}  // namespace

void expect_matches(const Rank& rank, const Sample& sample, const std::vector<double>& expected,
                    double precision) {
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    expect_scores_near(scores_of(rank, sample, storage), expected,
                       std::max(tolerance(storage), precision));
  }
}

void expect_invariances(const Rank& rank, const Sample& sample, int scale_power, double precision) {
  expect_order_changes_nothing(rank, sample, precision);
  expect_threads_change_nothing(rank, sample);
  expect_targets_change_nothing(rank, sample);
  expect_matches(rank, sample, scores_of(rank, sample), precision);
  expect_scaling(rank, sample, scale_power, precision);
}

void expect_method_properties(const Rank& rank, const Sample& sample, int scale_power,
                              double precision) {
  expect_invariances(rank, sample, scale_power, precision);
  SCOPED_TRACE("a constant column");  // 0.1, not 2: only 0.1 leaves rounding behind
  const StoredSample stored(with_constant_column(sample, 1, 0.1));
  const Ranking ranking = rank(stored.problem());
  EXPECT_EQ(ranking.diagnostics.undefined, std::vector<Index>{1});
  EXPECT_EQ(ranking.order.back(), 1);
}

}  // namespace tamis::test
