#include "methods/spec/smooth_eigenpairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tamis {
namespace {

/// Rings of n rows each, one after the other, then rows without edges.
Graph rings(Index n, Index count, Index lonely = 0) {
  Graph graph{.n_rows = n * count + lonely};
  for (Index ring = 0; ring < count; ++ring)
    for (Index i = 0; i + 1 < n; ++i) graph.edges.push_back({ring * n + i, ring * n + i + 1, 0.5});
  for (Index ring = 0; ring < count; ++ring)
    graph.edges.push_back({ring * n, ring * n + n - 1, 0.5});
  return graph;
}

double ring_value(Index n, Index frequency) {
  return 1.0 -
         std::cos(2.0 * std::numbers::pi * static_cast<double>(frequency) / static_cast<double>(n));
}

void expect_values(const SmoothEigenpairs& pairs, std::vector<double> expected) {
  std::vector<double> values = pairs.values;
  std::ranges::sort(values);
  std::ranges::sort(expected);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t j = 0; j < values.size(); ++j) EXPECT_NEAR(values[j], expected[j], 1e-11) << j;
}

TEST(SmoothEigenpairs, OfARingComeInPairsFromEitherSolver) {
  // The second and third eigenvalue are equal: who asks for two gets three.
  for (const Index n : {20, 300, 301, 500}) {
    SCOPED_TRACE(n);
    const double one = ring_value(n, 1);
    const double two = ring_value(n, 2);
    expect_values(smooth_eigenpairs(rings(n, 1), 2), {0.0, one, one});
    expect_values(smooth_eigenpairs(rings(n, 1), 3), {0.0, one, one});
    expect_values(smooth_eigenpairs(rings(n, 1), 4), {0.0, one, one, two, two});
  }
}

TEST(SmoothEigenpairs, CountPiecesAndRowsWithoutEdgesAmongTheZeros) {
  for (const Index n : {10, 130}) {
    SCOPED_TRACE(n);
    const Graph graph = rings(n, 3, /*lonely=*/2);
    const double one = ring_value(n, 1);
    for (const Index k : {2, 5}) expect_values(smooth_eigenpairs(graph, k), {0.0, 0.0, 0.0});
    expect_values(smooth_eigenpairs(graph, 6), {0.0, 0.0, 0.0, one, one, one, one, one, one});
  }
}

TEST(SmoothEigenpairs, AreEigenvectorsAndPerpendicular) {
  for (const Index n : {60, 400}) {
    SCOPED_TRACE(n);
    Graph graph = rings(n, 1, /*lonely=*/1);
    for (Index i = 0; i + 7 < n; i += 3)
      graph.edges.push_back({i, i + 7, 0.1 + 1e-3 * static_cast<double>(i)});
    const SmoothEigenpairs pairs = smooth_eigenpairs(graph, 9);
    const Index count = std::ssize(pairs.values);
    ASSERT_EQ(count, 8);  // the lonely row has the ninth
    const std::vector<double> degree = degrees(graph);
    const auto entry = [&](Index i, Index j) { return pairs.vectors[i * count + j]; };
    for (Index j = 0; j < count; ++j) {
      std::vector<double> image(n + 1, 0.0);
      for (Index i = 0; i < n; ++i) image[i] = entry(i, j);
      for (const auto& [a, b, weight] : graph.edges) {
        const double w = weight / std::sqrt(degree[a] * degree[b]);
        image[a] -= w * entry(b, j);
        image[b] -= w * entry(a, j);
      }
      for (Index i = 0; i <= n; ++i) EXPECT_NEAR(image[i], pairs.values[j] * entry(i, j), 1e-9);
      for (Index k = 0; k <= j; ++k) {
        double product = 0.0;
        for (Index i = 0; i <= n; ++i) product += entry(i, j) * entry(i, k);
        EXPECT_NEAR(product, j == k ? 1.0 : 0.0, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace tamis
