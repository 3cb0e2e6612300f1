#pragma once

#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// A tree of questions "is the value of this column at most the threshold?" whose leaves are
/// classes.
class DecisionTree {
 public:
  struct Node {
    Index column = -1;  ///< that is asked for; -1: a leaf
    double threshold = 0.0;
    Index next =
        0;  ///< the node of a yes, that of a no coming right after it; of a leaf, the class
  };

  explicit DecisionTree(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}

  /// The class of a row whose value in column r is value(r).
  template <class Value>
  Index predict(const Value& value) const {
    const Node* node = nodes_.data();
    while (node->column >= 0)
      node = nodes_.data() + node->next + (value(node->column) <= node->threshold ? 0 : 1);
    return node->next;
  }
  /// The class of each given row.
  std::vector<Index> predict(const MatrixView& x, std::span<const Index> rows) const;

  std::span<const Node> nodes() const { return nodes_; }  ///< the first one is the root
  /// The columns that are asked for somewhere, ascending: no other one matters.
  std::vector<Index> columns() const;
  /// The same tree, which knows each column by its place in columns().
  DecisionTree renumbered() const;

 private:
  std::vector<Node> nodes_;
};

/// Training rows in the order of each of some columns: what trees grow on.
class SortedColumns {
 public:
  /// Row rows[s] is of class classes[s] >= 0; one that comes twice is two rows. Memory for 16 bytes
  /// per row and column.
  /// @throws InvalidArgument if there is no row, or one without a class
  SortedColumns(const MatrixView& x, std::span<const Index> rows, std::span<const Index> classes,
                std::vector<Index> columns);

  /// The tree that the first of the columns give (Breiman, Friedman, Olshen, Stone, Classification
  /// and Regression Trees, 1984): each node is split where the Gini impurity falls most, halfway
  /// between neighbouring values, until all nodes are pure or no split gains more than 1e-12. Gains
  /// within 1e-12 of the largest tie: the lower place in the list of columns wins, then the lower
  /// threshold. A leaf is of its most frequent class, ties to the lower one.
  ///
  /// Deterministic for any number of threads; O(rows x columns x depth).
  DecisionTree grow(Index n_columns) const;

  struct Entry {
    double value;
    Index sample;  ///< position in the list of rows
  };

 private:
  std::vector<Index> columns_;
  std::vector<Index> labels_;   // the classes that occur, ascending
  std::vector<Index> classes_;  // of each sample, by position in labels_
  std::vector<Entry> entries_;  // columns x samples, each column ascending
};

}  // namespace tamis
