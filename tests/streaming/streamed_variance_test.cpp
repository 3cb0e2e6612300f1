#include "streaming/streamed_variance.hpp"

#include <gtest/gtest.h>

#include "streaming/streaming_support.hpp"
#include "tamis/methods/variance.hpp"

namespace tamis {
namespace {

using namespace test;

std::vector<double> streamed_scores(const Problem& problem) {
  StreamedVariance conversation(streamed(problem));
  return converse(conversation, problem.matrix, 3, 1).scores;
}

TEST(StreamedVariance, IsNearTheVarianceByTheRangeOfAColumn) {
  Sample sample{random_table(200, 6, 9)};
  for (Index i = 0; i < 200; ++i) {
    sample.x(i, 1) = 1e6 + 1e-3 * sample.x(i, 1);
    sample.x(i, 2) = 0.1;
    sample.x(i, 3) *= 1e-300;
  }
  const StoredSample stored(sample);
  const std::vector<double> expected = variance(stored.problem()).scores;
  const std::vector<double> found = streamed_scores(stored.problem());
  for (Index r = 0; r < 6; ++r) EXPECT_NEAR(found[r], expected[r], 1e-8 * expected[r]) << r;
  EXPECT_EQ(found[2], 0.0);
}

TEST(StreamedVariance, IsExactForIntegers) {
  Sample sample{Dense(4, 2)};
  const double column[] = {1e9, 1e9 + 1, 1e9 + 5, 1e9 + 6};
  for (Index i = 0; i < 4; ++i) {
    sample.x(i, 0) = column[i];
    sample.x(i, 1) = static_cast<double>(i % 2) * 1048575.0;
  }
  const StoredSample stored(sample);
  EXPECT_EQ(streamed_scores(stored.problem()), (std::vector{6.5, 1048575.0 * 1048575.0 / 4.0}));
}

TEST(StreamedVariance, IsTheSameForDenseAndSparseTables) {
  const Sample sample{sparse_table(120, 9, 2)};
  const StoredSample dense(sample, Storage::dense_double);
  const StoredSample sparse(sample, Storage::csr_float);
  EXPECT_EQ(streamed_scores(dense.problem()), streamed_scores(sparse.problem()));
}

}  // namespace
}  // namespace tamis
