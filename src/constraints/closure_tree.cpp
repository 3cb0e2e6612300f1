#include "constraints/closure_tree.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "constraints/disjoint_sets.hpp"

namespace tamis {
namespace {

constexpr Index kNone = ClosureTree::kNone;

using PairsByWeight = std::map<double, std::vector<RowPair>, std::greater<>>;

PairsByWeight by_weight(std::span<const RowPair> pairs) {
  PairsByWeight levels;
  for (const RowPair& pair : pairs)
    if (pair.weight > 0.0) levels[pair.weight].push_back(pair);
  return levels;
}

/// Every class as must-links of its first row, and every two classes as a cannot-link of theirs.
void add_classes(std::span<const std::vector<Index>> classes, PairsByWeight& must_link,
                 PairsByWeight& cannot_link) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t s = 1; s < classes[c].size(); ++s)
      must_link[1.0].push_back({classes[c][0], classes[c][s]});
    for (std::size_t d = 0; d < c; ++d) cannot_link[1.0].push_back({classes[d][0], classes[c][0]});
  }
}

}  // namespace

/// Grows the tree level by level, a level being all pairs of one weight, the heaviest first.
class ClosureTreeBuilder {
 public:
  ClosureTreeBuilder(ClosureTree& tree, Index rows)
      : tree_(tree), sets_(rows), node_of_root_(rows, kNone) {
    tree_.node_of_row_.assign(rows, kNone);
  }

  void join(const std::vector<RowPair>& must_link, double weight);
  /// Of the same weight, after its must-links.
  void part(const std::vector<RowPair>& cannot_link, double weight);
  /// Tells each node and parting its share.
  void finish();

 private:
  void grow_node(Index new_root, const std::vector<Index>& old_roots, double weight);
  void spread_partings(Index child, Index first_new, double weight);
  void add_parting(Index one, Index other, double weight);
  Index node_at(Index row);
  double weight_around(Index one, Index other) const;

  ClosureTree& tree_;
  DisjointSets sets_;
  std::vector<Index> node_of_root_;
  std::map<std::pair<Index, Index>, double> partings_;  // of two nodes, the lower first
};

void ClosureTreeBuilder::join(const std::vector<RowPair>& must_link, double weight) {
  std::set<Index> old_roots;
  for (const RowPair& pair : must_link)
    old_roots.insert({sets_.root(pair.first), sets_.root(pair.second)});
  for (const RowPair& pair : must_link) sets_.join(pair.first, pair.second);
  std::map<Index, std::vector<Index>> grown;
  for (const Index root : old_roots) grown[sets_.root(root)].push_back(root);
  std::vector<Index> children;
  for (const auto& [new_root, roots] : grown)
    if (roots.size() > 1)
      for (const Index root : roots)
        if (node_of_root_[root] != kNone) children.push_back(node_of_root_[root]);
  const Index first_new = std::ssize(tree_.nodes_);
  for (const auto& [new_root, roots] : grown)
    if (roots.size() > 1) grow_node(new_root, roots, weight);
  for (const Index child : children) spread_partings(child, first_new, weight);
}

void ClosureTreeBuilder::grow_node(Index new_root, const std::vector<Index>& old_roots,
                                   double weight) {
  const Index node = std::ssize(tree_.nodes_);
  for (const Index root : old_roots)
    if (node_of_root_[root] == kNone)
      tree_.node_of_row_[root] = node;  // a row that was alone stands for itself
    else
      tree_.nodes_[node_of_root_[root]].parent = node;
  tree_.nodes_.push_back({.weight = weight});
  node_of_root_[new_root] = node;
}

/// Who is parted from a part is parted from the whole.
void ClosureTreeBuilder::spread_partings(Index child, Index first_new, double weight) {
  const std::vector<ClosureTree::Parting> of_child = tree_.nodes_[child].parted;
  for (const ClosureTree::Parting& parting : of_child) {
    const Index above = tree_.nodes_[parting.other].parent;
    if (above != kNone && above < first_new) continue;  // a larger node took its place before
    add_parting(tree_.nodes_[child].parent, above == kNone ? parting.other : above, weight);
  }
}

