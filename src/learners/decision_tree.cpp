#include "learners/decision_tree.hpp"

#include <algorithm>
#include <numeric>

#include "core/listed_columns.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using Entry = SortedColumns::Entry;

constexpr Index kBlockRows = 64;
/// Entries that are worth a task of their own.
constexpr Index kTaskEntries = Index{1} << 14;
constexpr double kLeastGain = 1e-12;

/// How many rows of each class there are, and the sum of their squares. Whole numbers, so no
/// rounding depends on the way they were counted.
class ClassCounts {
 public:
  explicit ClassCounts(Index n_classes) : counts_(n_classes, 0.0) {}

  void add(Index c) {
    squares_ += 2.0 * counts_[c] + 1.0;
    counts_[c] += 1.0;
    size_ += 1.0;
  }
  void remove(Index c) {
    counts_[c] -= 1.0;
    squares_ -= 2.0 * counts_[c] + 1.0;
    size_ -= 1.0;
  }
  void clear() {
    std::ranges::fill(counts_, 0.0);
    squares_ = size_ = 0.0;
  }

  double size() const { return size_; }
  /// sum of n_c^2 / n = n (1 - Gini impurity)
  double purity() const { return squares_ / size_; }
  bool is_pure() const { return squares_ == size_ * size_; }
  Index most_frequent() const { return std::ranges::max_element(counts_) - counts_.begin(); }

 private:
  std::vector<double> counts_;
  double squares_ = 0.0;
  double size_ = 0.0;
};

/// A tree while it grows. A node's rows are a run of the entries, the same one in each column.
class Growth {
 public:
  Growth(std::vector<Entry> entries, std::span<const Index> classes, Index n_classes)
      : entries_(std::move(entries)),
        classes_(classes),
        n_classes_(n_classes),
        n_columns_(std::ssize(entries_) / std::ssize(classes)),
        goes_left_(classes.size()),
        moved_(entries_.size()) {}

  /// Nodes whose columns and classes are positions.
  std::vector<DecisionTree::Node> run() {
    nodes_.resize(1);
    open_.push_back({0, 0, std::ssize(classes_)});
    while (!open_.empty()) {
      const Run part = open_.back();
      open_.pop_back();
      grow(part);
    }
    return std::move(nodes_);
  }

 private:
  struct Run {
    Index node;
    Index begin;
    Index end;
    Index size() const { return end - begin; }
  };
  struct Split {
    Index column = -1;
    Index place = -1;  // of the last entry that goes left
  };

  Entry* column(Index c) { return entries_.data() + c * std::ssize(classes_); }

  ClassCounts count(const Run& part) {
    ClassCounts counts(n_classes_);
    for (Index k = part.begin; k < part.end; ++k) counts.add(classes_[column(0)[k].sample]);
    return counts;
  }

  void grow(const Run& part) {
    const ClassCounts counts = count(part);
    const Split split = counts.is_pure() ? Split{} : best_split(part, counts);
    DecisionTree::Node& node = nodes_[part.node];
    if (split.column < 0) {
      node.next = counts.most_frequent();
      return;
    }
    const double below = column(split.column)[split.place].value;
    const double above = column(split.column)[split.place + 1].value;
    const double half = std::midpoint(below, above);
    const Index next = std::ssize(nodes_);
    node = {split.column, half < above ? half : below, next};
    nodes_.resize(nodes_.size() + 2);
    part_entries(part, split);
    open_.push_back({next + 1, split.place + 1, part.end});
    open_.push_back({next, part.begin, split.place + 1});
  }

  /// Calls visit(k, gain) for each entry k of a column that can be the last on the left, until it
  /// returns true.
  template <class Visit>
  void for_each_split(Index c, const Run& part, const ClassCounts& all, const Visit& visit) {
    const Entry* const entries = column(c);
    if (entries[part.begin].value == entries[part.end - 1].value) return;
    ClassCounts left(n_classes_);
    ClassCounts right = all;
    for (Index k = part.begin; k + 1 < part.end; ++k) {
      left.add(classes_[entries[k].sample]);
      right.remove(classes_[entries[k].sample]);
      if (entries[k].value == entries[k + 1].value) continue;
      if (visit(k, (left.purity() + right.purity() - all.purity()) / all.size())) return;
    }
  }

  /// The first split, by column and threshold, whose gain ties with the largest.
  Split best_split(const Run& part, const ClassCounts& counts) {
    std::vector<double> gains(n_columns_, 0.0);
    parallel_for(n_columns_, columns_per_task(part), [&](Index begin, Index end) {
      for (Index c = begin; c < end; ++c)
        for_each_split(c, part, counts, [&](Index, double gain) {
          gains[c] = std::max(gains[c], gain);
          return false;
        });
    });
    const double largest = *std::ranges::max_element(gains);
    if (!(largest > kLeastGain)) return {};
    const double enough = largest - kLeastGain;
    Split split;
    split.column =
        std::ranges::find_if(gains, [&](double gain) { return gain >= enough; }) - gains.begin();
    for_each_split(split.column, part, counts, [&](Index k, double gain) {
      split.place = k;
      return gain >= enough;
    });
    return split;
  }

