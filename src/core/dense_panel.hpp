#pragma once

#include <array>

#include "core/pair_runs.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Some columns of a dense table, copied together row after row: their sums stay in registers,
/// their values in cache.
template <class T>
class DensePanel {
 public:
  static constexpr Index kWidth = 32;
  using Sums = std::array<double, kWidth>;

  explicit DensePanel(Index rows) : rows_(rows), values_(rows * kWidth) {}

  /// Takes columns begin .. end - 1, at most kWidth of them.
  void load(const DenseView<T>& x, Index begin, Index end);
  /// The same of so many rows as the panel has: `rows` are its rows 0, 1, ...
  void load(const DenseView<T>& x, std::span<const Index> rows, Index begin, Index end);

  bool varies(Index column) const { return least_[column] != greatest_[column]; }
  /// sum of weight * difference^2 over the pairs
  Sums squared_differences(const PairRuns<T>& pairs) const;
  /// Weighted means, and sums of weight * (value - mean)^2 over the rows.
  struct Moments {
    Sums means;
    Sums squares;
  };
  Moments weighted_moments(std::span<const double> weights, double total_weight) const;

 private:
  void take(const T* source, Index stride);
  void scale_columns();

  Index rows_;
  Index width_ = 0;
  Buffer<T> values_;
  std::array<T, kWidth> least_{};
  std::array<T, kWidth> greatest_{};
  std::array<T, kWidth> scales_{};  // values_ are the table's times these, powers of two
};

}  // namespace tamis
