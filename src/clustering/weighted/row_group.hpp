#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "clustering/weighted/row_lanes.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {

/// Units in which each column lies about 0 and spreads about 1: there float32 neither overflows nor
/// loses digits to an offset.
struct ColumnUnits {
  std::vector<double> scale = {};  ///< powers of two
  std::vector<double> shift = {};  ///< subtracted after scaling; float32 holds it exactly
  std::vector<bool> varies = {};   ///< varying_columns of the table

  Index cols() const { return std::ssize(scale); }
};
ColumnUnits column_units(const MatrixView& x);

/// Asks memory for a row that is read soon, into the second cache: the first one is full of what is
/// computed on meanwhile.
template <class T>
TAMIS_INLINE void prefetch_row(const DenseView<T>& x, Index row) {
  constexpr int kForReading = 0;
  constexpr int kSecondCache = 2;
  for (Index r = 0; r < x.cols(); r += kLanes<T>)
    __builtin_prefetch(x.row(row) + r, kForReading, kSecondCache);
}
template <class T>
void prefetch_row(const CsrView<T>&, Index) {}

/// Centroids with the factors w^beta of their distances, in the units of the columns and divided by
/// the largest factor.
template <class T>
class ScaledCenters {
 public:
  /// `weights`: one for each column, or for each cluster and column.
  ScaledCenters(const ColumnUnits& units, std::span<const double> centroids,
                std::span<const double> weights, double beta);

  const T* centers() const { return centers_.data(); }
  /// Where all clusters share their factors, their roots go into rows and centres beforehand.
  const T* roots() const { return roots_.empty() ? nullptr : roots_.data(); }
  const T* measured_centers() const { return roots_.empty() ? centers() : rooted_centers_.data(); }
  const T* factors() const { return factors_.empty() ? nullptr : factors_.data(); }
  /// A measured distance times exp(log_unit()) is that of the table.
  double log_unit() const { return log_unit_; }

 private:
  Buffer<T> centers_;
  Buffer<T> roots_;
  Buffer<T> rooted_centers_;
  Buffer<T> factors_;
  double log_unit_ = 0.0;
};

/// Weighted sums of deviations from centers, in the units of the columns.
struct DeviationSums {
  DeviationSums() = default;
  DeviationSums(Index n_clusters, Index cols)
      : mass(n_clusters, 0.0), first(n_clusters * cols, 0.0), second(cols, 0.0) {}

  std::vector<double> mass;    ///< sum_i v_iq
  std::vector<double> first;   ///< sum_i v_iq (x_ir - c_qr): clusters x columns
  std::vector<double> second;  ///< sum_q sum_i v_iq (x_ir - c_qr)^2
};

/// As many rows as a vector has lanes, in the units of the columns, and their distances from
/// centers. One thread's scratch.
template <class T>
class RowGroup {
 public:
  static constexpr Index kRows = kLanes<T>;

  RowGroup(const ColumnUnits& units, Index n_clusters);

  /// Takes at most kRows rows of the table; lanes without a row are 0. Memory is asked for those
  /// that come next, and brings them while these are computed on.
  void load(const MatrixView& x, std::span<const Index> rows, std::span<const Index> next);

  const T* row(Index lane) const { return rows_.data() + lane * padded<T>(cols_); }

  /// distances()[q * kRows + l] becomes that of row l from center q.
  void measure(const ScaledCenters<T>& centers);
  double* distances() { return distances_.data(); }

  /// Room for as many memberships.
  double* memberships() { return memberships_.data(); }
  /// Of such numbers, those of the first `count` rows, row after row.
  void copy_by_row(const double* by_cluster, Index count, double* out) const;

  /// Row weights of add_deviations: weights()[q * kRows + l].
  T* weights() { return weights_.data(); }
  /// Lanes from `first` on get the weight 0.
  void leave_out_lanes(Index first);
  /// Adds to sums that are padded(columns) wide.
  void add_deviations(const ScaledCenters<T>& centers);
  /// What was added since the last call, then forgotten.
  DeviationSums take_sums();

 private:
  template <class View>
  void place(const View& x, std::span<const Index> rows);

  Index cols_;
  Index n_clusters_;
  Buffer<T> scale_;
  Buffer<T> shift_;
  Buffer<T> rows_;
  Buffer<T> columns_;
  Buffer<double> distances_;
  Buffer<double> memberships_;
  Buffer<T> weights_;
  Buffer<double> mass_;  // by cluster and lane
  Buffer<double> first_;
  Buffer<double> second_;
};

/// How rows are shared out to tasks: by numbers that depend on the shape alone, so that results do
/// not depend on threads, and so that the sums of all tasks are small beside the table.
class RowTasks {
 public:
  RowTasks(Index n_rows, Index n_clusters);
  Index grain() const { return grain_; }
  Index count() const { return count_; }

 private:
  Index grain_;
  Index count_;
};

/// Calls visit(group, first, count) for all of the rows, kRows at once: rows[first .. first + count
/// - 1] are loaded. Then finish(group, task) at the end of each task.
template <class T, class Visit, class Finish>
void for_each_group(const MatrixView& x, std::span<const Index> rows, const ColumnUnits& units,
                    Index n_clusters, const Visit& visit, const Finish& finish) {
  const Index grain = RowTasks(std::ssize(rows), n_clusters).grain();
  parallel_for_with(
      std::ssize(rows), grain, [&] { return RowGroup<T>(units, n_clusters); },
      [&](RowGroup<T>& group, Index begin, Index end) {
        for (Index first = begin; first < end; first += kLanes<T>) {
          const Index count = std::min(kLanes<T>, end - first);
          const Index after = std::min(kLanes<T>, end - first - count);
          group.load(x, rows.subspan(first, count), rows.subspan(first + count, after));
          visit(group, first, count);
        }
        finish(group, begin / grain);
      });
}

/// Adds the sums of tasks in their order.
DeviationSums total_of(std::span<const DeviationSums> parts, Index n_clusters, Index cols);

}  // namespace tamis
