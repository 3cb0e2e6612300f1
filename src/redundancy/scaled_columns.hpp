#pragma once

#include <functional>
#include <span>
#include <vector>

#include "redundancy/correlation.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Columns y = (x - shift) * factor that are near mean 0 and at most about 1, so that products of
/// them neither cancel nor overflow. Factors are powers of 2 and the shift of a column of integers
/// is an integer: their products stay exact.
class ScaledColumns {
 public:
  ScaledColumns(const MatrixView& x, std::span<const Index> columns);

  Index count() const { return std::ssize(columns_); }
  Index rows() const { return x_.rows(); }
  bool is_constant(Index a) const { return spread_[a] == 0.0; }
  double sum(Index a) const { return sum_[a]; }        ///< of y
  double spread(Index a) const { return spread_[a]; }  ///< n sum y^2 - (sum y)^2

  /// A few rows of every column, feature-major: value t of column a at data[a * kRowsAtOnce + t].
  struct Block {
    const double* data;
    Index rows;
    const double* column(Index a) const { return data + a * kRowsAtOnce; }
  };
  static constexpr Index kRowsAtOnce = 384;
  void for_each_block(const std::function<void(const Block&)>& body) const;

 private:
  void read(Index first, Index rows, double* out) const;
  void choose_scales();
  void measure();

  MatrixView x_;
  std::vector<Index> columns_;
  std::vector<double> shift_;
  std::vector<double> factor_;
  std::vector<double> sum_;
  std::vector<double> spread_;
};

std::vector<double> absolute_correlations(const ScaledColumns& columns,
                                          std::span<const PositionPair> pairs);

}  // namespace tamis
