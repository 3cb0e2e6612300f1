#include "tamis/core/matrix.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <type_traits>

#include "core/simd.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns that one task reads of every row: 1 to 2 KB, long enough to stream.
constexpr Index kColumnBlock = 256;

/// sum[r] += weight * row[r]
template <class T>
void add_weighted(const T* row, double weight, Index width, double* sum) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index r = 0; r < width; ++r) sum[r] += weight * static_cast<double>(row[r]);
  });
}

/// Weighted rows of some columns that lie side by side.
template <class T>
struct WeightedRows {
  DenseView<T> x;
  std::span<const Index> rows;
  const double* weights;
  Index begin;
  Index width;
};

/// sums[r] += weight * term(value, r) over the rows, one after the other, but several in one loop:
/// sums are read and written once for all of them.
template <Index count, class T, class Term>
TAMIS_INLINE void add_rows(const WeightedRows<T>& of, Index first, const Term& term, double* sums) {
  const T* rows[count];
  double weights[count];
  for (Index s = 0; s < count; ++s) {
    rows[s] = of.x.row(of.rows[first + s]) + of.begin;
    weights[s] = of.weights[first + s];
  }
  for (Index r = 0; r < of.width; ++r) {
    double sum = sums[r];
#pragma GCC unroll 4
    for (Index s = 0; s < count; ++s) sum += weights[s] * term(static_cast<double>(rows[s][r]), r);
    sums[r] = sum;
  }
}

template <class T, class Term>
TAMIS_INLINE void add_all_rows(const WeightedRows<T>& of, const Term& term, double* sums) {
  constexpr Index kAtOnce = 4;
  const Index n = std::ssize(of.rows);
  Index s = 0;
  for (; s + kAtOnce <= n; s += kAtOnce) add_rows<kAtOnce>(of, s, term, sums);
  for (; s < n; ++s) add_rows<1>(of, s, term, sums);
}

template <class T>
TAMIS_INLINE void fill_mean_of(const WeightedRows<T>& of, double total_weight, double* mean) {
  add_all_rows(
      of, [](double value, Index) TAMIS_KERNEL { return value; }, mean);
  for (Index r = 0; r < of.width; ++r) mean[r] /= total_weight;
}

/// With all rows in one kernel: they may be short.
template <class T>
void fill_moments_of(const WeightedRows<T>& of, double total_weight, double* mean,
                     double* squares) {
  for_this_cpu([=, &of](auto) TAMIS_KERNEL {
    fill_mean_of(of, total_weight, mean);
    const auto squared_deviation = [=](double value, Index r) TAMIS_KERNEL {
      const double deviation = value - mean[r];
      return deviation * deviation;
    };
    add_all_rows(of, squared_deviation, squares);
  });
}

template <class T>
void fill_moments(const DenseView<T>& x, std::span<const Index> rows,
                  std::span<const double> weights, ColumnMoments& out) {
  parallel_for(x.cols(), kColumnBlock, [&](Index begin, Index end) {
    const WeightedRows<T> of{x, rows, weights.data(), begin, end - begin};
    fill_moments_of(of, out.total_weight, out.mean.data() + begin, out.squares.data() + begin);
  });
}

template <class T>
std::vector<double> means(const DenseView<T>& x) {
  const std::vector<Index> rows = all_indices(x.rows());
  const std::vector<double> ones(x.rows(), 1.0);
  std::vector<double> mean(x.cols(), 0.0);
  parallel_for(x.cols(), kColumnBlock, [&](Index begin, Index end) {
    const WeightedRows<T> of{x, rows, ones.data(), begin, end - begin};
    for_this_cpu([&of, out = mean.data() + begin](auto)
                     TAMIS_KERNEL { fill_mean_of(of, static_cast<double>(of.x.rows()), out); });
  });
  return mean;
}
template <class T>
std::vector<double> means(const CsrView<T>& x) {
  return moments(x).mean;
}

/// A zero that is not stored deviates by -mean: its weight is what the stored entries leave.
template <class T>
void fill_moments(const CsrView<T>& x, std::span<const Index> rows, std::span<const double> weights,
                  ColumnMoments& out) {
  std::vector<double> stored_weight(out.mean.size(), 0.0);
  for (Index s = 0; s < std::ssize(rows); ++s)
    for (Index e = 0; e < std::ssize(x.row_columns(rows[s])); ++e) {
      const Index r = x.row_columns(rows[s])[e];
      out.mean[r] += weights[s] * static_cast<double>(x.row_values(rows[s])[e]);
      stored_weight[r] += weights[s];
    }
  for (double& mean : out.mean) mean /= out.total_weight;
  for (Index s = 0; s < std::ssize(rows); ++s)
    for (Index e = 0; e < std::ssize(x.row_columns(rows[s])); ++e) {
      const Index r = x.row_columns(rows[s])[e];
      const double deviation = static_cast<double>(x.row_values(rows[s])[e]) - out.mean[r];
      out.squares[r] += weights[s] * (deviation * deviation);
    }
  for (Index r = 0; r < x.cols(); ++r) {
    const double zero_weight = std::max(0.0, out.total_weight - stored_weight[r]);
    out.squares[r] += zero_weight * (out.mean[r] * out.mean[r]);
  }
}