  /// Moves the entries that go left to the front of the run, in every column, keeping their order.
  void part_entries(const Run& part, const Split& split) {
    for (Index k = part.begin; k < part.end; ++k)
      goes_left_[column(split.column)[k].sample] = k <= split.place;
    parallel_for(n_columns_, columns_per_task(part), [&](Index begin, Index end) {
      for (Index c = begin; c < end; ++c) {
        if (c == split.column) continue;
        Entry* left = column(c) + part.begin;
        Entry* const right_begin = moved_.data() + (left - entries_.data());
        Entry* right = right_begin;
        for (const Entry* entry = left; entry != column(c) + part.end; ++entry)
          *(goes_left_[entry->sample] ? left++ : right++) = *entry;
        std::copy(right_begin, right, left);
      }
    });
  }

  static Index columns_per_task(const Run& part) {
    return std::max<Index>(1, kTaskEntries / part.size());
  }

  std::vector<Entry> entries_;
  std::span<const Index> classes_;
  Index n_classes_;
  Index n_columns_;
  std::vector<unsigned char> goes_left_;  // by sample
  std::vector<Entry> moved_;
  std::vector<DecisionTree::Node> nodes_;
  std::vector<Run> open_;
};

}  // namespace

std::vector<Index> DecisionTree::predict(const MatrixView& x, std::span<const Index> rows) const {
  std::vector<Index> predicted(rows.size());
  const std::vector<Index> asked = columns();
  const DecisionTree tree = renumbered();
  parallel_for_with(
      std::ssize(rows), kBlockRows, [&] { return std::vector<double>(kBlockRows * asked.size()); },
      [&](std::vector<double>& values, Index begin, Index end) {
        copy_listed_columns(x, rows.subspan(begin, end - begin), asked, values.data());
        for (Index s = begin; s < end; ++s) {
          const double* const row = values.data() + (s - begin) * std::ssize(asked);
          predicted[s] = tree.predict([&](Index c) { return row[c]; });
        }
      });
  return predicted;
}

DecisionTree DecisionTree::renumbered() const {
  const std::vector<Index> asked = columns();
  std::vector<Node> nodes = nodes_;
  for (Node& node : nodes)
    if (node.column >= 0)
      node.column = std::ranges::lower_bound(asked, node.column) - asked.begin();
  return DecisionTree(std::move(nodes));
}

std::vector<Index> DecisionTree::columns() const {
  std::vector<Index> asked;
  for (const Node& node : nodes_)
    if (node.column >= 0) asked.push_back(node.column);
  std::ranges::sort(asked);
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  return asked;
}

SortedColumns::SortedColumns(const MatrixView& x, std::span<const Index> rows,
                             std::span<const Index> classes, std::vector<Index> columns)
    : columns_(std::move(columns)), labels_(classes.begin(), classes.end()) {
  if (rows.empty()) throw InvalidArgument("decision_tree: there is no training row");
  std::ranges::sort(labels_);
  labels_.erase(std::unique(labels_.begin(), labels_.end()), labels_.end());
  if (labels_.front() < 0)
    throw InvalidArgument("decision_tree: a training row has no label: leave it out");
  for (const Index label : classes)
    classes_.push_back(std::ranges::lower_bound(labels_, label) - labels_.begin());
  const Index n = std::ssize(rows);
  entries_.resize(rows.size() * columns_.size());
  std::vector<double> values(columns_.size());
  for (Index s = 0; s < n; ++s) {
    copy_listed_columns(x, rows.subspan(s, 1), columns_, values.data());
    for (std::size_t c = 0; c < columns_.size(); ++c) entries_[c * n + s] = {values[c], s};
  }
  parallel_for(std::ssize(columns_), std::max<Index>(1, kTaskEntries / n),
               [&](Index begin, Index end) {
                 for (Index c = begin; c < end; ++c)
                   std::ranges::sort(std::span(entries_).subspan(c * n, n), {}, &Entry::value);
               });
}

DecisionTree SortedColumns::grow(Index n_columns) const {
  const auto n = static_cast<Index>(classes_.size());
  Growth growth({entries_.begin(), entries_.begin() + n_columns * n}, classes_,
                std::ssize(labels_));
  std::vector<DecisionTree::Node> nodes = growth.run();
  for (DecisionTree::Node& node : nodes)
    if (node.column >= 0)
      node.column = columns_[node.column];
    else
      node.next = labels_[node.next];
  return DecisionTree(std::move(nodes));
}

}  // namespace tamis
