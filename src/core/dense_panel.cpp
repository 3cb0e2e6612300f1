#include "dense_panel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tamis/core/simd.hpp"

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

/// sums[l] += weight_i * term(value_il, l) over the rows, in double.
template <class T, class Term>
TAMIS_INLINE void sum_rows(const T* panel, std::span<const double> weights, double* sums,
                           const Term& term) {
  using Vector = Lanes<double>::Vector;
  Vector totals[Lanes<double>::kCount] = {};
  for (Index i = 0; i < std::ssize(weights); ++i) {
    alignas(64) std::array<double, kWidth> terms;
    for (Index l = 0; l < kWidth; ++l)
      terms[l] = weights[i] * term(static_cast<double>(panel[i * kWidth + l]), l);
    for (Index v = 0; v < Lanes<double>::kCount; ++v) {
      Vector part;
      std::memcpy(&part, terms.data() + v * (kWidth / Lanes<double>::kCount), sizeof part);
      totals[v] += part;
    }
  }
  std::memcpy(sums, totals, sizeof totals);
}
template <class T>
TAMIS_INLINE void sum_values(const T* panel, std::span<const double> weights, double* sums) {
  sum_rows(panel, weights, sums, [](double value, Index) { return value; });
}
template <class T>
TAMIS_INLINE void sum_deviations(const T* panel, std::span<const double> weights,
                                 const double* means, double* sums) {
  std::array<double, kWidth> centres;
  std::copy_n(means, kWidth, centres.begin());
  sum_rows(panel, weights, sums,
           [&](double value, Index l) { return (value - centres[l]) * (value - centres[l]); });
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
TAMIS_MULTIVERSION void sum_kernel(const float* panel, std::span<const double> weights,
                                   double* sums) {
  sum_values(panel, weights, sums);
}
TAMIS_MULTIVERSION void sum_kernel(const double* panel, std::span<const double> weights,
                                   double* sums) {
  sum_values(panel, weights, sums);
}
TAMIS_MULTIVERSION void deviation_kernel(const float* panel, std::span<const double> weights,
                                         const double* means, double* sums) {
  sum_deviations(panel, weights, means, sums);
}
TAMIS_MULTIVERSION void deviation_kernel(const double* panel, std::span<const double> weights,
                                         const double* means, double* sums) {
  sum_deviations(panel, weights, means, sums);
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

template <class T>
typename DensePanel<T>::Sums DensePanel<T>::weighted_means(std::span<const double> weights,
                                                           double total_weight) const {
  Sums means{};
  sum_kernel(values_.data(), weights, means.data());
  for (Index l = 0; l < kWidth; ++l)
    means[l] = means[l] / total_weight / static_cast<double>(scales_[l]);
  return means;
}

template <class T>
typename DensePanel<T>::Sums DensePanel<T>::weighted_squares(std::span<const double> weights,
                                                             const Sums& means) const {
  Sums scaled_means{};
  for (Index l = 0; l < kWidth; ++l) scaled_means[l] = means[l] * static_cast<double>(scales_[l]);
  Sums squares{};
  deviation_kernel(values_.data(), weights, scaled_means.data(), squares.data());
  for (Index l = 0; l < kWidth; ++l) {
    const double scale = scales_[l];
    squares[l] = squares[l] / scale / scale;
  }
  return squares;
}

template class DensePanel<float>;
template class DensePanel<double>;

}  // namespace tamis
