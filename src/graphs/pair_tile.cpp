#include "methods/csfs/pair_tile.hpp"

#include <algorithm>
#include <cstring>

#include "core/simd.hpp"

namespace tamis {
namespace {

constexpr Index kRows = PairTile::kRows;
constexpr Index kWidth = 32;

using Lanes __attribute__((vector_size(64))) = double;
constexpr Index kLanes = 8;

/// Pairs of two left rows and four vectors of right rows: their sums stay in registers.
constexpr Index kVectors = 4;

TAMIS_MULTIVERSION void add_distances(const double* left, const double* turned, Index left_rows,
                                      double* distances) {
  for (Index a = 0; a < left_rows; a += 2)
    for (Index b = 0; b < kRows; b += kVectors * kLanes) {
      Lanes sums[2][kVectors];
      for (Index v = 0; v < kVectors; ++v)
        for (Index s = 0; s < 2; ++s)
          std::memcpy(&sums[s][v], distances + (a + s) * kRows + b + v * kLanes, sizeof(Lanes));
      for (Index c = 0; c < kWidth; ++c)
        for (Index v = 0; v < kVectors; ++v) {
          Lanes other;
          std::memcpy(&other, turned + c * kRows + b + v * kLanes, sizeof other);
          for (Index s = 0; s < 2; ++s) {
            const Lanes difference = left[(a + s) * kWidth + c] - other;
            sums[s][v] += difference * difference;
          }
        }
      for (Index v = 0; v < kVectors; ++v)
        for (Index s = 0; s < 2; ++s)
          std::memcpy(distances + (a + s) * kRows + b + v * kLanes, &sums[s][v], sizeof(Lanes));
    }
}

TAMIS_MULTIVERSION void add_weighted_squares(const double* left, const double* right,
                                             Index left_rows, Index right_rows,
                                             const double* weights, double* sums) {
  constexpr Index kCount = kWidth / kLanes;
  Lanes totals[kCount];
  std::memcpy(totals, sums, sizeof totals);
  for (Index a = 0; a < left_rows; ++a) {
    Lanes own[kCount];
    std::memcpy(own, left + a * kWidth, sizeof own);
    for (Index b = 0; b < right_rows; ++b) {
      const double weight = weights[a * kRows + b];
      for (Index v = 0; v < kCount; ++v) {
        Lanes difference;
        std::memcpy(&difference, right + b * kWidth + v * kLanes, sizeof difference);
        difference = own[v] - difference;
        totals[v] += weight * (difference * difference);
      }
    }
  }
  std::memcpy(sums, totals, sizeof totals);
}

}  // namespace

PairTile::PairTile()
    : left_(kRows * kWidth, 0.0),
      right_(kRows * kWidth, 0.0),
      turned_(kRows * kWidth, 0.0),
      narrow_(kRows * kWidth, 0.0) {}

void PairTile::load(const MatrixView& x, std::span<const Index> rows, Index first,
                    Buffer<double>& panel) {
  const Index width = std::min(kWidth, x.cols() - first);
  if (width == kWidth) return copy_columns(x, rows, first, width, panel.data());
  copy_columns(x, rows, first, width, narrow_.data());
  std::ranges::fill(panel, 0.0);
  for (Index s = 0; s < std::ssize(rows); ++s)
    std::copy_n(narrow_.begin() + s * width, width, panel.begin() + s * kWidth);
}

void PairTile::measure(const MatrixView& x, std::span<const Index> left,
                       std::span<const Index> right) {
  distances_.fill(0.0);
  for (Index first = 0; first < x.cols(); first += kWidth) {
    load(x, left, first, left_);
    load(x, right, first, right_);
    for (Index b = 0; b < std::ssize(right); ++b)
      for (Index c = 0; c < kWidth; ++c) turned_[c * kRows + b] = right_[b * kWidth + c];
    add_distances(left_.data(), turned_.data(), std::ssize(left), distances_.data());
  }
}

void PairTile::add_differences(const MatrixView& x, std::span<const Index> left,
                               std::span<const Index> right, const Values& weights,
                               std::span<double> sums) {
  for (Index first = 0; first < x.cols(); first += kWidth) {
    load(x, left, first, left_);
    load(x, right, first, right_);
    const Index width = std::min(kWidth, x.cols() - first);
    std::array<double, kWidth> panel_sums{};
    std::copy_n(sums.begin() + first, width, panel_sums.begin());
    add_weighted_squares(left_.data(), right_.data(), std::ssize(left), std::ssize(right),
                         weights.data(), panel_sums.data());
    std::copy_n(panel_sums.begin(), width, sums.begin() + first);
  }
}

}  // namespace tamis
