#include "graphs/pair_tile.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "support/sample.hpp"

namespace tamis {
namespace {

double naive_distance(const test::Dense& x, Index i, Index j) {
  double sum = 0.0;
  for (Index r = 0; r < x.cols; ++r) sum += (x(i, r) - x(j, r)) * (x(i, r) - x(j, r));
  return sum;
}

/// The tiles of three blocks, as whoever sums over pairs takes them: several with the same left
/// one.
TEST(PairTile, MeasuresPairsWhateverIsKeptOfTheTable) {
  struct Case {
    Index cols;
    bool keeps_blocks;
  };
  // All panels are kept; those of the two blocks, as the table has more than 32 MB; none.
  for (const Case& each : {Case{50, false}, Case{8'000, true}, Case{50'000, false}}) {
    SCOPED_TRACE(each.cols);
    const test::Dense x = test::random_table(each.cols == 8'000 ? 560 : 96, each.cols, /*seed=*/1);
    const test::StoredSample stored({x});
    const RowGroups groups(1, all_indices(x.rows));
    const RowBlocks blocks(stored.problem().matrix, groups);
    EXPECT_EQ(blocks.size_worth_keeping() > 0, each.keeps_blocks);
    const auto tile = std::make_unique<PairTile>(blocks);
    const auto distances = std::make_unique<PairTile::Values>();
    for (const auto& [left, right] : std::vector<std::pair<Index, Index>>{
             {0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}, {0, 2}}) {
      tile->take(left, right);
      tile->measure(*distances);
      for (const auto& [a, b] : std::vector<std::pair<Index, Index>>{{0, 31}, {7, 8}, {31, 2}}) {
        const double expected =
            naive_distance(x, left * PairTile::kRows + a, right * PairTile::kRows + b);
        EXPECT_NEAR((*distances)[a * PairTile::kRows + b], expected, 1e-12 * expected);
      }
    }
  }
}

}  // namespace
}  // namespace tamis
