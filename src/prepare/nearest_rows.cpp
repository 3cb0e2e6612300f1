#include "prepare/nearest_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "core/lanes.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr std::size_t kNeighbors = 5;
constexpr Index kOwnRows = 256;  // incomplete ones
constexpr Index kTileRows = 64;  // possible neighbours
constexpr Index kPanel = 64;     // columns: which of them a row has is one word

using Word = std::uint64_t;

/// squares[a, t] += ((own[a, c] - others[c, t]) * scales[c])^2 for each c, in their order; nothing
/// where a value is missing. Each pair is a lane of its own.
void add_squares(const double* own, Index own_rows, const double* others, const double* scales,
                 Index columns, double* squares) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    constexpr Index kWidth = 4 * kRegisterLanes<double, Cpu>;
    using Pairs = Lanes<double, kWidth, Cpu>;
    for (Index a = 0; a < own_rows; ++a)
      for (Index t = 0; t < kTileRows; t += kWidth) {
        Pairs sums = Pairs::load(squares + a * kTileRows + t);
        for (Index c = 0; c < columns; ++c) {
          const Pairs difference =
              (own[a * kPanel + c] - Pairs::load(others + c * kTileRows + t)) * scales[c];
          sums += larger(difference * difference, Pairs::of(0.0));  // 0 in place of NaN, too
        }
        sums.store(squares + a * kTileRows + t);
      }
  });
}

/// The distances of incomplete rows from a tile of others.
class TileDistances {
 public:
  TileDistances(const MatrixView& x, std::span<const double> scales) : x_(x), scales_(scales) {}

  /// At most kOwnRows and kTileRows of them.
  void measure(std::span<const Index> own, std::span<const Index> others) {
    squares_.fill(0.0);
    shared_.fill(0);
    for (Index first = 0; first < x_.cols(); first += kPanel)
      add_panel(own, others, first, std::min(kPanel, x_.cols() - first));
  }

  /// NaN if there is no column that varies and that both have.
  double operator()(Index a, Index t) const {
    const std::int32_t shared = shared_[a * kTileRows + t];
    return shared == 0 ? std::numeric_limits<double>::quiet_NaN()
                       : squares_[a * kTileRows + t] / static_cast<double>(shared);
  }

 private:
  void add_panel(std::span<const Index> own, std::span<const Index> others, Index first,
                 Index columns) {
    const auto load = [&](std::span<const Index> rows, const auto& put) {
      for (std::size_t s = 0; s < rows.size(); ++s) {
        copy_columns(x_, rows.subspan(s, 1), first, columns, values_.data());
        put(static_cast<Index>(s));
      }
    };
    load(own, [&](Index a) {
      std::copy_n(values_.data(), columns, own_.data() + a * kPanel);
      own_known_[a] = known(first, columns);
    });
    load(others, [&](Index t) {
      for (Index c = 0; c < columns; ++c) others_[c * kTileRows + t] = values_[c];
      others_known_[t] = known(first, columns);
    });
    add_squares(own_.data(), std::ssize(own), others_.data(), scales_.data() + first, columns,
                squares_.data());
    for (Index a = 0; a < std::ssize(own); ++a)
      for (Index t = 0; t < std::ssize(others); ++t)
        shared_[a * kTileRows + t] += std::popcount(own_known_[a] & others_known_[t]);
  }

  /// Which of the values that were copied last are known, of columns that count.
  Word known(Index first, Index columns) const {
    Word word = 0;
    for (Index c = 0; c < columns; ++c)
      if (!std::isnan(values_[c]) && !std::isnan(scales_[first + c])) word |= Word{1} << c;
    return word;
  }

  const MatrixView& x_;
  std::span<const double> scales_;
  std::array<double, kPanel> values_{};
  std::array<double, kOwnRows * kPanel> own_{};
  std::array<Word, kOwnRows> own_known_{};
  std::array<double, kTileRows * kPanel> others_{};  // column by column
  std::array<Word, kTileRows> others_known_{};
  std::array<double, kOwnRows * kTileRows> squares_{};
  std::array<std::int32_t, kOwnRows * kTileRows> shared_{};
};

/// Rows by their distance, of which as many are sorted as are looked at.
class Nearest {
 public:
  void add(double distance, Index row) { rows_.emplace_back(distance, row); }
  /// The row of place k, if there are so many.
  std::optional<Index> at(std::size_t k) {
    if (k >= rows_.size()) return std::nullopt;
    if (k >= sorted_) sort_more();
    return rows_[k].second;
  }

 private:
  void sort_more() {
    constexpr std::size_t kFirst = 32;
    const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    sorted_ = std::min(rows_.size(), std::max(kFirst, 4 * sorted_));
    const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    std::nth_element(begin, end, rows_.end());
    std::sort(begin, end);
  }

  std::vector<std::pair<double, Index>> rows_ = {};
  std::size_t sorted_ = 0;
};

std::optional<double> mean_of_nearest(const MatrixView& x, Nearest& near, Index column) {
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t k = 0; count < kNeighbors; ++k) {
    const std::optional<Index> row = near.at(k);
    if (!row) break;
    double value = 0.0;
    copy_columns(x, std::array{*row}, column, 1, &value);
    if (std::isnan(value)) continue;
    sum += value;
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

}  // namespace

Index NearestRows::rows_at_once() const {
  constexpr Index kDistancesAtOnce = Index{1} << 22;
  return std::clamp<Index>(kDistancesAtOnce / std::ssize(rows_), 1, kOwnRows);
}

std::vector<Fill> NearestRows::fills_of(std::span<const Index> incomplete) const {
  const std::vector<double> distances = distances_of(incomplete);
  std::vector<Fill> fills(incomplete.size());
  parallel_for(std::ssize(incomplete), 1, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s)
      fills[s] =
          fill_of(incomplete[s], std::span(distances).subspan(s * rows_.size(), rows_.size()));
  });
  return fills;
}

/// Of each incomplete row from all others, one row after the other.
std::vector<double> NearestRows::distances_of(std::span<const Index> incomplete) const {
  std::vector<double> distances(incomplete.size() * rows_.size());
  parallel_for_with(
      std::ssize(rows_), kTileRows, [&] { return std::make_unique<TileDistances>(x_, scales_); },
      [&](std::unique_ptr<TileDistances>& tile, Index begin, Index end) {
        tile->measure(incomplete, rows_.subspan(begin, end - begin));
        for (Index a = 0; a < std::ssize(incomplete); ++a)
          for (Index t = begin; t < end; ++t)
            distances[a * std::ssize(rows_) + t] = (*tile)(a, t - begin);
      });
  return distances;
}

Fill NearestRows::fill_of(Index row, std::span<const double> distances) const {
  Nearest near;
  for (std::size_t s = 0; s < rows_.size(); ++s)
    if (rows_[s] != row && !std::isnan(distances[s])) near.add(distances[s], rows_[s]);
  std::vector<double> own(static_cast<std::size_t>(x_.cols()));
  copy_columns(x_, std::array{row}, 0, x_.cols(), own.data());
  Fill fill;
  for (Index r = 0; r < x_.cols(); ++r)
    if (std::isnan(own[r])) fill.push_back(mean_of_nearest(x_, near, r).value_or(otherwise_[r]));
  return fill;
}

}  // namespace tamis
