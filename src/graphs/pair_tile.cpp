#include "graphs/pair_tile.hpp"

#include <algorithm>
#include <cmath>

#include "core/double_lanes.hpp"

namespace tamis {
namespace {

constexpr Index kRows = PairTile::kRows;
constexpr Index kWidth = RowBlocks::kWidth;

constexpr Index kDoubles = 4;        ///< of DoubleLanes
constexpr Index kExponentials = 16;  ///< taken at once

template <class Cpu>
constexpr bool kHasManyRegisters = Cpu::kRegisters* Cpu::kVectorBytes >= 512;
/// Vectors that are computed on at once: two of sums for each stay in registers.
template <class Cpu>
constexpr int kVectors = kHasManyRegisters<Cpu> ? 4 : 2;
/// Columns whose sums, and values of a row, stay in registers.
template <class Cpu>
constexpr int kColumns = kHasManyRegisters<Cpu> ? 6 : 3;
constexpr int kFewColumns = 3;
static_assert(RowBlocks::kColumnMultiple % 6 == 0 && 6 % kFewColumns == 0);

/// Pairs of two left rows and a few vectors of right rows. What is beyond the rows of either block
/// is measured, too, and counts for nothing. The distances of the first columns are added to
/// nothing.
template <class Cpu>
TAMIS_INLINE void add_to_pairs(const double* left, const double* right, Index width, bool is_first,
                               double* one, double* two) {
  DoubleLanes<Cpu> of_one[kVectors<Cpu>] = {};
  DoubleLanes<Cpu> of_two[kVectors<Cpu>] = {};
  if (!is_first) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors<Cpu>; ++v) {
      of_one[v] = DoubleLanes<Cpu>::load(one + v * kDoubles);
      of_two[v] = DoubleLanes<Cpu>::load(two + v * kDoubles);
    }
  }
  for (Index c = 0; c < width; ++c) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors<Cpu>; ++v) {
      const auto other = DoubleLanes<Cpu>::load(right + c * kRows + v * kDoubles);
      const DoubleLanes<Cpu> from_one = left[c * kRows] - other;
      const DoubleLanes<Cpu> from_two = left[c * kRows + 1] - other;
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

void add_distances(const double* left, const double* right, Index left_rows, Index right_rows,
                   Index width, bool is_first, double* distances) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    for (Index a = 0; a < left_rows; a += 2)
      for (Index b = 0; b < right_rows; b += kVectors<Cpu> * kDoubles) {
        double* const one = distances + a * kRows + b;
        add_to_pairs<Cpu>(left + a, right + b, width, is_first, one, one + kRows);
      }
  });
}

/// Of n columns.
template <int n, class Cpu>
TAMIS_INLINE void add_squares_of(Cpu, const double* left, const double* right, Index left_rows,
                                 Index right_rows, const double* weights, double* sums) {
  using Vector = DoubleLanes<Cpu>;
  Vector totals[n] = {};
  for (Index a = 0; a < left_rows; ++a) {
    double own[n];
#pragma GCC unroll 6
    for (int c = 0; c < n; ++c) own[c] = left[c * kRows + a];
    for (Index b = 0; b < right_rows; b += kDoubles) {
      const auto weight = Vector::load(weights + a * kRows + b);
#pragma GCC unroll 6
      for (int c = 0; c < n; ++c) {
        const Vector difference = own[c] - Vector::load(right + c * kRows + b);
        totals[c] += weight * (difference * difference);
      }
    }
  }
#pragma GCC unroll 6
  for (int c = 0; c < n; ++c) sums[c] += totals[c].sum();
}

/// `sums` has room for a whole panel.
void add_weighted_squares(const double* left, const double* right, Index left_rows,
                          Index right_rows, Index width, const double* weights, double* sums) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    constexpr int n = kColumns<decltype(cpu)>;
    Index c = 0;
    for (; c + kFewColumns < width; c += n)
      add_squares_of<n>(cpu, left + c * kRows, right + c * kRows, left_rows, right_rows, weights,
                        sums + c);
    if (c < width)
      add_squares_of<kFewColumns>(cpu, left + c * kRows, right + c * kRows, left_rows, right_rows,
                                  weights, sums + c);
  });
}

