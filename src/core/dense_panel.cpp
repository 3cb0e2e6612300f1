#include "core/dense_panel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/simd.hpp"

namespace tamis {
namespace {

constexpr Index kWidth = DensePanel<float>::kWidth;
/// Lanes that are computed on at once: an extension of GCC and Clang. Plain arrays would be kept in
/// memory, not in registers.
template <class T>
struct Lanes {
  using Vector __attribute__((vector_size(64))) = T;
  static constexpr Index kCount = kWidth * sizeof(T) / sizeof(Vector);
};

template <class T>
TAMIS_INLINE void sum_runs(const T* panel, const PairRuns<T>& pairs, double* sums) {
  using Vector = typename Lanes<T>::Vector;
  constexpr Index kCount = Lanes<T>::kCount;
  alignas(64) std::array<double, kWidth> totals{};
  for (const auto& run : pairs.runs) {
    Vector own[kCount];
    std::memcpy(own, panel + run.row * kWidth, sizeof own);
    Vector run_sums[kCount] = {};
    for (Index s = run.begin; s < run.end; ++s) {
      const T* const ahead = panel + pairs.partners[s + PairRuns<T>::kAhead].row * kWidth;
      const T* const partner = panel + pairs.partners[s].row * kWidth;
      for (Index v = 0; v < kCount; ++v) {
        __builtin_prefetch(ahead + v * (kWidth / kCount));
        Vector difference;
        std::memcpy(&difference, partner + v * (kWidth / kCount), sizeof difference);
        difference = own[v] - difference;
        run_sums[v] += pairs.partners[s].weight * difference * difference;
      }
    }
    alignas(64) std::array<T, kWidth> of_run;
    std::memcpy(of_run.data(), run_sums, sizeof run_sums);
    for (Index l = 0; l < kWidth; ++l) totals[l] += static_cast<double>(of_run[l]);
  }
  std::copy(totals.begin(), totals.end(), sums);
}

/// sums[l] = sum_i w_i d_il and squares[l] = sum_i w_i d_il^2 with d_il = value_il - centres[l].
template <class T>
TAMIS_INLINE void sum_deviations(const T* panel, std::span<const double> weights,
                                 const double* centres, double* sums, double* squares) {
  using Vector = Lanes<double>::Vector;
  constexpr Index kCount = Lanes<double>::kCount;
  Vector first[kCount] = {};
  Vector second[kCount] = {};
  Vector centre[kCount];
  std::memcpy(centre, centres, sizeof centre);
  for (Index i = 0; i < std::ssize(weights); ++i) {
    alignas(64) std::array<double, kWidth> wide;
    for (Index l = 0; l < kWidth; ++l) wide[l] = static_cast<double>(panel[i * kWidth + l]);
    for (Index v = 0; v < kCount; ++v) {
      Vector deviation;
      std::memcpy(&deviation, wide.data() + v * (kWidth / kCount), sizeof deviation);
      deviation -= centre[v];
      const Vector weighted = weights[i] * deviation;
      first[v] += weighted;
      second[v] += weighted * deviation;
    }
  }
  std::memcpy(sums, first, sizeof first);
  std::memcpy(squares, second, sizeof second);
}

/// Copies kWidth columns of every row into the panel and finds the extremes of each on the way.
/// Rows lie far apart in a table: they are fetched before their turn.
template <class T>
TAMIS_INLINE void load_columns(const T* source, Index stride, Index rows, T* panel, T* least,
                               T* greatest) {
  using Vector = typename Lanes<T>::Vector;
  constexpr Index kCount = Lanes<T>::kCount;
  constexpr Index kRowsAhead = 24;
  Vector low[kCount];
  Vector high[kCount];
  std::memcpy(low, source, sizeof low);
  std::memcpy(high, source, sizeof high);
  for (Index i = 0; i < rows; ++i) {
    const T* const ahead = source + std::min(i + kRowsAhead, rows - 1) * stride;
    Vector row[kCount];
    std::memcpy(row, source + i * stride, sizeof row);
    std::memcpy(panel + i * kWidth, row, sizeof row);
    for (Index v = 0; v < kCount; ++v) {
      __builtin_prefetch(ahead + v * (kWidth / kCount));
      low[v] = row[v] < low[v] ? row[v] : low[v];
      high[v] = row[v] > high[v] ? row[v] : high[v];
    }
  }
  std::memcpy(least, low, sizeof low);
  std::memcpy(greatest, high, sizeof high);
}

// The kernels, compiled for several processors; one set per precision.
TAMIS_MULTIVERSION void pair_kernel(const float* panel, const PairRuns<float>& pairs,
                                    double* sums) {
  sum_runs(panel, pairs, sums);
}
TAMIS_MULTIVERSION void pair_kernel(const double* panel, const PairRuns<double>& pairs,
                                    double* sums) {
  sum_runs(panel, pairs, sums);
}
TAMIS_MULTIVERSION void deviation_kernel(const float* panel, std::span<const double> weights,
                                         const double* centres, double* sums, double* squares) {
  sum_deviations(panel, weights, centres, sums, squares);
}
TAMIS_MULTIVERSION void deviation_kernel(const double* panel, std::span<const double> weights,
                                         const double* centres, double* sums, double* squares) {
  sum_deviations(panel, weights, centres, sums, squares);
}
TAMIS_MULTIVERSION void load_kernel(const float* source, Index stride, Index rows, float* panel,
                                    float* least, float* greatest) {
  load_columns(source, stride, rows, panel, least, greatest);
}
TAMIS_MULTIVERSION void load_kernel(const double* source, Index stride, Index rows, double* panel,
                                    double* least, double* greatest) {
  load_columns(source, stride, rows, panel, least, greatest);
}

}  // namespace

template <class T>
void DensePanel<T>::load(const DenseView<T>& x, Index begin, Index end) {
  const Index width = end - begin;
  const T* source = x.row(0) + begin;
  Index stride = x.rows() > 1 ? x.row(1) - x.row(0) : kWidth;
  if (width < kWidth) {  // the last columns: filled up with zeros first
    std::ranges::fill(values_, T{0});
    for (Index i = 0; i < rows_; ++i)
      std::copy_n(x.row(i) + begin, width, values_.data() + i * kWidth);
    source = values_.data();
    stride = kWidth;
  }
  load_kernel(source, stride, rows_, values_.data(), least_.data(), greatest_.data());
  scale_columns();
}

/// Squares of very large or very small values would overflow or vanish: such columns are brought to
/// within [-1, 1], exactly, by a power of two.
template <class T>
void DensePanel<T>::scale_columns() {
  scales_.fill(T{1});
  for (Index l = 0; l < kWidth; ++l) {
    const T size = std::max(std::abs(least_[l]), std::abs(greatest_[l]));
    if (size == 0 || (size > T{0x1p-20} && size < T{0x1p20})) continue;
    scales_[l] = std::ldexp(T{1}, std::clamp(-std::ilogb(size) - 1, -126, 126));
    for (Index i = 0; i < rows_; ++i) values_[i * kWidth + l] *= scales_[l];
  }
}

template <class T>
typename DensePanel<T>::Sums DensePanel<T>::squared_differences(const PairRuns<T>& pairs) const {
  Sums sums{};
  if (!pairs.runs.empty()) pair_kernel(values_.data(), pairs, sums.data());
  for (Index l = 0; l < kWidth; ++l) {
    const double scale = scales_[l];
    sums[l] = sums[l] * pairs.unit / scale / scale;
  }
  return sums;
}

/// One pass: deviations are taken from a provisional centre, the mean of a few rows, and the little
/// that it is off is corrected. The correction cancels no digits, because the centre is near.
template <class T>
typename DensePanel<T>::Moments DensePanel<T>::weighted_moments(std::span<const double> weights,
                                                                double total_weight) const {
  constexpr Index kStep = 64;
  Sums centres{};
  const Index n_sampled = (rows_ + kStep - 1) / kStep;
  for (Index i = 0; i < rows_; i += kStep)
    for (Index l = 0; l < kWidth; ++l)
      centres[l] += static_cast<double>(values_[i * kWidth + l]) / static_cast<double>(n_sampled);
  Sums sums{};
  Moments moments{};
  deviation_kernel(values_.data(), weights, centres.data(), sums.data(), moments.squares.data());
  for (Index l = 0; l < kWidth; ++l) {
    const double scale = scales_[l];
    const double shift = sums[l] / total_weight;
    moments.means[l] = (centres[l] + shift) / scale;
    moments.squares[l] = std::max(0.0, moments.squares[l] - shift * sums[l]) / scale / scale;
  }
  return moments;
}

template class DensePanel<float>;
template class DensePanel<double>;

}  // namespace tamis
