#include "clustering/kmeans/cluster_start.hpp"

#include <algorithm>
#include <set>

#include "support/sample.hpp"

namespace tamis::test {
namespace {

std::vector<double> drawn(const Dense& x, const std::vector<Index>& rows, KmeansStart how,
                          Index n_clusters, std::uint64_t seed, std::vector<double> known = {}) {
  const StoredSample stored({.x = x});
  RandomStream random(seed);
  draw_centroids(stored.problem().matrix, rows, how, n_clusters, random, known);
  return known;
}

Dense column(std::vector<double> values) {
  Dense x(std::ssize(values), 1);
  x.values = std::move(values);
  return x;
}

TEST(DrawCentroids, TakesDistinctRowsOfThoseGiven) {
  const Dense x = column({0, 1, 2, 3, 4, 5, 6, 7});
  for (const KmeansStart how : {KmeansStart::plus_plus, KmeansStart::random})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const std::vector<double> centroids = drawn(x, {1, 3, 5, 7}, how, 4, seed);
      EXPECT_EQ((std::set<double>(centroids.begin(), centroids.end())),
                (std::set<double>{1, 3, 5, 7}));
    }
}

TEST(DrawCentroids, KeepsTheCentroidsThatAreThere) {
  const Dense x = column({0, 0, 10});
  for (std::uint64_t seed = 1; seed <= 20; ++seed)  // rows at a known centroid have no chance
    EXPECT_EQ(drawn(x, {0, 1, 2}, KmeansStart::plus_plus, 2, seed, {0.0}),
              (std::vector<double>{0.0, 10.0}));
}

TEST(DrawCentroids, DrawsBySquaredDistance) {
  const Dense x = column({0, 1, 3});  // from 0: chances 1/10 and 9/10
  int n_far = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed)
    n_far += drawn(x, {0, 1, 2}, KmeansStart::plus_plus, 2, seed, {0.0})[1] == 3.0 ? 1 : 0;
  EXPECT_NEAR(n_far / 2000.0, 0.9, 0.03);
}

TEST(DrawCentroids, TakesRowsInOrderIfAllAreEqual) {
  EXPECT_EQ(drawn(column({5, 5, 5}), {0, 1, 2}, KmeansStart::plus_plus, 3, 1),
            (std::vector<double>{5, 5, 5}));
}

TEST(MeanOfRows, IsTheMean) {
  const StoredSample stored({.x = column({1, 2, 6, 100})}, Storage::csr_float);
  EXPECT_EQ(mean_of_rows(stored.problem().matrix, std::vector<Index>{0, 1, 2}),
            std::vector<double>{3.0});
}

}  // namespace
}  // namespace tamis::test