/// Adds the products of two left rows with a few vectors of right rows to what is there.
template <class Cpu>
TAMIS_INLINE void multiply_pairs(const double* left, const double* right, Index width, double* one,
                                 double* two, DoubleLanes<Cpu> (&of_one)[kVectors<Cpu>],
                                 DoubleLanes<Cpu> (&of_two)[kVectors<Cpu>]) {
  using Vector = DoubleLanes<Cpu>;
  for (Index c = 0; c < width; ++c) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors<Cpu>; ++v) {
      const auto other = Vector::load(right + c * kRows + v * kDoubles);
      of_one[v] += left[c * kRows] * other;
      of_two[v] += left[c * kRows + 1] * other;
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors<Cpu>; ++v) {
    of_one[v].store(one + v * kDoubles);
    of_two[v].store(two + v * kDoubles);
  }
}

/// Sums begin with the terms of the two rows, if there are any.
void add_scaled_products(const double* left, const double* right, Index left_rows, Index right_rows,
                         Index width, double scale, const double* left_terms,
                         const double* right_terms, double* sums) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    using Vector = DoubleLanes<Cpu>;
    double scaled[RowBlocks::kPanelSize];
    for (Index s = 0; s < width * kRows; ++s) scaled[s] = left[s] * scale;
    for (Index a = 0; a < left_rows; a += 2)
      for (Index b = 0; b < right_rows; b += kVectors<Cpu> * kDoubles) {
        double* const one = sums + a * kRows + b;
        double* const two = one + kRows;
        Vector of_one[kVectors<Cpu>];
        Vector of_two[kVectors<Cpu>];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors<Cpu>; ++v) {
          const Index at = v * kDoubles;
          if (left_terms != nullptr) {
            const auto of_right = Vector::load(right_terms + b + at);
            of_one[v] = left_terms[a] + of_right;
            of_two[v] = left_terms[a + 1] + of_right;
          } else {
            of_one[v] = Vector::load(one + at);
            of_two[v] = Vector::load(two + at);
          }
        }
        multiply_pairs<Cpu>(scaled + a, right + b, width, one, two, of_one, of_two);
      }
  });
}

/// Adds sum_ab w_ab x_a x_b of n columns to their sums, in four parts each.
template <int n, class Cpu>
TAMIS_INLINE void add_products_of(Cpu, const double* left, const double* right, Index left_rows,
                                  Index right_rows, const double* weights, double* sums) {
  using Vector = DoubleLanes<Cpu>;
  Vector totals[n];
#pragma GCC unroll 6
  for (int c = 0; c < n; ++c) totals[c] = Vector::load(sums + c * kDoubles);
  for (Index a = 0; a < left_rows; ++a) {
    Vector weighted[n] = {};
    for (Index b = 0; b < right_rows; b += kDoubles) {
      const auto weight = Vector::load(weights + a * kRows + b);
#pragma GCC unroll 6
      for (int c = 0; c < n; ++c) weighted[c] += weight * Vector::load(right + c * kRows + b);
    }
#pragma GCC unroll 6
    for (int c = 0; c < n; ++c) totals[c] += left[c * kRows + a] * weighted[c];
  }
#pragma GCC unroll 6
  for (int c = 0; c < n; ++c) totals[c].store(sums + c * kDoubles);
}

void add_weighted_products(const double* left, const double* right, Index left_rows,
                           Index right_rows, Index width, const double* weights, double* sums) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    constexpr int n = kColumns<decltype(cpu)>;
    Index c = 0;
    for (; c + kFewColumns < width; c += n)
      add_products_of<n>(cpu, left + c * kRows, right + c * kRows, left_rows, right_rows, weights,
                         sums + c * kDoubles);
    if (c < width)
      add_products_of<kFewColumns>(cpu, left + c * kRows, right + c * kRows, left_rows, right_rows,
                                   weights, sums + c * kDoubles);
  });
}

