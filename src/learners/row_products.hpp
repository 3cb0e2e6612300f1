#pragma once

#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// Products of rows over the first columns of a table: all that a linear support vector machine
/// needs to know of them. They grow with the columns, so that a longer prefix costs no more than
/// what it adds. Each is summed in the order of the columns, as LIBSVM would sum it.
class RowProducts {
 public:
  /// No columns yet, so all products are 0. The table outlives this object.
  /// Memory for rows.size() x n_train numbers.
  /// @param rows of the table, the training rows first
  RowProducts(const DenseView<double>& columns, std::vector<Index> rows, Index n_train);

  /// Goes on to the first `length` columns of the table, no fewer than before.
  void grow(Index length);
  /// Rows as given, each with its product with every training row.
  DenseView<double> table() const;

 private:
  DenseView<double> columns_;
  std::vector<Index> rows_;
  Index n_train_;
  Index length_ = 0;
  std::vector<double> products_;  // rows x training rows
};

}  // namespace tamis
