#include "methods/csfs/adaptive_sums.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "constraints/pair_sums.hpp"
#include "core/squared_differences.hpp"

namespace tamis {
namespace {

constexpr Index kRows = PairTile::kRows;

/// What every rule for pairs of adaptive weight begins with.
TileRule weighted_pairs(const PairWeight& weight, decltype(TileRule::edit) edit) {
  return {.needs_distances = weight.kernel == Kernel::heat,
          .weigh = [&weight](const TilePairs&, PairTile::Values& values) { weight.apply(values); },
          .edit = std::move(edit)};
}

RowGroups classes_of(const ConstraintSet& constraints) {
  return {constraints.classes().begin(), constraints.classes().end()};
}

/// For each row the later rows that it is not to be paired with.
using Partners = std::vector<std::vector<Index>>;

/// Must-links of neighbours that no label implies.
Partners released_pairs(Index rows, std::span<const RowPair> must_link,
                        const Neighborhood& neighbors) {
  Partners partners(static_cast<std::size_t>(rows));
  for (const RowPair& pair : must_link)
    if (neighbors.holds(pair.first, pair.second)) partners[pair.first].push_back(pair.second);
  return partners;
}

/// Sets the weights of the partners to 0; returns how many pairs of the tile that were.
Index release(const TilePairs& pairs, const Partners& partners, PairTile::Values& weights) {
  Index count = 0;
  for (Index a = 0; a < std::ssize(pairs.left); ++a)
    for (const Index partner : partners[pairs.left[a]]) {
      const auto found = std::ranges::lower_bound(pairs.right, partner);
      if (found == pairs.right.end() || *found != partner) continue;
      weights[a * kRows + (found - pairs.right.begin())] = 0.0;
      ++count;
    }
  return count;
}

/// The pairs within clusters, of which labels and released pairs change some.
PairSums sum_clusters(const MatrixView& x, const KeptConstraints& constraints,
                      const RowGroups& clusters, const PairWeight& weight, const Partners& released,
                      const Progress& progress) {
  const auto edit = [&](const TilePairs& pairs, PairTile::Values& weights) {
    Index count = 0;
    constraints.for_each_link(pairs, [&](Index a, Index b, LinkKind kind) {
      double& w = weights[a * kRows + b];
      w = kind == LinkKind::must_link ? 0.0 : w + w * w;
      count += kind == LinkKind::must_link ? 1 : 0;
    });
    return count + release(pairs, released, weights);
  };
  return sum_group_pairs(x, clusters, weighted_pairs(weight, edit), progress,
                         "pairs within clusters");
}

/// The same of the edges of a graph.
PairSums sum_edges(const MatrixView& x, const KeptConstraints& constraints, const Graph& graph,
                   const PairWeight& weight, const Partners& released) {
  PairSums sums{.degrees = std::vector<double>(static_cast<std::size_t>(x.rows()), 0.0)};
  std::vector<RowPair> edges = graph.edges;
  for (auto& [i, j, value] : edges) {
    double w = weight(value);
    sums.degrees[i] += w;
    sums.degrees[j] += w;
    if (constraints.parts(i, j)) w += w * w;
    if (constraints.joins(i, j) || std::ranges::find(released[i], j) != released[i].end()) {
      w = 0.0;
      ++sums.counted;
    }
    value = w;
    sums.weight += w;
    sums.squared_weight += w * w;
  }
  sums.differences = squared_difference_sums(x, edges);
  return sums;
}

PairSums sum_neighbors(const MatrixView& x, const KeptConstraints& constraints,
                       const Neighborhood& neighbors, const PairWeight& weight,
                       const Partners& released, const Progress& progress) {
  if (const RowGroups* const clusters = neighbors.clusters())
    return sum_clusters(x, constraints, *clusters, weight, released, progress);
  return sum_edges(x, constraints, *neighbors.graph(), weight, released);
}

/// The pairs that labels join although they are no neighbours.
PairSums sum_attracted(const MatrixView& x, const KeptConstraints& constraints,
                       const Neighborhood& neighbors, const PairWeight& weight,
                       const Progress& progress) {
  const auto edit = [&](const TilePairs& pairs, PairTile::Values& weights) {
    Index count = 0;
    PairTile::Values attracted{};
    constraints.for_each_link(pairs, [&](Index a, Index b, LinkKind) {
      if (neighbors.holds(pairs.left[a], pairs.right[b])) return;
      const double w = weights[a * kRows + b];
      attracted[a * kRows + b] = w * w;
      ++count;
    });
    weights = attracted;
    return count;
  };
  TileRule rule = weighted_pairs(weight, edit);
  rule.is_empty = [&](const TilePairs& pairs) {
    return neighbors.share_a_cluster(pairs.left, pairs.right);
  };
  return sum_group_pairs(x, classes_of(constraints.all()), rule, progress, "pairs within classes");
}

/// Adds v w^2 for a pair that has `base` so far.
void add_squared_weight(double base, RowPair& pair, double w, AdaptiveSums& sums) {
  pair.weight *= w * w;
  sums.weight += pair.weight;
  sums.squared_weight += (2.0 * base + pair.weight) * pair.weight;
}

/// What explicit pairs add: those that labels do not imply, and what others weigh more.
void add_given(const MatrixView& x, const KeptConstraints& constraints,
               const Neighborhood& neighbors, const PairWeight& weight, AdaptiveSums& sums) {
  std::vector<RowPair> more;
  const auto w_of = [&](const RowPair& pair) {
    return weight(squared_distance(x, pair.first, pair.second));
  };
  for (RowPair pair : constraints.given(LinkKind::must_link)) {
    const bool is_new = !constraints.all().are_labeled(pair);
    const bool is_attracted = !neighbors.holds(pair.first, pair.second);
    sums.must_links += is_new ? 1 : 0;
    if (!is_attracted) continue;
    const double w = w_of(pair);
    sums.edges += is_new ? 1 : 0;
    add_squared_weight(is_new ? 0.0 : w * w, pair, w, sums);
    more.push_back(pair);
  }
  for (RowPair pair : constraints.given(LinkKind::cannot_link)) {
    if (!neighbors.holds(pair.first, pair.second)) continue;
    const double w = w_of(pair);
    add_squared_weight(constraints.all().are_labeled(pair) ? w + w * w : w, pair, w, sums);
    more.push_back(pair);
  }
  if (more.empty()) return;
  const std::vector<double> differences = squared_difference_sums(x, more);
  for (Index r = 0; r < x.cols(); ++r) sums.differences[r] += differences[r];
}

}  // namespace

AdaptiveSums adaptive_sums(const MatrixView& x, const KeptConstraints& constraints,
                           const Neighborhood& neighbors, const PairWeight& weight,
                           const Progress& progress) {
  std::vector<RowPair> must_link = constraints.given(LinkKind::must_link);
  std::erase_if(must_link, [&](const RowPair& p) { return constraints.all().are_labeled(p); });
  const PairSums near = sum_neighbors(x, constraints, neighbors, weight,
                                      released_pairs(x.rows(), must_link, neighbors), progress);
  const PairSums far = sum_attracted(x, constraints, neighbors, weight, progress);
  AdaptiveSums sums{.differences = near.differences,
                    .degrees = near.degrees,
                    .weight = near.weight + far.weight,
                    .squared_weight = near.squared_weight + far.squared_weight,
                    .neighbors = neighbors.n_pairs()};
  for (Index r = 0; r < x.cols(); ++r) sums.differences[r] += far.differences[r];
  const Index released_by_pairs = std::ranges::count_if(
      must_link, [&](const RowPair& pair) { return neighbors.holds(pair.first, pair.second); });
  sums.edges = sums.neighbors - near.counted + far.counted;
  sums.must_links = near.counted - released_by_pairs + far.counted;
  add_given(x, constraints, neighbors, weight, sums);
  return sums;
}

KeptCannotLinks kept_cannot_links(const MatrixView& x, const KeptConstraints& constraints,
                                  std::span<const double> degrees, const Progress& progress) {
  if (!constraints.are_selected())
    return {.terms = {.sums = cannot_link_sums(x, constraints.all(), degrees),
                      .weights = constraints.all().cannot_link_weights()},
            .count = constraints.all().n_cannot_link()};
  const TileRule rule{
      .needs_distances = false,
      .weigh =
          [&](const TilePairs& pairs, PairTile::Values& weights) {
            weights.fill(0.0);
            constraints.for_each_link(pairs, [&](Index a, Index b, LinkKind kind) {
              if (kind == LinkKind::cannot_link) weights[a * kRows + b] = 1.0;
            });
          },
      .edit = [&](const TilePairs& pairs, PairTile::Values& weights) -> Index {
        std::array<double, kRows> of_right{};
        for (std::size_t b = 0; b < pairs.right.size(); ++b) of_right[b] = degrees[pairs.right[b]];
        for (Index a = 0; a < std::ssize(pairs.left); ++a)
          for (Index b = 0; b < kRows; ++b)
            weights[a * kRows + b] *= degrees[pairs.left[a]] + of_right[b];
        return 0;
      },
      .is_empty = [&](const TilePairs& pairs) { return constraints.all_joined(pairs); }};
  RowGroups labeled(1);
  for (const auto& rows : constraints.all().classes())
    labeled[0].insert(labeled[0].end(), rows.begin(), rows.end());
  PairSums sums = sum_group_pairs(x, labeled, rule, progress, "pairs of two classes");
  KeptCannotLinks kept{
      .terms = {.sums = std::move(sums.differences), .weights = std::move(sums.degrees)}};
  const double ends = std::accumulate(kept.terms.weights.begin(), kept.terms.weights.end(), 0.0);
  std::vector<RowPair> given = constraints.given(LinkKind::cannot_link);
  kept.count = static_cast<Index>(ends) / 2 + std::ssize(given);
  for (RowPair& pair : given) {
    kept.terms.weights[pair.first] += pair.weight;
    kept.terms.weights[pair.second] += pair.weight;
    pair.weight *= degrees[pair.first] + degrees[pair.second];
  }
  const std::vector<double> more = squared_difference_sums(x, given);
  for (Index r = 0; r < x.cols(); ++r) kept.terms.sums[r] += more[r];
  return kept;
}

std::vector<RowPair> listed_cannot_links(const KeptConstraints& constraints) {
  std::vector<RowPair> pairs = constraints.all().cannot_link_pairs();
  const std::vector<RowPair> given = constraints.given(LinkKind::cannot_link);
  std::erase_if(pairs, [&](const RowPair& pair) {
    return !constraints.parts(pair.first, pair.second) &&
           std::ranges::find(given, pair) == given.end();
  });
  return pairs;
}

}  // namespace tamis