template <class T>
std::vector<char> varies(const DenseView<T>& x, std::span<const Index> rows) {
  std::vector<char> differs(x.cols(), 0);
  parallel_for(x.cols(), kColumnBlock, [&](Index begin, Index end) {
    const T* const first = x.row(rows[0]);
    for (const Index i : rows.subspan(1)) {
      const T* const row = x.row(i);
      Index constant = 0;
      for (Index r = begin; r < end; ++r) {
        differs[r] = static_cast<char>(differs[r] | static_cast<char>(row[r] != first[r]));
        constant += differs[r] == 0 ? 1 : 0;
      }
      if (constant == 0) return;
    }
  });
  return differs;
}

template <class T>
std::vector<char> varies(const CsrView<T>& x, std::span<const Index> rows) {
  // A column is constant if no entry differs from 0, or all rows have the same entry.
  std::vector<char> differs(x.cols(), 0);
  std::vector<Index> non_zeros(x.cols(), 0);
  std::vector<T> first(x.cols(), T{0});
  for (const Index i : rows)
    for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e) {
      const T value = x.row_values(i)[e];
      const Index r = x.row_columns(i)[e];
      if (value == 0) continue;
      if (non_zeros[r]++ == 0)
        first[r] = value;
      else if (value != first[r])
        differs[r] = 1;
    }
  for (Index r = 0; r < x.cols(); ++r)
    if (non_zeros[r] > 0 && non_zeros[r] < std::ssize(rows)) differs[r] = 1;
  return differs;
}

template <class T, class Out>
void copy_block(const DenseView<T>& x, std::span<const Index> rows, Index first, Index width,
                Out* out) {
  for (Index s = 0; s < std::ssize(rows); ++s) {
    const T* const row = x.row(rows[s]) + first;
    Out* const to = out + s * width;
    if constexpr (std::is_same_v<T, Out>)
      std::copy_n(row, width, to);
    else
      for_this_cpu([=](auto) TAMIS_KERNEL {
        for (Index r = 0; r < width; ++r) to[r] = static_cast<Out>(row[r]);
      });
  }
}

template <class T, class Out>
void copy_block(const CsrView<T>& x, std::span<const Index> rows, Index first, Index width,
                Out* out) {
  std::fill_n(out, std::ssize(rows) * width, Out{0});
  for (Index s = 0; s < std::ssize(rows); ++s) {
    const std::span<const ColumnIndex> columns = x.row_columns(rows[s]);
    const auto begin = std::ranges::lower_bound(columns, first) - columns.begin();
    for (Index e = begin; e < std::ssize(columns) && columns[e] < first + width; ++e)
      out[s * width + columns[e] - first] = static_cast<Out>(x.row_values(rows[s])[e]);
  }
}

/// Column r adds to lane r mod 32; lanes are joined in a fixed tree.
constexpr Index kLanes = 32;
using LaneSums = std::array<double, kLanes>;

template <Index kHalf>
TAMIS_INLINE double join_halves(LaneSums& lanes) {
  for (Index l = 0; l < kHalf; ++l) lanes[l] += lanes[l + kHalf];
  if constexpr (kHalf == 1)
    return lanes[0];
  else
    return join_halves<kHalf / 2>(lanes);
}
TAMIS_INLINE double join(LaneSums& lanes) { return join_halves<kLanes / 2>(lanes); }

template <class T, class U>
TAMIS_INLINE double dense_distance(const T* a, const U* b, Index cols) {
  LaneSums lanes{};
  const auto add = [&](Index r, Index l) {
    const double difference = static_cast<double>(a[r + l]) - static_cast<double>(b[r + l]);
    lanes[l] += difference * difference;
  };
  Index r = 0;
  for (; r + kLanes <= cols; r += kLanes)
    for (Index l = 0; l < kLanes; ++l) add(r, l);
  for (Index l = 0; r + l < cols; ++l) add(r, l);
  return join(lanes);
}
template <class T, class U>
double distance_of(const T* a, const U* b, Index cols) {
  return for_this_cpu([=](auto) TAMIS_KERNEL { return dense_distance(a, b, cols); });
}

template <class T>
double distance_between(const DenseView<T>& x, Index i, Index j) {
  return distance_of(x.row(i), x.row(j), x.cols());
}

