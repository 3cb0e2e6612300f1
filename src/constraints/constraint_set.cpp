#include "constraints/constraint_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "constraints/disjoint_sets.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

bool comes_before(const RowPair& a, const RowPair& b) {
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}

RowPair ordered(Index i, Index j, double weight = 1.0) {
  return {std::min(i, j), std::max(i, j), weight};
}

bool are_same_rows(const RowPair& a, const RowPair& b) {
  return a.first == b.first && a.second == b.second;
}

bool lists(std::span<const RowPair> pairs, Index i, Index j) {
  return std::ranges::binary_search(pairs, ordered(i, j), comes_before);
}

/// The pairs in order, each once: of a pair that is given twice, the larger weight counts, and one
/// of weight 0 counts for nothing.
std::vector<RowPair> each_once(std::vector<RowPair> pairs) {
  std::erase_if(pairs, [](const RowPair& pair) { return pair.weight == 0.0; });
  for (RowPair& pair : pairs) pair = ordered(pair.first, pair.second, pair.weight);
  std::ranges::sort(pairs, [](const RowPair& a, const RowPair& b) {
    return are_same_rows(a, b) ? a.weight > b.weight : comes_before(a, b);
  });
  pairs.erase(std::unique(pairs.begin(), pairs.end(), are_same_rows), pairs.end());
  return pairs;
}

bool are_labeled(const std::vector<Index>& labels, const RowPair& pair) {
  return labels[pair.first] != kUnlabeled && labels[pair.second] != kUnlabeled;
}

/// What the pairs say beyond the labels, in order, each once.
std::vector<RowPair> extra_pairs(const std::vector<Index>& labels, std::vector<RowPair> pairs) {
  pairs = each_once(std::move(pairs));
  for (RowPair& pair : pairs)
    if (are_labeled(labels, pair)) pair.weight = std::max(pair.weight - 1.0, 0.0);
  std::erase_if(pairs, [](const RowPair& pair) { return pair.weight == 0.0; });
  return pairs;
}

/// How many of the extra pairs no label implies.
Index count_new(const std::vector<Index>& labels, std::span<const RowPair> extra) {
  return std::ranges::count_if(extra,
                               [&](const RowPair& pair) { return !are_labeled(labels, pair); });
}

double total_weight(std::span<const RowPair> pairs) {
  return std::transform_reduce(pairs.begin(), pairs.end(), 0.0, std::plus{},
                               [](const RowPair& pair) { return pair.weight; });
}

/// Sorts pairs of which some come twice, from labels and as extra weight, and adds those up.
void sort_and_add_up(std::vector<RowPair>& pairs) {
  std::ranges::sort(pairs, comes_before);
  for (std::size_t s = 1; s < pairs.size(); ++s)
    if (are_same_rows(pairs[s - 1], pairs[s])) pairs[s - 1].weight += pairs[s].weight;
  pairs.erase(std::unique(pairs.begin(), pairs.end(), are_same_rows), pairs.end());
}

/// Rows joined by labels and must-links; refuses a must-link that would merge two classes.
DisjointSets join_rows(const Knowledge& known, Index rows) {
  DisjointSets sets(rows);
  for (const std::vector<Index>& members : rows_by_class(known))
    for (const Index row : members) sets.join(members.front(), row);
  std::vector<Index> label_of_root(rows, kUnlabeled);
  for (const Index row : labeled_rows(known)) label_of_root[sets.root(row)] = known.label(row);
  for (const RowPair& pair : known.pairs->must_link) {
    if (pair.weight == 0.0) continue;
    const Index one = label_of_root[sets.root(pair.first)];
    const Index other = label_of_root[sets.root(pair.second)];
    if (one != kUnlabeled && other != kUnlabeled && one != other)
      throw DataError(fmt::format(
          "rows {} and {} contradict: a must-link joins them, but labels and must-links put the "
          "first into class {} and the second into class {}",
          row_name(known, pair.first), row_name(known, pair.second), class_name(known, one),
          class_name(known, other)));
    sets.join(pair.first, pair.second);
    label_of_root[sets.root(pair.first)] = std::max(one, other);
  }
  return sets;
}

