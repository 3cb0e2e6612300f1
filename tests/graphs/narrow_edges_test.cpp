#include "graphs/narrow_edges.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/cpu.hpp"
#include "graphs/knn_exact.hpp"
#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/table.hpp"

namespace tamis::test {
namespace {

/// Edges by the other way to the same neighbours, which its own tests compare with plain loops.
std::vector<RowPair> edges_of_neighbors(const MatrixView& x, const std::vector<Index>& among,
                                        Index k, Symmetry symmetry) {
  const OwnedTable part = gathered(x, among, all_indices(x.cols()));
  const std::vector<Index> rows = nearest_neighbors(view_of(part), k).rows;
  const auto is_neighbor = [&](Index i, Index j) {
    return std::find(&rows[i * k], &rows[i * k] + k, j) != &rows[i * k] + k;
  };
  std::vector<RowPair> edges;
  for (Index i = 0; i < std::ssize(among); ++i)
    for (Index j = i + 1; j < std::ssize(among); ++j) {
      const int ends = (is_neighbor(i, j) ? 1 : 0) + (is_neighbor(j, i) ? 1 : 0);
      if (ends == 2 || (ends == 1 && symmetry == Symmetry::either))
        edges.push_back({among[i], among[j], squared_distance(x, among[i], among[j])});
    }
  return edges;
}

TEST(NarrowEdges, AreThoseOfTheNearestNeighborsAmongAnyRows) {
  Dense x = random_table(180, 5, 7);
  for (Index i = 0; i < 60; ++i)  // ties and twins
    for (Index r = 0; r < x.cols; ++r) x(i, r) = std::round(2.0 * x(i, r));
  std::vector<Index> odd;
  for (Index i = 1; i < x.rows; i += 2) odd.push_back(i);
  for (const Storage storage : {Storage::dense_double, Storage::dense_float}) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({.x = x}, storage);
    const MatrixView& matrix = stored.problem().matrix;
    for (const auto& among : {all_indices(x.rows), odd})
      for (const Symmetry symmetry : {Symmetry::either, Symmetry::mutual})
        for (const Index k : {1, 6})
          EXPECT_EQ(narrow_neighbor_edges(matrix, among, k, symmetry),
                    edges_of_neighbors(matrix, among, k, symmetry));
  }
}

TEST(NarrowEdges, AreTheSameByProductsOfIntegersHoweverCoarse) {
  Dense x = random_table(300, 20, 5);
  Dense clustered = x;  // so that integers of 16 bits cannot tell neighbours apart
  for (Index i = 0; i < x.rows; ++i)
    for (Index r = 0; r < x.cols; ++r) clustered(i, r) = 1e-4 * x(i, r) + (i % 3 == r ? 50.0 : 0.0);
  Dense integers = x;
  for (double& value : integers.values) value = std::round(2.0 * value);
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    SCOPED_TRACE(std::string(tamis::name_of(target)));
    for (const Dense& table : {x, clustered, integers}) {
      const StoredSample stored({.x = table});
      const MatrixView& matrix = stored.problem().matrix;
      const std::vector<Index> among = all_indices(table.rows);
      for (const Index k : {1, 10, 24})
        EXPECT_EQ(narrow_neighbor_edges(matrix, among, k, Symmetry::either),
                  edges_of_neighbors(matrix, among, k, Symmetry::either));
    }
  }
}

TEST(NarrowEdges, RefuseASparseTable) {
  const StoredSample stored({.x = random_table(20, 3, 1)}, Storage::csr_double);
  const MatrixView& matrix = stored.problem().matrix;
  EXPECT_FALSE(is_narrow(matrix, matrix.rows(), 2));
  EXPECT_NE(message_of<InvalidArgument>(
                [&] { narrow_neighbor_edges(matrix, all_indices(20), 2, Symmetry::either); }),
            "");
}

}  // namespace
}  // namespace tamis::test
