#include "graphs/pair_tile.hpp"

#include <algorithm>

#include "core/double_lanes.hpp"

namespace tamis {
namespace {

constexpr Index kRows = PairTile::kRows;
constexpr Index kWidth = 32;   ///< columns of a panel
constexpr Index kColumns = 4;  ///< whose sums stay in registers

constexpr Index kDoubles = 4;  ///< of DoubleLanes

/// Vectors that are computed on at once: two of sums for each stay in registers.
template <class Cpu>
constexpr int kVectors = Cpu::kRegisters* Cpu::kVectorBytes >= 512 ? 4 : 2;

/// Pairs of two left rows and a few vectors of right rows. What is beyond the rows of either block
/// is measured, too, and counts for nothing.
template <class Cpu>
TAMIS_INLINE void add_to_pairs(const double* left, const double* turned, Index width, double* one,
                               double* two) {
  DoubleLanes<Cpu> of_one[kVectors<Cpu>];
  DoubleLanes<Cpu> of_two[kVectors<Cpu>];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors<Cpu>; ++v) {
    of_one[v] = DoubleLanes<Cpu>::load(one + v * kDoubles);
    of_two[v] = DoubleLanes<Cpu>::load(two + v * kDoubles);
  }
  for (Index c = 0; c < width; ++c) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors<Cpu>; ++v) {
      const auto other = DoubleLanes<Cpu>::load(turned + c * kRows + v * kDoubles);
      const DoubleLanes<Cpu> from_one = left[c] - other;
      const DoubleLanes<Cpu> from_two = left[kWidth + c] - other;
      of_one[v] += from_one * from_one;
      of_two[v] += from_two * from_two;
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors<Cpu>; ++v) {
    of_one[v].store(one + v * kDoubles);
    of_two[v].store(two + v * kDoubles);
  }
}

void add_distances(const double* left, const double* turned, Index left_rows, Index right_rows,
                   Index width, double* distances) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    for (Index a = 0; a < left_rows; a += 2)
      for (Index b = 0; b < right_rows; b += kVectors<Cpu> * kDoubles) {
        double* const one = distances + a * kRows + b;
        add_to_pairs<Cpu>(left + a * kWidth, turned + b, width, one, one + kRows);
      }
  });
}

void add_weighted_squares(const double* left, const double* turned, Index left_rows,
                          Index right_rows, const double* weights, double* sums) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    Vector totals[kColumns] = {};
    for (Index a = 0; a < left_rows; ++a)
      for (Index b = 0; b < right_rows; b += kDoubles) {
        const auto weight = Vector::load(weights + a * kRows + b);
#pragma GCC unroll 4
        for (Index c = 0; c < kColumns; ++c) {
          const Vector difference = left[a * kWidth + c] - Vector::load(turned + c * kRows + b);
          totals[c] += weight * (difference * difference);
        }
      }
#pragma GCC unroll 4
    for (Index c = 0; c < kColumns; ++c) sums[c] += totals[c].sum();
  });
}

void exponentials(double* values, Index count, double nearest, double scale) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    constexpr int n = kVectors<decltype(cpu)>;
    for (Index s = 0; s < count; s += n * kDoubles) {
      Vector lanes[n];
#pragma GCC unroll 4
      for (int v = 0; v < n; ++v)
        lanes[v] = (Vector::load(values + s + v * kDoubles) - nearest) * scale;
      exponentiate(lanes);
#pragma GCC unroll 4
      for (int v = 0; v < n; ++v) lanes[v].store(values + s + v * kDoubles);
    }
  });
}

void row_sums(const double* weights, Index left_rows, Index right_rows, double* left,
              double* right) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    for (Index a = 0; a < left_rows; ++a) {
      Vector sums{};
      for (Index b = 0; b < right_rows; b += kDoubles) {
        const auto weight = Vector::load(weights + a * kRows + b);
        sums += weight;
        (Vector::load(right + b) + weight).store(right + b);
      }
      left[a] += sums.sum();
    }
  });
}

void all_sums(const double* weights, double* sum, double* squared) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    Vector sums{};
    Vector squares{};
    for (Index s = 0; s < kRows * kRows; s += kDoubles) {
      const auto weight = Vector::load(weights + s);
      sums += weight;
      squares += weight * weight;
    }
    *sum = sums.sum();
    *squared = squares.sum();
  });
}

void multiply_all(const double* left, const double* right, double* weights, double* sum,
                  double* squared) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    Vector sums{};
    Vector squares{};
    for (Index s = 0; s < kRows * kRows; s += kDoubles) {
      const auto weight = Vector::load(weights + s);
      const Vector product = left[s / kRows] * Vector::load(right + s % kRows) * weight;
      sums += product;
      squares += product * weight;
      product.store(weights + s);
    }
    *sum = sums.sum();
    *squared = squares.sum();
  });
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