void add_squared(const double* values, Index width, const double* factors, double* sums) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    for (Index c = 0; c < width; ++c) {
      auto total = Vector::load(sums + c * kDoubles);
      for (Index a = 0; a < kRows; a += kDoubles) {
        const auto value = Vector::load(values + c * kRows + a);
        total += Vector::load(factors + a) * (value * value);
      }
      total.store(sums + c * kDoubles);
    }
  });
}

void powers_of_two(double* values, Index count) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    constexpr int n = kVectors<decltype(cpu)>;
    static_assert(kRows % (n * kDoubles) == 0);
    for (Index s = 0; s < count; s += n * kDoubles) {
      Vector lanes[n];
#pragma GCC unroll 4
      for (int v = 0; v < n; ++v) lanes[v] = Vector::load(values + s + v * kDoubles);
      raise_two(lanes);
#pragma GCC unroll 4
      for (int v = 0; v < n; ++v) lanes[v].store(values + s + v * kDoubles);
    }
  });
}

/// Of a multiple of kExponentials.
void exponentials(double* values, Index count, double nearest, double scale) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    constexpr int n = kVectors<decltype(cpu)>;
    static_assert(kExponentials % (n * kDoubles) == 0);
    const double power = scale * kLog2E;
    for (Index s = 0; s < count; s += n * kDoubles) {
      Vector lanes[n];
#pragma GCC unroll 4
      for (int v = 0; v < n; ++v)
        lanes[v] = (Vector::load(values + s + v * kDoubles) - nearest) * power;
      raise_two_or_vanish(lanes);
#pragma GCC unroll 4
      for (int v = 0; v < n; ++v) lanes[v].store(values + s + v * kDoubles);
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

/// Four left rows at a time, so that the sums of right rows are not moved for each.
WeightSums multiply_all(const double* left, const double* right, double* weights, double* left_sums,
                        double* right_sums) {
  return for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    constexpr Index kHeight = 4;
    static_assert(kRows % kHeight == 0);
    Vector sum{};
    Vector squared{};
    for (Index first = 0; first < kRows; first += kHeight) {
      Vector sums[kHeight] = {};
      Vector squares[kHeight] = {};
      for (Index b = 0; b < kRows; b += kDoubles) {
        const auto factor = Vector::load(right + b);
        auto of_right = Vector::load(right_sums + b);
#pragma GCC unroll 4
        for (Index a = 0; a < kHeight; ++a) {
          double* const at = weights + (first + a) * kRows + b;
          const auto weight = Vector::load(at);
          const Vector product = left[first + a] * factor * weight;
          sums[a] += product;
          squares[a] += product * weight;
          of_right += product;
          product.store(at);
        }
        of_right.store(right_sums + b);
      }
#pragma GCC unroll 4
      for (Index a = 0; a < kHeight; ++a) {
        left_sums[first + a] += sums[a].sum();
        sum += sums[a];
        squared += squares[a];
      }
    }
    return WeightSums{.weight = sum.sum(), .squared = squared.sum()};
  });
}

}  // namespace

void PairTile::take(Index left, Index right) {
  const auto set = [](Side& side, Index block) {
    if (block != side.block) side.end = 0;
    side.block = block;
  };
  set(left_, left);
  set(right_, right);
}

const double* PairTile::load(Side& side, Index first) const {
  if (side.panels.empty()) return blocks_.panel(side.block, first, side.panel.data());
  double* const panel = side.panels.data() + first * kRows;
  if (first >= side.end) {
    blocks_.panel(side.block, first, panel);
    side.end = first + kWidth;
  }
  return panel;
}

