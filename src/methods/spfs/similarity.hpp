#pragma once

#include <vector>

#include "methods/standard_columns.hpp"
#include "tamis/methods/spfs.hpp"

namespace tamis {

/// One number per row for each of some targets.
using Targets = std::vector<std::vector<double>>;

/// How alike rows are, doubly centred: K.
class RowSimilarity {
 public:
  RowSimilarity() = default;
  RowSimilarity(const RowSimilarity&) = delete;
  RowSimilarity& operator=(const RowSimilarity&) = delete;
  virtual ~RowSimilarity() = default;

  /// f'Kf of each column.
  virtual std::vector<double> within(const StandardColumns& columns) const = 0;
  /// |K|^2, the sum of the squares of its entries.
  virtual double squared_norm() const = 0;
  /// Y with YY' = K, from the eigenpairs above 1e-10 of the largest, the leading `count` of them.
  virtual Targets targets(Index count) const = 0;
};

/// 1/n_c within class c: of low rank, so K is never formed.
class ClassSimilarity : public RowSimilarity {
 public:
  /// Of the labeled rows.
  explicit ClassSimilarity(const Knowledge& known);

  std::vector<double> within(const StandardColumns& columns) const override;
  double squared_norm() const override;
  Targets targets(Index count) const override;

 private:
  std::vector<double> products() const;  // of every two centred columns

  Targets centered_;  // class c: 1/sqrt(n_c) on its rows, centred
};

/// exp(-d^2 / t) of every two rows.
class RbfSimilarity : public RowSimilarity {
 public:
  RbfSimilarity(const MatrixView& x, double t);

  std::vector<double> within(const StandardColumns& columns) const override;
  double squared_norm() const override;
  Targets targets(Index count) const override;

 private:
  void center();

  Index rows_;
  Buffer<double> kernel_;  // row-major
};

}  // namespace tamis
