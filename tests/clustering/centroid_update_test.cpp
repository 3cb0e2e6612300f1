#include "clustering/kmeans/centroid_update.hpp"

#include "core/random.hpp"
#include "support/naive_clusters.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

TEST(ClusterRows, ListsTheRowsOfEachClusterInOrder) {
  const ClusterRows members(std::vector<Index>{2, 0, 2, 0, 0}, 4);
  EXPECT_EQ(members.n_clusters(), 4);
  const auto rows = [&](Index q) {
    return std::vector<Index>(members[q].begin(), members[q].end());
  };
  EXPECT_EQ(rows(0), (std::vector<Index>{1, 3, 4}));
  EXPECT_TRUE(rows(1).empty());
  EXPECT_EQ(rows(2), (std::vector<Index>{0, 2}));
  EXPECT_TRUE(rows(3).empty());
}

TEST(MoveCentroids, EqualsPlainLoopsOverAwkwardSizesAndKeepsEmptyClusters) {
  RandomStream random(1);
  for (const Index cols : {1, 63, 64, 65, 200}) {
    const Dense x = sparse_table(90, cols, 2);
    std::vector<Index> clusters(90);
    for (Index& cluster : clusters) cluster = random.below(4);
    std::vector<double> expected(5 * cols, 7.0);
    naive_means(x, clusters, expected);
    for (const Storage storage : kStorages)
      for (const int threads : {1, 3}) {
        const ThreadLimit limit(threads);
        const StoredSample stored({.x = x}, storage);
        std::vector<double> centroids(5 * cols, 7.0);
        move_centroids(stored.problem().matrix, ClusterRows(clusters, 5), centroids);
        EXPECT_EQ(centroids, expected);
      }
  }
}

}  // namespace
}  // namespace tamis::test
