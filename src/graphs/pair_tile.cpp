#include "graphs/pair_tile.hpp"

#include <algorithm>

#include "core/double_lanes.hpp"

namespace tamis {
namespace {

constexpr Index kRows = PairTile::kRows;
constexpr Index kWidth = 32;   ///< columns of a panel
constexpr Index kColumns = 4;  ///< whose sums stay in registers

constexpr Index kDoubles = kShortLanes<double>;
/// Pairs of two left rows and four vectors of right rows: their sums stay in registers. What is
/// beyond the rows of either block is measured, too, and counts for nothing.
TAMIS_MULTIVERSION void add_distances(const double* left, const double* turned, Index left_rows,
                                      Index right_rows, Index width, double* distances) {
  constexpr int kVectors = 4;
  for (Index a = 0; a < left_rows; a += 2)
    for (Index b = 0; b < right_rows; b += kVectors * kDoubles) {
      double* const one = distances + a * kRows + b;
      double* const two = one + kRows;
      DoubleLanes of_one[kVectors];
      DoubleLanes of_two[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        load_lanes(one + v * kDoubles, of_one[v]);
        load_lanes(two + v * kDoubles, of_two[v]);
      }
      for (Index c = 0; c < width; ++c) {
        const double value_of_one = left[a * kWidth + c];
        const double value_of_two = left[(a + 1) * kWidth + c];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
          DoubleLanes other;
          load_lanes(turned + c * kRows + b + v * kDoubles, other);
          const DoubleLanes from_one = value_of_one - other;
          const DoubleLanes from_two = value_of_two - other;
          of_one[v] += from_one * from_one;
          of_two[v] += from_two * from_two;
        }
      }
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        store_lanes(of_one[v], one + v * kDoubles);
        store_lanes(of_two[v], two + v * kDoubles);
      }
    }
}

TAMIS_MULTIVERSION void add_weighted_squares(const double* left, const double* turned,
                                             Index left_rows, Index right_rows,
                                             const double* weights, double* sums) {
  DoubleLanes totals[kColumns] = {};
  for (Index a = 0; a < left_rows; ++a)
    for (Index b = 0; b < right_rows; b += kDoubles) {
      DoubleLanes weight;
      load_lanes(weights + a * kRows + b, weight);
#pragma GCC unroll 4
      for (Index c = 0; c < kColumns; ++c) {
        DoubleLanes difference;
        load_lanes(turned + c * kRows + b, difference);
        difference = left[a * kWidth + c] - difference;
        totals[c] += weight * (difference * difference);
      }
    }
  for (Index c = 0; c < kColumns; ++c) sums[c] += sum_of_lanes(totals[c]);
}

TAMIS_MULTIVERSION void exponentials(double* values, Index count, double nearest, double scale) {
  constexpr int kVectors = 4;
  for (Index s = 0; s < count; s += kVectors * kDoubles) {
    DoubleLanes lanes[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      load_lanes(values + s + v * kDoubles, lanes[v]);
      lanes[v] = (lanes[v] - nearest) * scale;
    }
    exponentiate(lanes);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) store_lanes(lanes[v], values + s + v * kDoubles);
  }
}

TAMIS_MULTIVERSION void row_sums(const double* weights, Index left_rows, Index right_rows,
                                 double* left, double* right) {
  for (Index a = 0; a < left_rows; ++a) {
    DoubleLanes sums{};
    for (Index b = 0; b < right_rows; b += kDoubles) {
      DoubleLanes weight;
      DoubleLanes column;
      load_lanes(weights + a * kRows + b, weight);
      load_lanes(right + b, column);
      sums += weight;
      column += weight;
      store_lanes(column, right + b);
    }
    left[a] += sum_of_lanes(sums);
  }
}

TAMIS_MULTIVERSION void all_sums(const double* weights, double* sum, double* squared) {
  DoubleLanes sums{};
  DoubleLanes squares{};
  for (Index s = 0; s < kRows * kRows; s += kDoubles) {
    DoubleLanes weight;
    load_lanes(weights + s, weight);
    sums += weight;
    squares += weight * weight;
  }
  *sum = sum_of_lanes(sums);
  *squared = sum_of_lanes(squares);
}

TAMIS_MULTIVERSION void multiply_all(const double* left, const double* right, double* weights,
                                     double* sum, double* squared) {
  DoubleLanes sums{};
  DoubleLanes squares{};
  for (Index s = 0; s < kRows * kRows; s += kDoubles) {
    DoubleLanes weight;
    DoubleLanes factor;
    load_lanes(weights + s, weight);
    load_lanes(right + s % kRows, factor);
    const DoubleLanes product = left[s / kRows] * factor * weight;
    sums += product;
    squares += product * weight;
    store_lanes(product, weights + s);
  }
  *sum = sum_of_lanes(sums);
  *squared = sum_of_lanes(squares);
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