void check_contradictions(const Knowledge& known, Index rows) {
  DisjointSets sets = join_rows(known, rows);
  for (const RowPair& pair : known.pairs->cannot_link)
    if (pair.weight > 0.0 && sets.together(pair.first, pair.second))
      throw DataError(fmt::format(
          "rows {} and {} contradict: a cannot-link parts them, but must-links and labels put them "
          "together",
          row_name(known, pair.first), row_name(known, pair.second)));
}

Index pairs_within(Index n) { return n * (n - 1) / 2; }

}  // namespace

void check_pair_count(std::string_view kind, Index count) {
  if (count > kMaxListedPairs)
    throw DataError(
        fmt::format("{} {} pairs are too many to list (at most {}): give fewer labels or pairs",
                    count, kind, kMaxListedPairs));
}

ConstraintSet::ConstraintSet(const Knowledge& known, Index rows)
    : labels_(rows, kUnlabeled), classes_(rows_by_class(known)) {
  for (Index i = 0; i < rows; ++i) labels_[i] = known.label(i);
  if (!known.pairs) return;
  check_contradictions(known, rows);
  extra_must_link_ = extra_pairs(labels_, known.pairs->must_link);
  extra_cannot_link_ = extra_pairs(labels_, known.pairs->cannot_link);
}

ConstraintSet::ConstraintSet(Index rows, const PairConstraints& pairs)
    : labels_(rows, kUnlabeled),
      extra_must_link_(each_once(pairs.must_link)),
      extra_cannot_link_(each_once(pairs.cannot_link)) {}

Index ConstraintSet::n_must_link() const {
  Index count = count_new(labels_, extra_must_link_);
  for (const auto& rows : classes_) count += pairs_within(std::ssize(rows));
  return count;
}

Index ConstraintSet::n_cannot_link() const {
  Index count = count_new(labels_, extra_cannot_link_);
  Index seen = 0;
  for (const auto& rows : classes_) {
    count += seen * std::ssize(rows);
    seen += std::ssize(rows);
  }
  return count;
}

bool ConstraintSet::are_must_linked(Index i, Index j) const {
  if (labels_[i] != kUnlabeled && labels_[j] != kUnlabeled) return labels_[i] == labels_[j];
  return lists(extra_must_link_, i, j);
}

bool ConstraintSet::are_cannot_linked(Index i, Index j) const {
  if (labels_[i] != kUnlabeled && labels_[j] != kUnlabeled) return labels_[i] != labels_[j];
  return lists(extra_cannot_link_, i, j);
}

double ConstraintSet::must_link_weight() const {
  const Index from_labels = n_must_link() - count_new(labels_, extra_must_link_);
  return static_cast<double>(from_labels) + total_weight(extra_must_link_);
}

double ConstraintSet::cannot_link_weight() const {
  const Index from_labels = n_cannot_link() - count_new(labels_, extra_cannot_link_);
  return static_cast<double>(from_labels) + total_weight(extra_cannot_link_);
}

std::vector<double> ConstraintSet::cannot_link_weights() const {
  std::vector<double> weights(labels_.size(), 0.0);
  const Index labeled = std::ssize(labels_) - std::ranges::count(labels_, kUnlabeled);
  for (const auto& rows : classes_)
    for (const Index row : rows) weights[row] = static_cast<double>(labeled - std::ssize(rows));
  for (const RowPair& pair : extra_cannot_link_) {
    weights[pair.first] += pair.weight;
    weights[pair.second] += pair.weight;
  }
  return weights;
}

std::vector<RowPair> ConstraintSet::must_link_pairs() const {
  check_pair_count("must-link", n_must_link());
  std::vector<RowPair> pairs;
  pairs.reserve(n_must_link());
  pairs.assign(extra_must_link_.begin(), extra_must_link_.end());
  for (const auto& rows : classes_)
    for (std::size_t b = 1; b < rows.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) pairs.push_back({rows[a], rows[b]});
  sort_and_add_up(pairs);
  return pairs;
}

std::vector<RowPair> ConstraintSet::cannot_link_pairs() const {
  check_pair_count("cannot-link", n_cannot_link());
  std::vector<RowPair> pairs;
  pairs.reserve(n_cannot_link());
  pairs.assign(extra_cannot_link_.begin(), extra_cannot_link_.end());
  for (std::size_t b = 1; b < classes_.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      for (const Index i : classes_[a])
        for (const Index j : classes_[b]) pairs.push_back(ordered(i, j));
  sort_and_add_up(pairs);
  return pairs;
}

}  // namespace tamis
