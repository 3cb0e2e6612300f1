#include "constraints/pair_sums.hpp"

#include <gtest/gtest.h>

#include "support/naive.hpp"

namespace tamis {
namespace {

using test::StoredSample;

std::vector<test::Sample> samples() {
  test::Sample only_pairs = test::blobs_with_pairs(20, 5, 2, /*seed=*/2);
  only_pairs.labels.clear();
  test::Sample all_labeled = test::blobs(21, 5, 7, /*seed=*/3);
  test::Sample own_classes{test::integer_table(9, 4, /*seed=*/4), {0, 1, 2, 3, 4, 5, 6, 7, 8}};
  test::Sample sparse{test::sparse_table(24, 6, /*seed=*/5), test::blobs(24, 1, 3, 0).labels};
  return {test::blobs_with_pairs(30, 5, 3, /*seed=*/1),
          test::blobs_with_weighted_pairs(30, 5, 3, /*seed=*/6),
          only_pairs,
          all_labeled,
          own_classes,
          sparse};
}

/// CL pairs weighted by v_i + v_j.
test::RowMatrix weighted_cannot_links(const test::Sample& sample, const std::vector<double>& v) {
  test::RowMatrix links = naive_cannot_links(sample);
  for (Index i = 0; i < links.n; ++i)
    for (Index j = 0; j < links.n; ++j) links(i, j) *= v[i] + v[j];
  return links;
}

std::vector<double> naive_sums(const test::Sample& sample, const test::RowMatrix& links) {
  std::vector<double> sums;
  for (Index r = 0; r < sample.x.cols; ++r) sums.push_back(naive_pair_sum(sample.x, r, links));
  return sums;
}

TEST(PairSums, EqualTheSumsOverListedPairsInEveryStorage) {
  for (const test::Sample& sample : samples()) {
    std::vector<double> v(sample.x.rows);
    for (Index i = 0; i < sample.x.rows; ++i) v[i] = static_cast<double>(i % 4);  // zeros too
    for (const test::Storage storage : test::kStorages) {
      SCOPED_TRACE(name_of(storage));
      const StoredSample stored(sample, storage);
      const MatrixView& x = stored.problem().matrix;
      const ConstraintSet constraints(stored.problem().known, stored.problem().rows());
      const double near = tolerance(storage);
      test::expect_scores_near(must_link_sums(x, constraints),
                               naive_sums(sample, naive_must_links(sample)), near);
      test::expect_scores_near(cannot_link_sums(x, constraints),
                               naive_sums(sample, naive_cannot_links(sample)), near);
      test::expect_scores_near(cannot_link_sums(x, constraints, v),
                               naive_sums(sample, weighted_cannot_links(sample, v)), near);
    }
  }
}

TEST(PairSums, AreZeroWithoutPairsOrWeights) {
  test::Sample sample = test::blobs(12, 3, 2, /*seed=*/1);
  const std::vector<double> zeros(3, 0.0);
  {
    const StoredSample stored(sample);
    EXPECT_EQ(cannot_link_sums(stored.problem().matrix,
                               ConstraintSet(stored.problem().known, stored.problem().rows()),
                               std::vector<double>(12, 0.0)),
              zeros);
  }
  sample.labels.clear();
  const StoredSample stored(sample);
  const ConstraintSet constraints(stored.problem().known, stored.problem().rows());
  EXPECT_EQ(must_link_sums(stored.problem().matrix, constraints), zeros);
  EXPECT_EQ(cannot_link_sums(stored.problem().matrix, constraints), zeros);
}

TEST(PairSums, KeepTheirDigitsOnALargeOffset) {
  test::Sample sample = test::blobs(30, 4, 5, /*seed=*/6);
  const std::vector<double> expected = naive_sums(sample, naive_cannot_links(sample));
  for (double& value : sample.x.values) value += 1048576.0;
  const StoredSample stored(sample);
  test::expect_scores_near(
      cannot_link_sums(stored.problem().matrix,
                       ConstraintSet(stored.problem().known, stored.problem().rows())),
      expected, 1e-8);
}

TEST(PairSums, AreExactlyZeroOnAColumnOfEqualValues) {
  // The rounded mean of three times 0.1 is not that of four times 0.1.
  test::Sample sample{test::random_table(12, 2, /*seed=*/7),
                      {0, 0, 0, 1, 1, 1, 1, 2, -1, -1, 2, 1}};
  for (Index i = 0; i < 12; ++i)
    if (sample.labels[i] >= 0) sample.x(i, 0) = 0.1;
  const StoredSample stored(sample);
  const ConstraintSet constraints(stored.problem().known, stored.problem().rows());
  EXPECT_EQ(must_link_sums(stored.problem().matrix, constraints)[0], 0.0);
  EXPECT_EQ(cannot_link_sums(stored.problem().matrix, constraints)[0], 0.0);
}

}  // namespace
}  // namespace tamis
