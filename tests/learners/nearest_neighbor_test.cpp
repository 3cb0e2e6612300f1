#include "learners/nearest_neighbor.hpp"

#include <cmath>
#include <numeric>

#include "core/random.hpp"
#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

/// The nearest training row by the given columns, summed in their order; ties to the first.
Index naive_nearest(const Dense& x, const std::vector<Index>& train, Index i,
                    std::span<const Index> columns) {
  Index best = -1;
  double nearest = HUGE_VAL;
  for (const Index j : train) {
    double distance = 0.0;
    for (const Index r : columns) distance += (x(i, r) - x(j, r)) * (x(i, r) - x(j, r));
    if (distance < nearest) {
      nearest = distance;
      best = j;
    }
  }
  return best;
}

/// Training and test rows in no particular order.
struct Parts {
  std::vector<Index> train;
  std::vector<Index> test;
};

Parts part_rows(Index rows, Index n_train) {
  RandomStream random(5);
  const std::vector<Index> order = random.sample(rows, rows);
  return {{order.begin(), order.begin() + n_train}, {order.begin() + n_train, order.end()}};
}

void expect_prefixes(const Dense& x, const Parts& parts, const std::vector<Index>& features,
                     const std::vector<Index>& lengths) {
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({x}, storage);
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      const PrefixNeighbors found = nearest_rows_by_prefix(stored.problem().matrix, parts.train,
                                                           parts.test, features, lengths);
      for (Index place = 0; place < std::ssize(lengths); ++place)
        for (Index s = 0; s < std::ssize(parts.test); ++s)
          ASSERT_EQ(found.at(place)[s], naive_nearest(x, parts.train, parts.test[s],
                                                      std::span(features).first(lengths[place])))
              << "length " << lengths[place] << ", test row " << parts.test[s];
    }
  }
}

std::vector<Index> one_to(Index n) {
  std::vector<Index> numbers(n);
  std::iota(numbers.begin(), numbers.end(), Index{1});
  return numbers;
}

TEST(NearestRows, EqualPlainLoopsOverAwkwardSizes) {
  for (const Index n_train : {1, 15, 17, 1030}) {
    const Dense x = random_table(n_train + 21, 37, 1);
    const Parts parts = part_rows(x.rows, n_train);
    const std::vector<Index> columns = all_indices(37);
    for (const Storage storage : kStorages) {
      SCOPED_TRACE(name_of(storage));
      const StoredSample stored({x}, storage);
      const std::vector<Index> found =
          nearest_rows(stored.problem().matrix, parts.train, parts.test);
      for (Index s = 0; s < std::ssize(parts.test); ++s)
        EXPECT_EQ(found[s], naive_nearest(x, parts.train, parts.test[s], columns));
    }
  }
}

TEST(NearestRows, BreakTiesByTheRowListedFirst) {
  const Dense x = integer_table(1300, 2, 2);  // ties within blocks and across them
  const Parts parts = part_rows(1300, 1200);
  const StoredSample stored({x});
  const std::vector<Index> found = nearest_rows(stored.problem().matrix, parts.train, parts.test);
  for (Index s = 0; s < std::ssize(parts.test); ++s)
    EXPECT_EQ(found[s], naive_nearest(x, parts.train, parts.test[s], all_indices(2)));
}

TEST(NearestRowsByPrefix, EqualPlainLoopsForEveryPrefix) {
  RandomStream random(3);
  for (const Index n_train : {1, 15, 16, 255, 256, 300})
    for (const Index n_test : {1, 7, 9}) {
      const Dense x = random_table(n_train + n_test, 12, 4);
      expect_prefixes(x, part_rows(x.rows, n_train), random.sample(12, 9), one_to(9));
    }
}

TEST(NearestRowsByPrefix, BreakTiesByTheRowListedFirst) {
  const Dense x = integer_table(640, 4, 6);
  expect_prefixes(x, part_rows(640, 600), {2, 0, 3, 1}, one_to(4));
}

TEST(NearestRowsByPrefix, StayExactFarFromTheOriginAndOnSparseTables) {
  Dense far = random_table(80, 6, 7);
  for (double& value : far.values)
    value = static_cast<double>(static_cast<float>(value + 3e6));  // a few bits are left
  expect_prefixes(far, part_rows(80, 60), {5, 4, 3, 2, 1, 0}, one_to(6));
  expect_prefixes(sparse_table(80, 6, 8), part_rows(80, 60), {5, 3, 2, 0}, one_to(4));
}

TEST(NearestRowsByPrefix, AnswerOnlyTheLengthsAskedFor) {
  expect_prefixes(random_table(50, 20, 9), part_rows(50, 30), all_indices(20), {3, 4, 11});
  const StoredSample stored({random_table(5, 2, 1)});
  const std::vector<Index> rows{0, 1};
  const auto none = nearest_rows_by_prefix(stored.problem().matrix, rows, rows, rows, {});
  EXPECT_TRUE(none.rows.empty());
}

TEST(NearestRowsByPrefix, RefuseWhatMakesNoSense) {
  const StoredSample stored({random_table(6, 4, 1)});
  const std::vector<Index> rows{0, 1, 2};
  const auto message = [&](const std::vector<Index>& train, const std::vector<Index>& features,
                           const std::vector<Index>& lengths) {
    return message_of<InvalidArgument>(
        [&] { nearest_rows_by_prefix(stored.problem().matrix, train, rows, features, lengths); });
  };
  EXPECT_EQ(message({}, {0, 1}, {1}), "nearest neighbours need at least one training row");
  EXPECT_EQ(message(rows, {0, 4}, {2}), "feature 4 does not exist: the table has columns 0 to 3");
  EXPECT_EQ(message(rows, {3, 3}, {2}), "feature 3 is listed twice");
  EXPECT_EQ(message(rows, {0, 1}, {2, 2}),
            "prefixes must have ascending lengths within 1 .. 2, but 2 follows 2");
  EXPECT_EQ(message(rows, {0, 1}, {3}),
            "prefixes must have ascending lengths within 1 .. 2, but 3 follows 0");
  EXPECT_EQ(message_of<InvalidArgument>([&] { nearest_rows(stored.problem().matrix, {}, rows); }),
            "nearest neighbours need at least one training row");
}

}  // namespace
}  // namespace tamis::test
