#include "core/dense_panel.hpp"

#include <algorithm>
#include <cmath>

#include "core/lanes.hpp"

namespace tamis {
namespace {

constexpr Index kWidth = DensePanel<float>::kWidth;

/// Columns that are computed on at once: as many as leave `arrays` vectors of each in registers.
template <class T, class Cpu>
constexpr Index columns_at_once(Index arrays) {
  constexpr Index kOthers = 4;  // registers for what is on its way
  Index width = kWidth;
  while (arrays * (width / kRegisterLanes<T, Cpu>)+kOthers > Cpu::kRegisters) width /= 2;
  return width;
}

/// Sums over the pairs in `width` of the columns, from the panel's `first` on.
template <class T, Index width, class Cpu>
TAMIS_INLINE void sum_runs(const T* panel, const PairRuns<T>& pairs, Index first, double* sums) {
  using Columns = Lanes<T, width, Cpu>;
  constexpr Index kLine = 64 / static_cast<Index>(sizeof(T));  // of a cache
  alignas(64) std::array<double, width> totals{};
  for (const auto& run : pairs.runs) {
    const auto own = Columns::load(panel + run.row * kWidth + first);
    Columns run_sums{};
    for (Index s = run.begin; s < run.end; ++s) {
      const T* const ahead = panel + pairs.partners[s + PairRuns<T>::kAhead].row * kWidth + first;
      for (Index line = 0; line < width; line += kLine) __builtin_prefetch(ahead + line);
      const Columns difference =
          own - Columns::load(panel + pairs.partners[s].row * kWidth + first);
      run_sums += pairs.partners[s].weight * difference * difference;
    }
    add_to(totals.data(), run_sums);
  }
  std::copy(totals.begin(), totals.end(), sums + first);
}

/// The same in the first `count` columns, of which half of those at once or fewer may be left.
template <class T, Index width, class Cpu>
TAMIS_INLINE void sum_runs_of(const T* panel, const PairRuns<T>& pairs, Index first, Index count,
                              double* sums) {
  for (; first + width / 2 < count; first += width)
    sum_runs<T, width, Cpu>(panel, pairs, first, sums);
  if constexpr (width > 2 * kRegisterLanes<T, Cpu>)
    sum_runs_of<T, width / 2, Cpu>(panel, pairs, first, count, sums);
  else if (first < count)
    sum_runs<T, width, Cpu>(panel, pairs, first, sums);
}

/// sums[l] = sum_i w_i d_il and squares[l] = sum_i w_i d_il^2 with d_il = value_il - centres[l].
template <class T, Index width, class Cpu>
TAMIS_INLINE void sum_deviations(const T* panel, std::span<const double> weights, Index begin,
                                 const double* centres, double* sums, double* squares) {
  using Columns = Lanes<double, width, Cpu>;
  const auto centre = Columns::load(centres + begin);
  Columns first{};
  Columns second{};
  for (Index i = 0; i < std::ssize(weights); ++i) {
    const Columns deviation = Columns::load(panel + i * kWidth + begin) - centre;
    const Columns weighted = weights[i] * deviation;
    first += weighted;
    second += weighted * deviation;
  }
  first.store(sums + begin);
  second.store(squares + begin);
}

/// Copies columns of every row into the panel and finds the extremes of each on the way. Rows lie
/// far apart in a table: they are fetched before their turn, into the second cache, which waits for
/// more of them at a time than the first one can.
template <class T, Index width, class Cpu>
TAMIS_INLINE void load_columns(const T* source, Index stride, Index rows, Index first, T* panel,
                               T* least, T* greatest) {
  using Columns = Lanes<T, width, Cpu>;
  constexpr Index kLine = 64 / static_cast<Index>(sizeof(T));
  constexpr Index kRowsAhead = 64;
  constexpr int kForReading = 0;
  constexpr int kSecondCache = 2;
  source += first;
  auto low = Columns::load(source);
  Columns high = low;
  for (Index i = 0; i < rows; ++i) {
    const T* const ahead = source + std::min(i + kRowsAhead, rows - 1) * stride;
    for (Index line = 0; line < width; line += kLine)
      __builtin_prefetch(ahead + line, kForReading, kSecondCache);
    const auto row = Columns::load(source + i * stride);
    row.store(panel + i * kWidth + first);
    low = smaller(row, low);
    high = larger(row, high);
  }
  low.store(least + first);
  high.store(greatest + first);
}

}  // namespace

template <class T>
void DensePanel<T>::load(const DenseView<T>& x, Index begin, Index end) {
  if (end - begin < kWidth) return load(x, all_indices(rows_), begin, end);
  width_ = kWidth;
  take(x.row(0) + begin, x.rows() > 1 ? x.row(1) - x.row(0) : kWidth);
}

template <class T>
void DensePanel<T>::load(const DenseView<T>& x, std::span<const Index> rows, Index begin,
                         Index end) {
  width_ = end - begin;
  if (width_ < kWidth) std::ranges::fill(values_, T{0});
  for (Index i = 0; i < rows_; ++i)
    std::copy_n(x.row(rows[i]) + begin, width_, values_.data() + i * kWidth);
  take(values_.data(), kWidth);
}

/// Takes rows that lie `stride` apart, maybe those of the panel itself.
template <class T>
void DensePanel<T>::take(const T* source, Index stride) {
  for_this_cpu([=, this](auto cpu) TAMIS_KERNEL {
    constexpr Index kColumns = columns_at_once<T, decltype(cpu)>(2);
    for (Index first = 0; first < kWidth; first += kColumns)
      load_columns<T, kColumns, decltype(cpu)>(source, stride, rows_, first, values_.data(),
                                               least_.data(), greatest_.data());
  });
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
  if (!pairs.runs.empty())
    for_this_cpu([this, &pairs, &sums](auto cpu) TAMIS_KERNEL {
      constexpr Index kColumns = columns_at_once<T, decltype(cpu)>(2);
      sum_runs_of<T, kColumns, decltype(cpu)>(values_.data(), pairs, 0, width_, sums.data());
    });
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
  for_this_cpu([this, weights, &centres, &sums, &moments](auto cpu) TAMIS_KERNEL {
    constexpr Index kColumns = columns_at_once<double, decltype(cpu)>(3);
    for (Index first = 0; first < kWidth; first += kColumns)
      sum_deviations<T, kColumns, decltype(cpu)>(values_.data(), weights, first, centres.data(),
                                                 sums.data(), moments.squares.data());
  });
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