void ClosureTreeBuilder::part(const std::vector<RowPair>& cannot_link, double weight) {
  for (const RowPair& pair : cannot_link)
    add_parting(node_at(pair.first), node_at(pair.second), weight);
}

void ClosureTreeBuilder::add_parting(Index one, Index other, double weight) {
  if (!partings_.emplace(std::minmax(one, other), weight).second) return;
  tree_.nodes_[one].parted.push_back({other, weight, weight});
  tree_.nodes_[other].parted.push_back({one, weight, weight});
}

/// The largest node so far that holds the row.
Index ClosureTreeBuilder::node_at(Index row) {
  Index& node = node_of_root_[sets_.root(row)];
  if (node == kNone) {
    node = tree_.node_of_row_[row] = std::ssize(tree_.nodes_);
    tree_.nodes_.emplace_back();
  }
  return node;
}

/// Of the next larger parted nodes: either one of the two grew first, or both grew at once.
double ClosureTreeBuilder::weight_around(Index one, Index other) const {
  const Index above_one = tree_.nodes_[one].parent;
  const Index above_other = tree_.nodes_[other].parent;
  for (const auto& [a, b] : {std::pair(one, above_other), std::pair(above_one, other),
                             std::pair(above_one, above_other)})
    if (const auto found = partings_.find(std::minmax(a, b)); found != partings_.end())
      return found->second;
  return 0.0;
}

void ClosureTreeBuilder::finish() {
  for (Index n = 0; n < std::ssize(tree_.nodes_); ++n) {
    ClosureTree::Node& node = tree_.nodes_[n];
    const double around = node.parent == kNone ? 0.0 : tree_.nodes_[node.parent].weight;
    node.share = node.weight == 0.0 ? 0.0 : node.weight - around;
    std::ranges::sort(node.parted, {}, &ClosureTree::Parting::other);
    for (ClosureTree::Parting& parting : node.parted)
      parting.share = parting.weight - weight_around(n, parting.other);
  }
}

ClosureTree::ClosureTree(std::span<const std::vector<Index>> classes, const PairConstraints& pairs,
                         Index rows) {
  PairsByWeight must_link = by_weight(pairs.must_link);
  PairsByWeight cannot_link = by_weight(pairs.cannot_link);
  add_classes(classes, must_link, cannot_link);
  std::set<double, std::greater<>> levels;
  for (const auto* const kind : {&must_link, &cannot_link})
    for (const auto& [weight, of_weight] : *kind) levels.insert(weight);
  ClosureTreeBuilder builder(*this, rows);
  for (const double weight : levels) {
    builder.join(must_link[weight], weight);
    builder.part(cannot_link[weight], weight);
  }
  builder.finish();
}

Index ClosureTree::root_of(Index row) const {
  Index node = node_of_row_[row];
  while (node != kNone && nodes_[node].parent != kNone) node = nodes_[node].parent;
  return node;
}

double ClosureTree::must_link_weight(Index i, Index j) const {
  Index one = node_of(i);
  Index other = node_of(j);
  while (one != other && one != kNone && other != kNone)  // a parent has the higher number
    (one < other ? one : other) = nodes_[std::min(one, other)].parent;
  return one == other && one != kNone ? nodes_[one].weight : 0.0;
}

double ClosureTree::cannot_link_weight(Index i, Index j) const {
  for (Index one = node_of(i); one != kNone; one = nodes_[one].parent)
    for (Index other = node_of(j); other != kNone; other = nodes_[other].parent) {
      const std::vector<Parting>& parted = nodes_[one].parted;
      const auto found = std::ranges::lower_bound(parted, other, {}, &Parting::other);
      if (found != parted.end() && found->other == other) return found->weight;
    }
  return 0.0;
}

}  // namespace tamis
