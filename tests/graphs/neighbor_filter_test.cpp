#include "graphs/neighbor_filter.hpp"

#include "linalg/integer_tiles.hpp"
#include "support/sample.hpp"

namespace tamis::test {
namespace {

/// Whether rows are held more coarsely than in float32: as integers.
bool is_coarse(const Dense& x, Index k) {
  const StoredSample stored({.x = x}, Storage::dense_float);
  return neighbor_filter(stored.problem().matrix, all_indices(x.rows), k).source->held_error >
         2.0 * HeldRows::kUnitRoundoff;
}

TEST(NeighborFilter, TakesIntegersWhereTheyCostLess) {
  EXPECT_EQ(is_coarse(random_table(400, 100, 1), 5), integers_outrun_floats());
  EXPECT_FALSE(is_coarse(random_table(400, 20, 1), 5));   // few columns
  EXPECT_FALSE(is_coarse(random_table(100, 100, 1), 5));  // few rows
}

TEST(NeighborFilter, TakesFloatsWhereIntegersWouldNeedManyCandidates) {
  Dense x = random_table(400, 100, 2);
  for (Index i = 0; i < x.rows; ++i) x(i, i % 2) += 1e6;
  EXPECT_FALSE(is_coarse(x, 5));
}

TEST(NeighborFilter, KeepsJustTheNeighboursWhereKeysAreExact) {
  const Dense x = integer_table(400, 100, 3);
  const StoredSample stored({.x = x}, Storage::dense_float);
  const NeighborFilter filter = neighbor_filter(stored.problem().matrix, all_indices(x.rows), 5);
  EXPECT_TRUE(filter.source->error_free);
  EXPECT_EQ(filter.keep, 5);
}

}  // namespace
}  // namespace tamis::test
