#include "linalg/ranked_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/cpu.hpp"
#include "core/peak_memory.hpp"
#include "core/random.hpp"
#include "linalg/fused_products.hpp"
#include "support/sample.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/core/table.hpp"

namespace tamis {
namespace {

std::vector<double> column_of(const RankedTable& z, Index r) {
  std::vector<double> column(z.rows());
  z.copy_column(r, 0, z.rows(), column.data());
  return column;
}

/// Ranks by counting, mean 0 and variance 1.
std::vector<double> naive_column(const test::Dense& x, Index r) {
  std::vector<double> ranks;
  double squares = 0.0;
  for (Index i = 0; i < x.rows; ++i) {
    double rank = 0.5 - 0.5 * static_cast<double>(x.rows + 1);
    for (Index k = 0; k < x.rows; ++k)
      rank += x(k, r) < x(i, r) ? 1.0 : x(k, r) == x(i, r) ? 0.5 : 0.0;
    squares += rank * rank;
    ranks.push_back(rank);
  }
  const double deviation = std::sqrt(squares / static_cast<double>(x.rows));
  for (double& rank : ranks) rank = deviation > 0.0 ? rank / deviation : 0.0;
  return ranks;
}

double naive_spread(std::vector<double> z) {
  std::ranges::sort(z);
  const double median = 0.5 * (z[(z.size() - 1) / 2] + z[z.size() / 2]);
  double sum = 0.0;
  for (const double value : z) sum += std::abs(value - median);
  return std::pow(sum / static_cast<double>(z.size()), 2);
}

/// Columns of every kind: ties, both signs, constants, large offsets, tiny and huge values.
test::Dense awkward_table(Index rows) {
  test::Dense x = test::random_table(rows, 9, /*seed=*/1);
  const test::Dense sparse = test::sparse_table(rows, 2, /*seed=*/2);
  const test::Dense integers = test::integer_table(rows, 1, /*seed=*/3);
  for (Index i = 0; i < rows; ++i) {
    x(i, 1) = sparse(i, 0);
    x(i, 2) = std::abs(sparse(i, 1));
    x(i, 3) = integers(i, 0);
    x(i, 4) = 0.1F;
    x(i, 5) = 65536.0 + std::round(64.0 * x(i, 5)) / 64.0;
    x(i, 6) = static_cast<float>(std::exp(20.0 * x(i, 6)));
    x(i, 7) = 0.0;
    x(i, 8) = i == rows / 2 ? -1.0 : (i % 2 == 0 ? 0.0 : -0.0);
  }
  return x;
}

TEST(RankTransform, MatchesCountingForAnyNumberOfRows) {
  for (const Index rows : {1, 2, 3, 57, 400, 401, 1500}) {
    const test::Dense x = awkward_table(rows);
    for (const test::Storage storage : test::kStorages) {
      const test::StoredSample stored({x}, storage);
      const RankedTable z(stored.problem().matrix);
      const double near = z.is_single() ? 1e-6 : 1e-12;
      for (Index r = 0; r < x.cols; ++r) {
        SCOPED_TRACE(testing::Message() << rows << " rows, column " << r << name_of(storage));
        const std::vector<double> expected = naive_column(x, r);
        test::expect_scores_near(column_of(z, r), expected, near);
        EXPECT_NEAR(z.spread()[r], naive_spread(expected), 1e-12);
      }
    }
  }
}

TEST(RankTransform, SortsLongColumnsWhoseLeadingBitsAgree) {
  const Index n = 20'000;
  test::Dense x(n, 2);
  RandomStream random(/*seed=*/4);
  for (Index i = 0; i < n; ++i) {
    x(i, 0) = 1.0 + 1e-15 * std::floor(1000.0 * random.uniform());  // many ties
    x(i, 1) = i % 100 == 0 ? 1e300 * random.uniform() : 1.0 + 1e-9 * random.uniform();
  }
  const RankedTable z(test::StoredSample({x}).problem().matrix);
  for (Index r = 0; r < 2; ++r) {
    const std::vector<double> ranks = column_of(z, r);
    std::vector<Index> order = all_indices(n);
    std::ranges::sort(order, {}, [&](Index i) { return x(i, r); });
    for (Index s = 1; s < n; ++s) {
      const bool tie = x(order[s], r) == x(order[s - 1], r);
      ASSERT_TRUE(tie ? ranks[order[s]] == ranks[order[s - 1]]
                      : ranks[order[s]] > ranks[order[s - 1]]);
    }
  }
}

/// Ranks and spread by sums over the ties of a column, one after the other.
struct SummedRanks {
  explicit SummedRanks(const std::vector<double>& column) : ranks(column.size()) {
    const Index n = std::ssize(column);
    std::vector<Index> order = all_indices(n);
    std::ranges::sort(order, {}, [&](Index i) { return column[i]; });
    double squares = 0.0;
    for (Index begin = 0, end = 0; begin < n; begin = end) {
      while (end < n && column[order[end]] == column[order[begin]]) ++end;
      const double rank = 0.5 * static_cast<double>(begin + end - n);
      squares += static_cast<double>(end - begin) * rank * rank;
      for (Index s = begin; s < end; ++s) ranks[order[s]] = rank;
    }
    const double deviation = std::sqrt(squares / static_cast<double>(n));
    const double median = 0.5 * ranks[order[(n - 1) / 2]] + 0.5 * ranks[order[n / 2]];
    double deviations = 0.0;
    for (const Index i : order) deviations += std::abs(ranks[i] - median);
    spread = std::pow(deviations / static_cast<double>(n) / deviation, 2);
    for (double& rank : ranks) rank /= deviation;
  }

