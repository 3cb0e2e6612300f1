#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"

/// Classification by normal laws, one for each class and column, as if columns knew nothing of each
/// other.
namespace tamis {

/// What every variance is raised by, as a share of the largest variance of a column over all
/// training rows: a column that is constant within a class shall not decide alone.
inline constexpr double kVarianceShare = 1e-9;

/// ln of the normal density at x, but for -ln(2 pi) / 2, which all classes have in common.
inline double log_density(double x, double mean, double variance) {
  const double deviation = x - mean;
  return -0.5 * (std::log(variance) + deviation * deviation / variance);
}

class NaiveBayes {
 public:
  /// The class of largest P(class) x density of each given row of a table with the columns of the
  /// training table. Logarithms within 1e-10 of the largest (relative) tie: the lower class wins.
  std::vector<Index> predict(const MatrixView& x, std::span<const Index> rows) const;

 private:
  friend NaiveBayes train_naive_bayes(const MatrixView&, std::span<const Index>,
                                      std::span<const Index>);
  Index most_likely(std::span<const double> row, std::span<double> logarithms) const;

  std::vector<Index> classes_;      // ascending
  std::vector<double> log_shares_;  // of the classes among the training rows
  std::vector<double> means_;       // classes x columns
  std::vector<double> variances_;   // likewise, raised; empty if every column is constant
};

/// Trains on the given rows of the table, of which every row has its entry in `labels`. Variances
/// are those of the population, raised by kVarianceShare; if no column varies, the shares of the
/// classes decide. Deterministic for any number of threads.
/// @throws InvalidArgument if there is no training row, or one without a label
NaiveBayes train_naive_bayes(const MatrixView& x, std::span<const Index> rows,
                             std::span<const Index> labels);

}  // namespace tamis