PairTile::Panels PairTile::load(Index first) {
  const double* const left = load(left_, first);
  return {.left = left,
          .right = left_.block == right_.block ? left : load(right_, first),
          .left_rows = std::ssize(blocks_.rows(left_.block)),
          .right_rows = std::ssize(blocks_.rows(right_.block)),
          .width = std::min(kWidth, blocks_.cols() - first)};
}

void PairTile::measure(Values& distances) {
  for (Index first = 0; first < blocks_.cols(); first += kWidth) {
    const Panels x = load(first);
    add_distances(x.left, x.right, x.left_rows, x.right_rows, x.width, first == 0,
                  distances.data());
  }
}

void PairTile::add_differences(const Values& weights, std::span<double> sums) {
  for (Index first = 0; first < blocks_.cols(); first += kWidth) {
    const Panels x = load(first);
    std::array<double, kWidth> more{};
    add_weighted_squares(x.left, x.right, x.left_rows, x.right_rows, x.width, weights.data(),
                         more.data());
    for (Index c = 0; c < x.width; ++c) sums[first + c] += more[c];
  }
}

void PairTile::multiply_rows(const OfRows& left_terms, const OfRows& right_terms, double scale,
                             Values& sums) {
  for (Index first = 0; first < blocks_.cols(); first += kWidth) {
    const Panels x = load(first);
    add_scaled_products(x.left, x.right, x.left_rows, x.right_rows, x.width, scale,
                        first == 0 ? left_terms.data() : nullptr, right_terms.data(), sums.data());
  }
}

void PairTile::add_row_products(const Values& weights, std::span<double> sums) {
  for (Index first = 0; first < blocks_.cols(); first += kWidth) {
    const Panels x = load(first);
    add_weighted_products(x.left, x.right, x.left_rows, x.right_rows, x.width, weights.data(),
                          sums.data() + first * kSumParts);
  }
}

void PairTile::add_left_squares(const OfRows& factors, std::span<double> sums) {
  for (Index first = 0; first < blocks_.cols(); first += kWidth) {
    const Panels x = load(first);
    add_squared(x.left, x.width, factors.data(), sums.data() + first * kSumParts);
  }
}

OfRows PairTile::left_norms() {
  OfRows norms{};
  for (Index first = 0; first < blocks_.cols(); first += kWidth) {
    const Panels x = load(first);
    for (Index c = 0; c < x.width; ++c)
      for (Index a = 0; a < kRows; ++a) norms[a] += x.left[c * kRows + a] * x.left[c * kRows + a];
  }
  return norms;
}

void raise_two(Index left_rows, PairTile::Values& values) {
  powers_of_two(values.data(), left_rows * kRows);
}

void heat_weights(std::span<double> values, double nearest, double t) {
  if (!std::isfinite(1.0 / t)) {  // of a tiny bandwidth, or a table whose squares nearly vanish
    for (double& value : values) value = value <= nearest ? 1.0 : std::exp((nearest - value) / t);
    return;
  }
  const Index whole = std::ssize(values) / kExponentials * kExponentials;
  exponentials(values.data(), whole, nearest, -1.0 / t);
  std::array<double, kExponentials> rest;
  rest.fill(nearest);
  std::ranges::copy(values.subspan(whole), rest.begin());
  exponentials(rest.data(), kExponentials, nearest, -1.0 / t);
  std::copy_n(rest.begin(), std::ssize(values) - whole, values.begin() + whole);
}

WeightSums sum_weights(const PairTile::Values& weights) {
  WeightSums sums;
  all_sums(weights.data(), &sums.weight, &sums.squared);
  return sums;
}

WeightSums multiply_weights(const OfRows& left_factors, const OfRows& right_factors,
                            PairTile::Values& weights, OfRows& left_sums, OfRows& right_sums) {
  return multiply_all(left_factors.data(), right_factors.data(), weights.data(), left_sums.data(),
                      right_sums.data());
}

}  // namespace tamis
