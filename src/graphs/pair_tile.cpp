#include "graphs/pair_tile.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/simd.hpp"

namespace tamis {
namespace {

constexpr Index kRows = PairTile::kRows;
constexpr Index kWidth = 32;   ///< columns of a panel
constexpr Index kColumns = 4;  ///< whose sums stay in registers

constexpr Index kDoubles = kShortLanes<double>;
using Lanes __attribute__((vector_size(32))) = double;
using Bits __attribute__((vector_size(32))) = std::uint64_t;

TAMIS_INLINE void load(const double* from, Lanes& lanes) {
  std::memcpy(&lanes, from, sizeof lanes);
}
TAMIS_INLINE void store(const Lanes& lanes, double* to) { std::memcpy(to, &lanes, sizeof lanes); }
TAMIS_INLINE double total(const Lanes& lanes) {
  double sum = 0.0;
  for (Index l = 0; l < kDoubles; ++l) sum += lanes[l];
  return sum;
}

/// Pairs of two left rows and four vectors of right rows: their sums stay in registers. What is
/// beyond the rows of either block is measured, too, and counts for nothing.
TAMIS_MULTIVERSION void add_distances(const double* left, const double* turned, Index left_rows,
                                      Index right_rows, Index width, double* distances) {
  constexpr int kVectors = 4;
  for (Index a = 0; a < left_rows; a += 2)
    for (Index b = 0; b < right_rows; b += kVectors * kDoubles) {
      double* const one = distances + a * kRows + b;
      double* const two = one + kRows;
      Lanes of_one[kVectors];
      Lanes of_two[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        load(one + v * kDoubles, of_one[v]);
        load(two + v * kDoubles, of_two[v]);
      }
      for (Index c = 0; c < width; ++c) {
        const double value_of_one = left[a * kWidth + c];
        const double value_of_two = left[(a + 1) * kWidth + c];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
          Lanes other;
          load(turned + c * kRows + b + v * kDoubles, other);
          const Lanes from_one = value_of_one - other;
          const Lanes from_two = value_of_two - other;
          of_one[v] += from_one * from_one;
          of_two[v] += from_two * from_two;
        }
      }
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        store(of_one[v], one + v * kDoubles);
        store(of_two[v], two + v * kDoubles);
      }
    }
}

TAMIS_MULTIVERSION void add_weighted_squares(const double* left, const double* turned,
                                             Index left_rows, Index right_rows,
                                             const double* weights, double* sums) {
  Lanes totals[kColumns] = {};
  for (Index a = 0; a < left_rows; ++a)
    for (Index b = 0; b < right_rows; b += kDoubles) {
      Lanes weight;
      load(weights + a * kRows + b, weight);
#pragma GCC unroll 4
      for (Index c = 0; c < kColumns; ++c) {
        Lanes difference;
        load(turned + c * kRows + b, difference);
        difference = left[a * kWidth + c] - difference;
        totals[c] += weight * (difference * difference);
      }
    }
  for (Index c = 0; c < kColumns; ++c) sums[c] += total(totals[c]);
}

/// exp of numbers up to 0, of several vectors at once so that none waits for another: 2^n times the
/// Taylor series of what is left, |r| < 0.35, up to the 10th power: a relative error below 3e-13.
template <int n>
TAMIS_INLINE void exponentiate(Lanes (&x)[n]) {
  constexpr double kRound = 6755399441055744.0;  // adding it leaves an integer in the low bits
  constexpr double kLog2High = 6.93147180369123816490e-01;
  constexpr double kLog2Low = 1.90821492927058770002e-10;
  constexpr double kSmallest = -707.0;  // below, 2^n has no bits of its own
  constexpr double kSeries[] = {
      1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0,
      1.0 / 24.0,      1.0 / 6.0,      1.0 / 2.0,     1.0,          1.0};
  Lanes shifted[n];
  Lanes rest[n];
  Lanes series[n];
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) {
    shifted[v] = x[v] * 1.44269504088896340736 + kRound;
    const Lanes power = shifted[v] - kRound;
    rest[v] = (x[v] - power * kLog2High) - power * kLog2Low;
    series[v] = rest[v] * kSeries[0] + kSeries[1];
  }
#pragma GCC unroll 16
  for (int p = 2; p < 11; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) series[v] = series[v] * rest[v] + kSeries[p];
#pragma GCC unroll 4
  for (int v = 0; v < n; ++v) {
    const Bits bits =
        reinterpret_cast<Bits>(series[v]) + (reinterpret_cast<Bits>(shifted[v]) << 52);
    x[v] = reinterpret_cast<Lanes>(bits & reinterpret_cast<Bits>(x[v] >= kSmallest));
  }
}

TAMIS_MULTIVERSION void exponentials(double* values, Index count, double nearest, double scale) {
  constexpr int kVectors = 4;
  for (Index s = 0; s < count; s += kVectors * kDoubles) {
    Lanes lanes[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      load(values + s + v * kDoubles, lanes[v]);
      lanes[v] = (lanes[v] - nearest) * scale;
    }
    exponentiate(lanes);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) store(lanes[v], values + s + v * kDoubles);
  }
}