  std::vector<double> ranks;
  double spread = 0.0;
};

TEST(RankTransform, HasTheBitsOfSumsOverTiesOnEveryTarget) {
  for (const auto& [rows, cols] :
       {std::pair{2, 1}, {3, 40}, {501, 40}, {20'000, 2}, {262'200, 1}}) {
    test::Dense x = test::random_table(rows, cols, /*seed=*/6);
    for (Index i = 0; i < rows; ++i)  // fewer and fewer ties
      for (Index r = 0; r + 1 < cols; ++r) x(i, r) = std::round(x(i, r) * std::pow(2.0, r + 1));
    const test::StoredSample stored({x});
    for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
      const TargetLimit limit(target);
      const RankedTable z(stored.problem().matrix);
      for (Index r = 0; r < cols; ++r) {
        SCOPED_TRACE(testing::Message() << rows << " rows, column " << r << name_of(target));
        std::vector<double> column;
        for (Index i = 0; i < rows; ++i) column.push_back(x(i, r));
        const SummedRanks expected(column);
        EXPECT_EQ(z.spread()[r], expected.spread);
        EXPECT_EQ(column_of(z, r), expected.ranks);
      }
    }
  }
}

TEST(RankTransform, HasThreeQuartersOfSpreadWithoutTies) {
  const RankedTable z(test::StoredSample({test::random_table(2000, 1, 5)}).problem().matrix);
  EXPECT_NEAR(z.spread()[0], 0.75, 1e-5);
}

TEST(RankTransform, MultipliesAsTheDenseTable) {
  const Index width = 11;
  const test::Dense x = awkward_table(1300);
  const test::Dense v = test::random_table(x.rows, width, /*seed=*/6);
  const test::Dense b = test::random_table(x.cols, width, /*seed=*/7);
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const test::StoredSample stored({x}, storage);
    const RankedTable z(stored.problem().matrix);
    std::vector<double> down(x.cols * width, 0.0);
    std::vector<double> across(x.rows * width, 0.0);
    for (Index r = 0; r < x.cols; ++r) {
      const std::vector<double> column = naive_column(x, r);
      for (Index i = 0; i < x.rows; ++i)
        for (Index c = 0; c < width; ++c) {
          down[r * width + c] += column[i] * v(i, c);
          across[i * width + c] += column[i] * b(r, c);
        }
    }
    const double near = z.is_single() ? 1e-6 : 1e-12;
    std::vector<double> out(down.size());
    z.multiply_transposed(v.values.data(), width, out.data());
    test::expect_scores_near(out, down, near);
    z.dot(all_indices(x.cols), v.values.data(), width, out.data());
    test::expect_scores_near(out, down, near);
    out.resize(across.size());
    z.multiply(b.values.data(), width, out.data());
    test::expect_scores_near(out, across, near);
  }
}

