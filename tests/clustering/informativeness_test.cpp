#include "clustering/informativeness.hpp"

#include "core/random.hpp"
#include "support/naive.hpp"
#include "support/sample.hpp"

namespace tamis::test {
namespace {

TEST(Informativeness, CountsWhatEveryPairSays) {
  const Sample sample = blobs_with_pairs(60, 4, 6, 1);
  const StoredSample stored(sample);
  const ConstraintSet constraints(stored.problem().known, stored.problem().rows());
  RandomStream random(2);
  for (const Index n_clusters : {1, 3, 20}) {
    SCOPED_TRACE(n_clusters);
    std::vector<Index> clusters;
    for (Index i = 0; i < 60; ++i) clusters.push_back(random.below(n_clusters));
    const RowMatrix must = naive_must_links(sample);
    const RowMatrix cannot = naive_cannot_links(sample);
    Index split = 0;
    Index joined = 0;
    Index all = 0;
    for (Index i = 0; i < 60; ++i)
      for (Index j = i + 1; j < 60; ++j) {
        all += must(i, j) + cannot(i, j) > 0.0 ? 1 : 0;
        split += must(i, j) > 0.0 && clusters[i] != clusters[j] ? 1 : 0;
        joined += cannot(i, j) > 0.0 && clusters[i] == clusters[j] ? 1 : 0;
      }
    const Violations broken = violations(constraints, clusters);
    EXPECT_EQ(broken.must_link, split);
    EXPECT_EQ(broken.cannot_link, joined);
    EXPECT_DOUBLE_EQ(informativeness(constraints, clusters),
                     static_cast<double>(split + joined) / static_cast<double>(all));
  }
}

TEST(Informativeness, IsZeroForTheClassesThemselvesAndOneForTheirOpposite) {
  Sample sample{.x = random_table(4, 1, 3), .labels = {0, 1, kUnlabeled, kUnlabeled}};
  sample.pairs = PairConstraints{.must_link = {{0, 2}}, .cannot_link = {{2, 3}}};
  const StoredSample stored(sample);
  const ConstraintSet constraints(stored.problem().known, stored.problem().rows());
  EXPECT_EQ(informativeness(constraints, std::vector<Index>{0, 1, 0, 1}), 0.0);
  EXPECT_EQ(informativeness(constraints, std::vector<Index>{0, 0, 1, 1}), 1.0);
}

TEST(Informativeness, IsZeroWithoutConstraints) {
  const StoredSample stored({.x = random_table(3, 1, 4)});
  EXPECT_EQ(informativeness(ConstraintSet(stored.problem().known, stored.problem().rows()),
                            std::vector<Index>{0, 1, 0}),
            0.0);
}

}  // namespace
}  // namespace tamis::test