template <class T>
double distance_between(const CsrView<T>& x, Index i, Index j) {
  const ColumnIndex* left = x.row_columns(i).data();
  const ColumnIndex* right = x.row_columns(j).data();
  const ColumnIndex* const left_end = left + x.row_columns(i).size();
  const ColumnIndex* const right_end = right + x.row_columns(j).size();
  const T* left_value = x.row_values(i).data();
  const T* right_value = x.row_values(j).data();
  LaneSums lanes{};
  const auto add = [&](Index r, double difference) {
    lanes[r % kLanes] += difference * difference;
  };
  while (left != left_end && right != right_end) {
    // Without branches: which side comes next is as good as random.
    const bool take_left = *left <= *right;
    const bool take_right = *right <= *left;
    add(take_left ? *left : *right, (take_left ? static_cast<double>(*left_value) : 0.0) -
                                        (take_right ? static_cast<double>(*right_value) : 0.0));
    left += take_left ? 1 : 0;
    left_value += take_left ? 1 : 0;
    right += take_right ? 1 : 0;
    right_value += take_right ? 1 : 0;
  }
  while (left != left_end) add(*left++, static_cast<double>(*left_value++));
  while (right != right_end) add(*right++, static_cast<double>(*right_value++));
  return join(lanes);
}

double norm_of(const float* values, Index n) {
  return for_this_cpu([=](auto) TAMIS_KERNEL {
    LaneSums lanes{};
    Index r = 0;
    for (; r + kLanes <= n; r += kLanes)
      for (Index l = 0; l < kLanes; ++l)
        lanes[l] += static_cast<double>(values[r + l]) * static_cast<double>(values[r + l]);
    for (Index l = 0; r + l < n; ++l)
      lanes[l] += static_cast<double>(values[r + l]) * static_cast<double>(values[r + l]);
    return join(lanes);
  });
}

template <class T>
double distance_to_point(const DenseView<T>& x, Index i, const double* point) {
  return distance_of(x.row(i), point, x.cols());
}

template <class T>
double distance_to_point(const CsrView<T>& x, Index i, const double* point) {
  std::vector<double> row(x.cols(), 0.0);
  for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e)
    row[x.row_columns(i)[e]] = static_cast<double>(x.row_values(i)[e]);
  return distance_of(row.data(), point, x.cols());
}

template <class T>
void add_to(const DenseView<T>& x, Index i, double weight, double* sums) {
  add_weighted(x.row(i), weight, x.cols(), sums);
}

template <class T>
void add_to(const CsrView<T>& x, Index i, double weight, double* sums) {
  for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e)
    sums[x.row_columns(i)[e]] += weight * static_cast<double>(x.row_values(i)[e]);
}

}  // namespace

Index MatrixView::rows() const {
  return visit([](const auto& x) { return x.rows(); });
}

Index MatrixView::cols() const {
  return visit([](const auto& x) { return x.cols(); });
}

ColumnMoments weighted_moments(const MatrixView& x, std::span<const Index> rows,
                               std::span<const double> weights) {
  assert(rows.size() == weights.size());
  ColumnMoments out{.total_weight = std::accumulate(weights.begin(), weights.end(), 0.0),
                    .mean = std::vector<double>(x.cols(), 0.0),
                    .squares = std::vector<double>(x.cols(), 0.0)};
  if (out.total_weight > 0.0)
    x.visit([&](const auto& view) { fill_moments(view, rows, weights, out); });
  return out;
}

ColumnMoments moments(const MatrixView& x) {
  return weighted_moments(x, all_indices(x.rows()), std::vector<double>(x.rows(), 1.0));
}

std::vector<double> column_means(const MatrixView& x) {
  return x.visit([](const auto& view) { return means(view); });
}

std::vector<bool> varying_columns(const MatrixView& x, std::span<const Index> rows) {
  if (rows.empty()) return std::vector<bool>(x.cols(), false);
  const std::vector<char> differs = x.visit([&](const auto& view) { return varies(view, rows); });
  return {differs.begin(), differs.end()};
}

std::vector<bool> varying_columns(const MatrixView& x) {
  return varying_columns(x, all_indices(x.rows()));
}

template <std::floating_point T>
void copy_columns(const MatrixView& x, std::span<const Index> rows, Index first, Index width,
                  T* out) {
  x.visit([&](const auto& view) { copy_block(view, rows, first, width, out); });
}
template void copy_columns(const MatrixView&, std::span<const Index>, Index, Index, float*);
template void copy_columns(const MatrixView&, std::span<const Index>, Index, Index, double*);

double squared_distance(const MatrixView& x, Index i, Index j) {
  return x.visit([&](const auto& view) { return distance_between(view, i, j); });
}

double squared_distance(const MatrixView& x, Index i, std::span<const double> point) {
  return x.visit([&](const auto& view) { return distance_to_point(view, i, point.data()); });
}

double squared_norm(std::span<const float> values) {
  return norm_of(values.data(), std::ssize(values));
}

void add_row(const MatrixView& x, Index i, double weight, std::span<double> sums) {
  x.visit([&](const auto& view) { add_to(view, i, weight, sums.data()); });
}

std::vector<Index> all_indices(Index n) {
  std::vector<Index> rows(n);
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

}  // namespace tamis