TEST(RankTransform, MultipliesByFusedSumsAsWithoutThem) {
  constexpr Index kHalf = kFusedWidth / 2;
  const test::Dense x = test::random_table(1100, 300, /*seed=*/13);
  const test::StoredSample stored({x}, test::Storage::dense_float);
  const RankedTable z(stored.problem().matrix);
  const auto products = [&](Index width, Index first) {
    const test::Dense v = test::random_table(x.rows, kFusedWidth, /*seed=*/14);
    std::vector<double> some(x.rows * width);
    for (Index i = 0; i < x.rows; ++i)
      for (Index c = 0; c < width; ++c) some[i * width + c] = v(i, first + c);
    std::vector<double> down(x.cols * width);
    z.multiply_transposed(some.data(), width, down.data());
    std::vector<double> across(x.rows * width);
    z.multiply(some.data(), width, across.data());
    down.insert(down.end(), across.begin(), across.end());
    return down;
  };
  std::vector<double> expected((x.cols + x.rows) * kFusedWidth);
  for (const Index first : {Index{0}, kHalf}) {
    const std::vector<double> some = products(kHalf, first);
    for (Index e = 0; e < std::ssize(some); ++e)
      expected[e / kHalf * kFusedWidth + first + e % kHalf] = some[e];
  }
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    test::expect_scores_near(products(kFusedWidth, 0), expected, 1e-6);
  }
}

TEST(RankTransform, AddsProductsRunByRunOnEveryTarget) {
  constexpr Index kRun = 1024;
  constexpr Index kWidth = 11;
  const test::Dense x = test::random_table(2100, 21, /*seed=*/15);
  const test::Dense v = test::random_table(x.rows, kWidth, /*seed=*/16);
  for (const test::Storage storage : {test::Storage::dense_float, test::Storage::dense_double}) {
    const test::StoredSample stored({x}, storage);
    const RankedTable z(stored.problem().matrix);
    std::vector<double> expected;
    for (Index r = 0; r < x.cols; ++r) {
      const std::vector<double> column = column_of(z, r);
      for (Index c = 0; c < kWidth; ++c) {
        double total = 0.0;
        for (Index from = 0; from < x.rows; from += kRun) {
          double of_run = 0.0;
          for (Index i = from; i < std::min(x.rows, from + kRun); ++i)
            of_run += column[i] * v(i, c);
          total += of_run;
        }
        expected.push_back(total);
      }
    }
    for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
      const TargetLimit limit(target);
      std::vector<double> out(x.cols * kWidth);
      z.dot(all_indices(x.cols), v.values.data(), kWidth, out.data());
      EXPECT_EQ(out, expected) << name_of(storage) << ", " << name_of(target);
    }
  }
}

TEST(RankTransform, TakesEachVectorAsIfItWereAlone) {
  constexpr Index kMost = 15;
  const test::Dense x = awkward_table(1300);
  const test::Dense v = test::random_table(x.rows, kMost, /*seed=*/17);
  for (const test::Storage storage : test::kStorages) {
    const test::StoredSample stored({x}, storage);
    const RankedTable z(stored.problem().matrix);
    const auto products = [&](Index first, Index width) {
      std::vector<double> some(x.rows * width);
      for (Index i = 0; i < x.rows; ++i)
        for (Index c = 0; c < width; ++c) some[i * width + c] = v(i, first + c);
      std::vector<double> out(x.cols * width);
      z.dot(all_indices(x.cols), some.data(), width, out.data());
      return out;
    };
    for (const Index width : {2, 4, 5, 8, 12, 15}) {
      SCOPED_TRACE(testing::Message() << name_of(storage) << ", " << width << " vectors");
      const std::vector<double> together = products(0, width);
      for (Index c = 0; c < width; ++c) {
        const std::vector<double> alone = products(c, 1);
        for (Index r = 0; r < x.cols; ++r) EXPECT_EQ(together[r * width + c], alone[r]);
      }
    }
  }
}

TEST(RankTransform, GivesEqualColumnsEqualBitsWhereverTheyStand) {
  test::Dense x = test::random_table(1500, 70, /*seed=*/8);
  for (Index i = 0; i < x.rows; ++i) x(i, 69) = x(i, 66) = x(i, 1);
  const test::Dense v = test::random_table(x.rows, 10, /*seed=*/9);
  for (const test::Storage storage : test::kStorages) {
    const test::StoredSample stored({x}, storage);
    const RankedTable z(stored.problem().matrix);
    std::vector<double> out(x.cols * v.cols);
    z.dot(all_indices(70), v.values.data(), 10, out.data());
    for (const Index twin : {66, 69})
      for (Index c = 0; c < 10; ++c) EXPECT_EQ(out[twin * 10 + c], out[10 + c]);
  }
}

