#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// What LIBLINEAR or LIBSVM made of training rows of classes 0, 1, ...
class LinearModel {
 public:
  LinearModel() = default;
  LinearModel(const LinearModel&) = delete;
  LinearModel& operator=(const LinearModel&) = delete;
  virtual ~LinearModel() = default;
  /// Safe to call from several threads.
  virtual Index predict(const MatrixView& x, Index row) const = 0;
};

/// Classes must be given in ascending order, so that both libraries number them alike.
std::shared_ptr<const LinearModel> train_liblinear(const MatrixView& x, std::span<const Index> rows,
                                                   std::span<const Index> classes, double cost);
std::shared_ptr<const LinearModel> train_libsvm(const MatrixView& x, std::span<const Index> rows,
                                                std::span<const Index> classes, double cost);
/// The same of a table of products: x(i, j) is that of rows i and j.
std::shared_ptr<const LinearModel> train_libsvm_on_products(const MatrixView& x,
                                                            std::span<const Index> rows,
                                                            std::span<const Index> classes,
                                                            double cost);

namespace detail {

template <class Node, class T>
void append_row(const DenseView<T>& x, Index i, std::vector<Node>& nodes) {
  for (Index r = 0; r < x.cols(); ++r)
    if (x(i, r) != 0) nodes.push_back({static_cast<int>(r + 1), static_cast<double>(x(i, r))});
}

template <class Node, class T>
void append_row(const CsrView<T>& x, Index i, std::vector<Node>& nodes) {
  for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e)
    nodes.push_back(
        {static_cast<int>(x.row_columns(i)[e] + 1), static_cast<double>(x.row_values(i)[e])});
}

}  // namespace detail

/// The non-zeros of a row, by 1-based column.
template <class Node>
void append_row(const MatrixView& x, Index i, std::vector<Node>& nodes) {
  x.visit([&](const auto& view) { detail::append_row(view, i, nodes); });
}

/// Rows as both libraries read them: nodes by ascending number, ended by -1.
template <class Node>
class NodeRows {
 public:
  /// @param append adds the nodes of a row: append(i, nodes)
  template <class Append>
  NodeRows(std::span<const Index> rows, const Append& append) {
    std::vector<std::size_t> starts;
    for (const Index i : rows) {
      starts.push_back(nodes_.size());
      append(i, nodes_);
      nodes_.push_back({-1, 0.0});
    }
    for (const std::size_t start : starts) rows_.push_back(nodes_.data() + start);
  }
  NodeRows(const NodeRows&) = delete;
  NodeRows& operator=(const NodeRows&) = delete;

  Node** data() { return rows_.data(); }
  const Node* row(Index s) const { return rows_[s]; }

 private:
  std::vector<Node> nodes_;
  std::vector<Node*> rows_;
};

}  // namespace tamis