TAMIS_MULTIVERSION void row_sums(const double* weights, Index left_rows, Index right_rows,
                                 double* left, double* right) {
  for (Index a = 0; a < left_rows; ++a) {
    Lanes sums{};
    for (Index b = 0; b < right_rows; b += kDoubles) {
      Lanes weight;
      Lanes column;
      load(weights + a * kRows + b, weight);
      load(right + b, column);
      sums += weight;
      column += weight;
      store(column, right + b);
    }
    left[a] += total(sums);
  }
}

TAMIS_MULTIVERSION void all_sums(const double* weights, double* sum, double* squared) {
  Lanes sums{};
  Lanes squares{};
  for (Index s = 0; s < kRows * kRows; s += kDoubles) {
    Lanes weight;
    load(weights + s, weight);
    sums += weight;
    squares += weight * weight;
  }
  *sum = total(sums);
  *squared = total(squares);
}

TAMIS_MULTIVERSION void multiply_all(const double* left, const double* right, double* weights,
                                     double* sum, double* squared) {
  Lanes sums{};
  Lanes squares{};
  for (Index s = 0; s < kRows * kRows; s += kDoubles) {
    Lanes weight;
    Lanes factor;
    load(weights + s, weight);
    load(right + s % kRows, factor);
    const Lanes product = left[s / kRows] * factor * weight;
    sums += product;
    squares += product * weight;
    store(product, weights + s);
  }
  *sum = total(sums);
  *squared = total(squares);
}

}  // namespace

PairTile::PairTile(const MatrixView& x)
    : x_(x),
      left_(kRows * kWidth, 0.0),
      right_(kRows * kWidth, 0.0),
      turned_(kRows * kWidth, 0.0) {}

void PairTile::take(std::span<const Index> left, std::span<const Index> right) {
  left_rows_ = left;
  right_rows_ = right;
  loaded_ = -1;
}

/// Columns beyond the table are 0 in both blocks.
void PairTile::load(Index first) {
  if (loaded_ == first) return;
  loaded_ = first;
  const Index width = std::min(kWidth, x_.cols() - first);
  copy_columns(x_, right_rows_, first, width, right_.data());
  for (Index b = 0; b < std::ssize(right_rows_); ++b)
    for (Index c = 0; c < width; ++c) turned_[c * kRows + b] = right_[b * width + c];
  copy_columns(x_, left_rows_, first, width, right_.data());
  for (Index a = 0; a < std::ssize(left_rows_); ++a)
    std::copy_n(right_.begin() + a * width, width, left_.begin() + a * kWidth);
  if (width == kWidth) return;
  std::fill(turned_.begin() + width * kRows, turned_.end(), 0.0);
  for (Index a = 0; a < kRows; ++a)
    std::fill_n(left_.begin() + a * kWidth + width, kWidth - width, 0.0);
}

void PairTile::measure(Values& distances) {
  distances.fill(0.0);
  for (Index first = 0; first < x_.cols(); first += kWidth) {
    load(first);
    add_distances(left_.data(), turned_.data(), std::ssize(left_rows_), std::ssize(right_rows_),
                  std::min(kWidth, x_.cols() - first), distances.data());
  }
}

void PairTile::add_differences(const Values& weights, std::span<double> sums) {
  for (Index first = 0; first < x_.cols(); first += kWidth) {
    load(first);
    const Index width = std::min(kWidth, x_.cols() - first);
    for (Index c = 0; c < width; c += kColumns) {
      std::array<double, kColumns> more{};
      add_weighted_squares(left_.data() + c, turned_.data() + c * kRows, std::ssize(left_rows_),
                           std::ssize(right_rows_), weights.data(), more.data());
      for (Index k = 0; k < std::min(kColumns, width - c); ++k) sums[first + c + k] += more[k];
    }
  }
}

void heat_weights(PairTile::Values& values, double nearest, double t) {
  exponentials(values.data(), kRows * kRows, nearest, -1.0 / t);
}

void add_row_sums(const PairTile::Values& weights, std::span<double> left,
                  std::span<double> right) {
  std::array<double, kRows> of_left{};
  std::array<double, kRows> of_right{};
  row_sums(weights.data(), std::ssize(left), std::ssize(right), of_left.data(), of_right.data());
  for (std::size_t a = 0; a < left.size(); ++a) left[a] += of_left[a];
  for (std::size_t b = 0; b < right.size(); ++b) right[b] += of_right[b];
}

WeightSums sum_weights(const PairTile::Values& weights) {
  WeightSums sums;
  all_sums(weights.data(), &sums.weight, &sums.squared);
  return sums;
}

WeightSums multiply_weights(std::span<const double> left, std::span<const double> right,
                            PairTile::Values& weights) {
  std::array<double, kRows> of_left{};
  std::array<double, kRows> of_right{};
  std::ranges::copy(left, of_left.begin());
  std::ranges::copy(right, of_right.begin());
  WeightSums sums;
  multiply_all(of_left.data(), of_right.data(), weights.data(), &sums.weight, &sums.squared);
  return sums;
}

}  // namespace tamis
