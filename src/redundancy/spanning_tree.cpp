#include "redundancy/spanning_tree.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <queue>
#include <unordered_map>

#include "core/simd.hpp"
#include "redundancy/correlation_filter.hpp"

namespace tamis {
namespace {

/// Floats that are not negative order like the integers of the same bits; loops over integers
/// vectorise.
std::int32_t bits_of(float value) { return std::bit_cast<std::int32_t>(value); }
constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::max();

/// One step of Prim's algorithm in float32, over the row of the column that joins. A waiting column
/// (is_waiting = -1, else 0) raises its level to the largest |rho| with the tree. A joined one
/// lowers its level to `joined_at`, and is marked if its |rho| reaches the level. Returns the
/// largest level that waits, or -1.
std::int32_t join(const float* row, const std::int32_t* is_waiting, std::int32_t joined_at, Index n,
                  std::int32_t* level, unsigned char* marks) {
  return for_this_cpu([=](auto) TAMIS_KERNEL {
    std::int32_t best = -1;
    for (Index u = 0; u < n; ++u) {
      const auto value = std::bit_cast<std::int32_t>(row[u]);
      const std::int32_t raised = std::max(level[u], value);
      const std::int32_t lowered = std::min(level[u], joined_at);
      const bool waits = is_waiting[u] != 0;
      level[u] = waits ? raised : lowered;
      best = std::max(best, waits ? raised : -1);
      marks[u] = static_cast<unsigned char>(!waits && value >= lowered ? 1 : 0);
    }
    return best;
  });
}

/// All pairs of columns that may be edges of the tree, and few others.
///
/// In the order in which columns join, the weakest edge on the path between two of them is the
/// weakest at which any joined after the first, up to the second. A pair below it by more than the
/// errors of both is the one smallest value of a cycle: no maximum spanning tree contains it, so
/// Prim's algorithm with exact values picks the same edges from what is left.
/// A column whose |rho| with all of the tree is 0 joins the first column: its pairs are kept.
std::vector<PositionPair> possible_edges(const ScaledColumns& columns) {
  std::vector<PositionPair> pairs;
  for (Index u = 1; u < columns.count(); ++u) pairs.push_back({0, u});
  const FilteredCorrelations filtered = filter_correlations(columns);
  const Index n = columns.count();
  std::vector<std::int32_t> is_waiting(n, 0);
  std::vector<std::int32_t> level(n, kNever);  // never marked: constant columns, which never join
  Index next = n;
  for (Index u = n - 1; u >= 0; --u) {
    if (columns.is_constant(u)) continue;
    is_waiting[u] = -1;
    level[u] = 0;
    next = u;
  }
  std::vector<unsigned char> marks(n + kMarksBeyond);
  std::int32_t joined_at = kNever;
  while (next < n) {
    is_waiting[next] = 0;
    level[next] = kNever;
    const std::int32_t best =
        join(filtered.row(next), is_waiting.data(), joined_at, n, level.data(), marks.data());
    level[next] = kNever;
    marks[next] = 0;
    for_each_marked(marks.data(), n, [&](Index u) {
      if (u != 0 && next != 0) pairs.push_back({std::min(u, next), std::max(u, next)});
    });
    if (best < 0) break;
    next = 0;
    while (is_waiting[next] == 0 || level[next] != best) ++next;
    const double certain = std::bit_cast<float>(best) - 2.0 * filtered.error;
    joined_at = bits_of(std::max(0.0F, static_cast<float>(certain)));
  }
  return pairs;
}

/// An edge from a column in the tree to one that may join; the best is the largest.
struct Offer {
  double correlation;
  Index joins;
  Index member;

  friend bool operator<(const Offer& a, const Offer& b) {
    if (a.correlation != b.correlation) return a.correlation < b.correlation;
    return a.joins != b.joins ? a.joins > b.joins : a.member > b.member;
  }
};

/// Prim's algorithm on a connected graph of n vertices, from the first.
std::vector<Offer> grow_tree(Index n, std::span<const PositionPair> pairs,
                             std::span<const double> correlations) {
  std::vector<std::vector<Offer>> offers(n);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [a, b] = pairs[k];
    offers[a].push_back({correlations[k], b, a});
    offers[b].push_back({correlations[k], a, b});
  }
  std::vector<bool> has_joined(n, false);
  std::priority_queue<Offer> open;
  std::vector<Offer> tree;
  const auto join_tree = [&](Index v) {
    has_joined[v] = true;
    for (const Offer& offer : offers[v])
      if (!has_joined[offer.joins]) open.push(offer);
  };
  join_tree(0);
  for (; !open.empty();) {
    const Offer best = open.top();
    open.pop();
    if (has_joined[best.joins]) continue;
    tree.push_back(best);
    join_tree(best.joins);
  }
  return tree;
}

}  // namespace

std::vector<Redundancy::Edge> maximum_spanning_tree(const MatrixView& x,
                                                    std::span<const Index> columns) {
  if (columns.size() < 2) return {};
  const ScaledColumns scaled(x, columns);
  const std::vector<PositionPair> pairs = possible_edges(scaled);
  std::vector<Redundancy::Edge> tree;
  for (const Offer& edge : grow_tree(scaled.count(), pairs, absolute_correlations(scaled, pairs)))
    tree.push_back({columns[edge.member], columns[edge.joins], edge.correlation});
  return tree;
}

std::vector<Redundancy::Edge> maximum_spanning_tree(
    std::span<const Index> columns, const std::function<double(Index, Index)>& correlation) {
  const auto offer = [&](Index joins, Index member) {
    return Offer{correlation(columns[joins], columns[member]), joins, member};
  };
  std::vector<Offer> best;  // that each column has which may join
  for (Index u = 1; u < std::ssize(columns); ++u) best.push_back(offer(u, 0));
  std::vector<Redundancy::Edge> tree;
  while (!best.empty()) {
    std::swap(*std::max_element(best.begin(), best.end()), best.back());
    const Offer taken = best.back();
    best.pop_back();
    tree.push_back({columns[taken.member], columns[taken.joins], taken.correlation});
    for (Offer& open : best) open = std::max(open, offer(open.joins, taken.joins));
  }
  return tree;
}

Pruned prune_along_tree(std::span<const Index> columns, std::span<const Redundancy::Edge> tree,
                        double threshold) {
  struct Neighbor {
    Index column;
    double correlation;
  };
  std::unordered_map<Index, std::vector<Neighbor>> neighbors;
  for (const Redundancy::Edge& edge : tree) {
    if (edge.correlation < threshold) continue;
    neighbors[edge.first].push_back({edge.second, edge.correlation});
    neighbors[edge.second].push_back({edge.first, edge.correlation});
  }
  std::unordered_map<Index, Redundancy::Removal> removals;
  Pruned pruned;
  for (const Index column : columns) {
    if (const auto removal = removals.find(column); removal != removals.end()) {
      pruned.removed.push_back(removal->second);
      continue;
    }
    pruned.kept.push_back(column);
    for (const auto& [other, correlation] : neighbors[column])
      removals.try_emplace(other, Redundancy::Removal{other, column, correlation});
  }
  return pruned;
}

}  // namespace tamis
