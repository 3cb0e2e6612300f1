#include "methods/sselect/cut_value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tamis {
namespace {

/// Row i joined to i + 1; closed to a ring or not.
Graph chain(Index n, bool closed) {
  Graph graph{.n_rows = n};
  for (Index i = 0; i + 1 < n; ++i) graph.edges.push_back({i, i + 1, 0.5});
  if (closed) graph.edges.push_back({0, n - 1, 0.5});
  return graph;
}

TEST(CutValue, OfACompleteGraphIsNOverNMinusOne) {
  Graph graph{.n_rows = 6};
  for (Index i = 0; i < 6; ++i)
    for (Index j = i + 1; j < 6; ++j) graph.edges.push_back({i, j, 2.0});
  EXPECT_NEAR(cut_value(graph).value(), 6.0 / 5.0, 1e-13);
}

TEST(CutValue, OfARingIsKnownForDenseAndIterativeSolvers) {
  for (const Index n : {10, 300, 301, 700})
    EXPECT_NEAR(cut_value(chain(n, true)).value(),
                1.0 - std::cos(2.0 * std::numbers::pi / static_cast<double>(n)), 1e-11)
        << n;
}

TEST(CutValue, OfAPathIsKnownForDenseAndIterativeSolvers) {
  for (const Index n : {10, 300, 301, 700})
    EXPECT_NEAR(cut_value(chain(n, false)).value(),
                1.0 - std::cos(std::numbers::pi / static_cast<double>(n - 1)), 1e-11)
        << n;
}

TEST(CutValue, IsExactlyZeroForAGraphInPieces) {
  Graph graph = chain(400, true);
  graph.edges.erase(graph.edges.begin() + 100);
  EXPECT_GT(cut_value(graph).value(), 0.0);
  graph.edges.erase(graph.edges.begin() + 200);
  EXPECT_EQ(cut_value(graph).value(), 0.0);
}

TEST(CutValue, DoesNotCountAnEdgeWithoutWeight) {
  Graph graph = chain(10, false);
  graph.edges[4].weight = 0.0;
  EXPECT_EQ(cut_value(graph).value(), 0.0);
}

}  // namespace
}  // namespace tamis
