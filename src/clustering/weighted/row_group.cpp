#include "clustering/weighted/row_group.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "clustering/weighted/dispersion_weights.hpp"

namespace tamis {
namespace {

template <class T, class Values>
Buffer<T> padded_copy(const Values& values, Index width) {
  Buffer<T> copy(width, T{0});
  std::ranges::transform(values, copy.begin(), [](double v) { return static_cast<T>(v); });
  return copy;
}

void add_to(std::span<double> sums, std::span<const double> terms) {
  for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += terms[s];
}

}  // namespace

ColumnUnits column_units(const MatrixView& x) {
  const int largest_exponent = x.is_single() ? 126 : 1000;  // of a power of two that can be held
  const ColumnMoments of_columns = moments(x);
  ColumnUnits units{.scale = std::vector<double>(x.cols()),
                    .shift = std::vector<double>(x.cols()),
                    .varies = varying_columns(x)};
  for (Index r = 0; r < x.cols(); ++r) {
    const double spread = std::sqrt(of_columns.squares[r] / static_cast<double>(x.rows()));
    const double size = units.varies[r] ? spread : std::abs(of_columns.mean[r]);
    const int exponent = std::clamp(std::ilogb(size), -largest_exponent, largest_exponent);
    units.scale[r] = std::ldexp(1.0, -exponent);
    const auto shift = static_cast<float>(of_columns.mean[r] * units.scale[r]);
    units.shift[r] = std::isfinite(shift) ? static_cast<double>(shift) : 0.0;
  }
  return units;
}

template <class T>
ScaledCenters<T>::ScaledCenters(const ColumnUnits& units, std::span<const double> centroids,
                                std::span<const double> weights, double beta) {
  const Index cols = units.cols();
  const Index count = std::ssize(centroids) / cols;
  const Index width = padded<T>(cols);
  std::vector<double> logs;
  for (Index s = 0; s < std::ssize(weights); ++s)
    logs.push_back(log_distance_weight(weights[s], beta) - 2.0 * std::log(units.scale[s % cols]));
  const double greatest = std::ranges::max(logs);
  log_unit_ = std::isfinite(greatest) ? greatest : 0.0;
  const bool is_shared = std::ssize(weights) == cols;
  (is_shared ? roots_ : factors_).assign(is_shared ? width : count * width, T{0});
  for (Index s = 0; s < std::ssize(logs); ++s) {
    const double factor = std::exp(logs[s] - log_unit_);
    if (is_shared)
      roots_[s] = static_cast<T>(std::sqrt(factor));
    else
      factors_[s / cols * width + s % cols] = static_cast<T>(factor);
  }
  centers_.assign(count * width, T{0});
  rooted_centers_.assign(is_shared ? count * width : 0, T{0});
  for (Index q = 0; q < count; ++q)
    for (Index r = 0; r < cols; ++r) {
      const double center = centroids[q * cols + r] * units.scale[r] - units.shift[r];
      centers_[q * width + r] = static_cast<T>(center);
      if (is_shared) rooted_centers_[q * width + r] = centers_[q * width + r] * roots_[r];
    }
}

template <class T>
RowGroup<T>::RowGroup(const ColumnUnits& units, Index n_clusters)
    : cols_(units.cols()),
      n_clusters_(n_clusters),
      scale_(padded_copy<T>(units.scale, padded<T>(cols_))),
      shift_(padded_copy<T>(units.shift, padded<T>(cols_))),
      rows_(kRows * padded<T>(cols_), T{0}),
      columns_(kRows * padded<T>(cols_)),
      distances_(n_clusters * kRows),
      memberships_(n_clusters * kRows),
      weights_(n_clusters * kRows, T{0}),
      mass_(n_clusters * kRows, 0.0),
      first_(n_clusters * padded<T>(cols_), 0.0),
      second_(padded<T>(cols_), 0.0) {}

template <class T>
template <class View>
void RowGroup<T>::place(const View& x, std::span<const Index> rows) {
  const Index width = padded<T>(cols_);
  const Index count = std::ssize(rows);
  if constexpr (requires { x.row(0); }) {
    std::array<decltype(x.row(0)), kRows> places;
    for (Index l = 0; l < count; ++l) places[l] = x.row(rows[l]);
    shift_and_scale(std::span(places).first(count), scale_.data(), shift_.data(), cols_,
                    rows_.data());
  } else {
    for (Index l = 0; l < count; ++l) {
      T* const out = rows_.data() + l * width;
      std::transform(shift_.begin(), shift_.begin() + cols_, out, [](T shift) { return -shift; });
      const std::span<const ColumnIndex> columns = x.row_columns(rows[l]);
      for (Index e = 0; e < std::ssize(columns); ++e)
        out[columns[e]] =
            static_cast<T>(x.row_values(rows[l])[e]) * scale_[columns[e]] - shift_[columns[e]];
    }
  }
  std::fill_n(rows_.data() + count * width, (kRows - count) * width, T{0});
}

template <class T>
void RowGroup<T>::load(const MatrixView& x, std::span<const Index> rows,
                       std::span<const Index> next) {
  x.visit([&](const auto& view) {
    place(view, rows);
    for (const Index row : next) prefetch_row(view, row);
  });
}

template <class T>
void RowGroup<T>::measure(const ScaledCenters<T>& centers) {
  transpose_lanes(rows_.data(), cols_, centers.roots(), columns_.data());
  weighted_distances(columns_.data(), cols_, n_clusters_, centers.measured_centers(),
                     centers.factors(), distances_.data());
}

template <class T>
void RowGroup<T>::copy_by_row(const double* by_cluster, Index count, double* out) const {
  for (Index l = 0; l < count; ++l)
    for (Index q = 0; q < n_clusters_; ++q) *out++ = by_cluster[q * kRows + l];
}

template <class T>
void RowGroup<T>::leave_out_lanes(Index first) {
  for (Index q = 0; q < n_clusters_; ++q)
    std::fill(&weights_[q * kRows] + first, &weights_[q * kRows] + kRows, T{0});
}

template <class T>
void RowGroup<T>::add_deviations(const ScaledCenters<T>& centers) {
  for (Index s = 0; s < n_clusters_ * kRows; ++s) mass_[s] += static_cast<double>(weights_[s]);
  tamis::add_deviations(rows_.data(), cols_, n_clusters_, centers.centers(), weights_.data(),
                        first_.data(), second_.data());
}

template <class T>
DeviationSums RowGroup<T>::take_sums() {
  DeviationSums sums(n_clusters_, cols_);
  for (Index q = 0; q < n_clusters_; ++q) {
    sums.mass[q] = std::accumulate(&mass_[q * kRows], &mass_[q * kRows] + kRows, 0.0);
    std::copy_n(&first_[q * padded<T>(cols_)], cols_, &sums.first[q * cols_]);
  }
  std::copy_n(second_.begin(), cols_, sums.second.begin());
  for (Buffer<double>* const buffer : {&mass_, &first_, &second_}) std::ranges::fill(*buffer, 0.0);
  return sums;
}

template class ScaledCenters<float>;
template class ScaledCenters<double>;
template class RowGroup<float>;
template class RowGroup<double>;

RowTasks::RowTasks(Index n_rows, Index n_clusters) {
  constexpr Index kMostTasks = 64;
  constexpr Index kUnit = 64;  // a multiple of the lanes of either precision
  const Index wanted = std::clamp<Index>(n_rows / (40 * n_clusters), 1, kMostTasks);
  grain_ = std::max<Index>(1, (n_rows + wanted * kUnit - 1) / (wanted * kUnit)) * kUnit;
  count_ = (n_rows + grain_ - 1) / grain_;
}

DeviationSums total_of(std::span<const DeviationSums> parts, Index n_clusters, Index cols) {
  DeviationSums total(n_clusters, cols);
  for (const DeviationSums& part : parts) {
    add_to(total.mass, part.mass);
    add_to(total.first, part.first);
    add_to(total.second, part.second);
  }
  return total;
}

}  // namespace tamis