TEST(RankTransform, CopiesRowsAndPartsOfColumns) {
  const test::Dense x = awkward_table(50);
  for (const test::Storage storage : test::kStorages) {
    const test::StoredSample stored({x}, storage);
    const RankedTable z(stored.problem().matrix);
    for (const std::vector<Index>& rows : {std::vector<Index>{0, 7, 8, 49}, all_indices(50)}) {
      std::vector<double> some(rows.size() * 5);
      z.copy_rows(rows, 1, 5, some.data());
      for (Index r = 1; r < 6; ++r)
        for (std::size_t s = 0; s < rows.size(); ++s)
          EXPECT_EQ(some[s * 5 + r - 1], column_of(z, r)[rows[s]]) << name_of(storage);
    }
    for (Index r = 1; r < 6; ++r) {
      const std::vector<double> column = column_of(z, r);
      std::vector<double> part(20);
      z.copy_column(r, 25, 20, part.data());
      EXPECT_TRUE(std::ranges::equal(part, std::span(column).subspan(25, 20)));
    }
  }
}

TEST(RankTransform, KnowsHowManyRowsShareTheMostFrequentValue) {
  const test::Dense x = awkward_table(300);
  for (const test::Storage storage : test::kStorages) {
    const test::StoredSample stored({x}, storage);
    const RankedTable z(stored.problem().matrix);
    for (Index r = 0; r < x.cols; ++r) {
      std::map<double, Index> counts;
      for (Index i = 0; i < x.rows; ++i) ++counts[x(i, r)];
      Index most = 0;
      for (const auto& [value, count] : counts) most = std::max(most, count);
      EXPECT_EQ(z.most_frequent()[r], most) << name_of(storage) << ", column " << r;
    }
  }
}

TEST(RankTransform, LeavesColumnsOutByTheirSpread) {
  const test::StoredSample stored({test::random_table(30, 4, /*seed=*/12)});
  const RankedTable z(stored.problem().matrix);
  const RankedTable others = z.without(std::vector<Index>{1, 3});
  EXPECT_EQ(others.spread()[1], 0.0);
  EXPECT_EQ(others.spread()[3], 0.0);
  EXPECT_EQ(others.spread()[2], z.spread()[2]);
  EXPECT_EQ(column_of(others, 1), column_of(z, 1));
}

TEST(RankTransform, ForgetsTheTableOnTheWay) {
  const test::Dense x = awkward_table(20'000);
  for (const test::Storage storage : test::kStorages) {
    const test::StoredSample stored({x}, storage);
    const RankedTable expected(stored.problem().matrix);
    OwnedTable table = gathered(stored.problem().matrix, all_indices(x.rows), all_indices(x.cols));
    Index forgotten = 0;
    const RankedTable z(view_of(table), [&](Index begin, Index end) {
      EXPECT_EQ(begin, forgotten);
      EXPECT_LT(begin, end);
      forget_rows(table, begin, end);
      forgotten = end;
    });
    const bool is_dense =
        storage == test::Storage::dense_double || storage == test::Storage::dense_float;
    EXPECT_EQ(forgotten, is_dense ? x.rows : 0);
    for (Index r = 0; r < x.cols; ++r) EXPECT_EQ(column_of(z, r), column_of(expected, r));
  }
}

TEST(RankTransform, HoldsLittleMoreThanTheTableIfThatMayBeForgotten) {
  constexpr Index kRows = 100'000;
  constexpr Index kCols = 100;
  constexpr Index kBytes = kRows * kCols * static_cast<Index>(sizeof(float));
  DenseTable<float> values{.rows = kRows, .cols = kCols, .values = Buffer<float>(kRows * kCols)};
  for (Index v = 0; v < kRows * kCols; ++v) values.values[v] = static_cast<float>(v * 7919 % 10007);
  OwnedTable table = std::move(values);
  const Index before = held_memory_bytes();
  Index most = before;
  const RankedTable z(view_of(table), [&](Index begin, Index end) {
    most = std::max(most, held_memory_bytes());
    forget_rows(table, begin, end);
  });
  EXPECT_LT(std::max(most, held_memory_bytes()) - before, kBytes / 4) << z.spread()[0];
}

TEST(RankTransform, ChangesNoBitWithTheThreads) {
  const test::Dense x = test::sparse_table(9000, 60, /*seed=*/10);
  const test::Dense b = test::random_table(60, 7, /*seed=*/11);
  for (const test::Storage storage : test::kStorages) {
    const test::StoredSample stored({x}, storage);
    const auto run = [&](int threads) {
      const ThreadLimit limit(threads);
      const RankedTable z(stored.problem().matrix);
      std::vector<double> out(x.rows * b.cols);
      z.multiply(b.values.data(), 7, out.data());
      std::vector<double> back(x.cols * b.cols);
      z.multiply_transposed(out.data(), 7, back.data());
      return back;
    };
    EXPECT_EQ(run(1), run(3)) << name_of(storage);
  }
}

}  // namespace
}  // namespace tamis
