#include "constraints/constraint_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "constraints/disjoint_sets.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

bool comes_before(const RowPair& a, const RowPair& b) {
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}

RowPair ordered(Index i, Index j) { return {std::min(i, j), std::max(i, j)}; }

bool lists(std::span<const RowPair> pairs, Index i, Index j) {
  return std::ranges::binary_search(pairs, ordered(i, j), comes_before);
}

/// The pairs in order, each once and of weight 1.
std::vector<RowPair> each_once(std::vector<RowPair> pairs) {
  for (RowPair& pair : pairs) pair = ordered(pair.first, pair.second);
  std::ranges::sort(pairs, comes_before);
  const auto repeated = std::ranges::unique(pairs);
  pairs.erase(repeated.begin(), repeated.end());
  return pairs;
}

/// The pairs that labels say nothing about, in order, each once.
std::vector<RowPair> extra_pairs(const Knowledge& known, const std::vector<RowPair>& pairs) {
  std::vector<RowPair> extra;
  for (const RowPair& pair : pairs)
    if (known.label(pair.first) == kUnlabeled || known.label(pair.second) == kUnlabeled)
      extra.push_back(pair);
  return each_once(std::move(extra));
}

/// Rows joined by labels and must-links; refuses a must-link that would merge two classes.
DisjointSets join_rows(const Knowledge& known, Index rows) {
  DisjointSets sets(rows);
  for (const std::vector<Index>& members : rows_by_class(known))
    for (const Index row : members) sets.join(members.front(), row);
  std::vector<Index> label_of_root(rows, kUnlabeled);
  for (const Index row : labeled_rows(known)) label_of_root[sets.root(row)] = known.label(row);
  for (const RowPair& pair : known.pairs->must_link) {
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
    if (sets.together(pair.first, pair.second))
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
  extra_must_link_ = extra_pairs(known, known.pairs->must_link);
  extra_cannot_link_ = extra_pairs(known, known.pairs->cannot_link);
}

ConstraintSet::ConstraintSet(Index rows, const PairConstraints& pairs)
    : labels_(rows, kUnlabeled),
      extra_must_link_(each_once(pairs.must_link)),
      extra_cannot_link_(each_once(pairs.cannot_link)) {}

Index ConstraintSet::n_must_link() const {
  Index count = std::ssize(extra_must_link_);
  for (const auto& rows : classes_) count += pairs_within(std::ssize(rows));
  return count;
}

Index ConstraintSet::n_cannot_link() const {
  Index count = std::ssize(extra_cannot_link_);
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

std::vector<Index> ConstraintSet::cannot_link_counts() const {
  std::vector<Index> counts(labels_.size(), 0);
  const Index labeled = std::ssize(labels_) - std::ranges::count(labels_, kUnlabeled);
  for (const auto& rows : classes_)
    for (const Index row : rows) counts[row] = labeled - std::ssize(rows);
  for (const RowPair& pair : extra_cannot_link_) {
    ++counts[pair.first];
    ++counts[pair.second];
  }
  return counts;
}

std::vector<RowPair> ConstraintSet::must_link_pairs() const {
  check_pair_count("must-link", n_must_link());
  std::vector<RowPair> pairs;
  pairs.reserve(n_must_link());
  pairs.assign(extra_must_link_.begin(), extra_must_link_.end());
  for (const auto& rows : classes_)
    for (std::size_t b = 1; b < rows.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) pairs.push_back({rows[a], rows[b]});
  std::ranges::sort(pairs, comes_before);
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
  std::ranges::sort(pairs, comes_before);
  return pairs;
}

}  // namespace tamis
