/// Methods on tables that are fully labeled give what they give for the same constraints as lists
/// of pairs, which they must not need.
#include <gtest/gtest.h>

#include "constraints/constraint_set.hpp"
#include "support/sample.hpp"
#include "tamis/methods/bcs.hpp"
#include "tamis/methods/cls.hpp"
#include "tamis/methods/csfs.hpp"
#include "tamis/methods/laplacian_score.hpp"

namespace tamis {
namespace {

constexpr Index kRows = 3000;

/// The pairs that labels imply, in place of the labels.
test::Sample listed(const test::Sample& sample) {
  const test::StoredSample stored(sample);
  const ConstraintSet all(stored.problem().known, sample.x.rows);
  return {.x = sample.x, .pairs = PairConstraints{all.must_link_pairs(), all.cannot_link_pairs()}};
}

class FullyLabeled : public testing::Test {
 protected:
  template <class Method>
  void expect_same(const Method& method) const {
    test::expect_scores_near(method(of_labels_.problem()).scores,
                             method(of_pairs_.problem()).scores, 1e-9);
  }

  const test::Sample sample_ = test::blobs(kRows, 10, kRows, /*seed=*/1);
  const test::StoredSample of_labels_{sample_};
  const test::StoredSample of_pairs_{listed(sample_)};
};

TEST_F(FullyLabeled, ClsIsThatOfThePairs) {
  for (const Kernel kernel : {Kernel::heat, Kernel::binary})
    expect_same([&](const Problem& problem) {
      return cls(problem, {.graph = {.kernel = kernel, .bandwidth = 0.2}});
    });
}

TEST_F(FullyLabeled, LaplacianScoreIsThatOfThePairs) {
  expect_same(
      [](const Problem& problem) { return laplacian_score(problem, {.must_link_edges = true}); });
}

TEST_F(FullyLabeled, BcsIsThatOfThePairsAndDrawsNoMoreThanItIsTold) {
  expect_same([](const Problem& problem) { return bcs(problem, {.n_bags = 5}); });
  expect_same([](const Problem& problem) { return bcs(problem, {.max_pairs = 1000}); });
}

TEST_F(FullyLabeled, CsfsIsThatOfThePairs) {
  for (const bool select : {true, false})
    expect_same([&](const Problem& problem) {
      return csfs(problem, {.select_constraints = select, .max_pairs = 100});
    });
}

}  // namespace
}  // namespace tamis
