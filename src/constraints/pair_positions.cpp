#include "constraints/pair_positions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "constraints/line_estimates.hpp"
#include "core/double_lanes.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr double kNegligible = 1e-12;  ///< of a pair's length: a shorter overlap is rounding
constexpr Index kDoubles = 4;          ///< of DoubleLanes

/// Fewer are multiplied sooner than their distances tell anything.
constexpr Index kManyColumns = 512;

/// Rows and lines that are multiplied at once: their sums fit in registers.
constexpr Index kTileRows = 2;
constexpr Index kTileLines = 4;
constexpr Index kChunk = 256;  ///< columns at a time, of which lines stay in the first-level cache

/// The sum of (row - origin) * along, in lanes.
double product_along(const double* row, const double* origin, const double* along, Index count) {
  return for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    Vector sums{};
    for (Index c = 0; c < count; c += kDoubles)
      sums += (Vector::load(row + c) - Vector::load(origin + c)) * Vector::load(along + c);
    return sums.sum();
  });
}

/// 1 where two positions have next to nothing between them, else 0.
template <class Vector>
TAMIS_INLINE Vector ones_where_apart(const Vector& difference) {
  return ones_where_less(larger(difference, -difference), Vector::of(kNegligible));
}

Index count_apart(const double* a, const double* b, Index count) {
  return for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Vector = DoubleLanes<decltype(cpu)>;
    Vector apart{};
    for (Index s = 0; s < count; s += kDoubles)
      apart += ones_where_apart(Vector::load(a + s) - Vector::load(b + s));
    return static_cast<Index>(apart.sum());
  });
}

constexpr Index kRowsAtOnce = PairPositions::kRowsAtOnce;

/// counts[b] += on how many of the pairs a row and row b of a panel, which has these rows side by
/// side, are apart. Whole numbers: how many are counted at once does not matter.
void add_apart(const double* own, const double* panel, Index count, double* counts) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    constexpr Index kWidth =
        std::min<Index>(kRowsAtOnce, 4 * kRegisterLanes<double, decltype(cpu)>);
    using Vector = Lanes<double, kWidth, decltype(cpu)>;
    for (Index b = 0; b < kRowsAtOnce; b += kWidth) {
      auto apart = Vector::load(counts + b);
      for (Index q = 0; q < count; ++q)
        apart += ones_where_apart(own[q] - Vector::load(panel + q * kRowsAtOnce + b));
      apart.store(counts + b);
    }
  });
}

Index rounded_up(Index count, Index multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

/// Rows as doubles, each padded with zeros to whole vectors, and with rows of zeros to whole tiles.
class RowPanel {
 public:
  RowPanel(const MatrixView& x, std::span<const Index> rows)
      : width_(rounded_up(x.cols(), kDoubles)),
        values_(rounded_up(std::ssize(rows), kTileLines) * width_, 0.0) {
    for (Index s = 0; s < std::ssize(rows); ++s)
      copy_columns(x, rows.subspan(s, 1), 0, x.cols(), row(s));
  }
  Index width() const { return width_; }
  double* row(Index s) { return values_.data() + s * width_; }
  const double* row(Index s) const { return values_.data() + s * width_; }

 private:
  Index width_;
  Buffer<double> values_;
};

std::vector<Index> ends(std::span<const RowPair> pairs, Index RowPair::*end) {
  std::vector<Index> rows;
  for (const RowPair& pair : pairs) rows.push_back(pair.*end);
  return rows;
}

/// A few pairs as an origin and a direction each.
class Lines {
 public:
  static constexpr Index kMost = 32;

  Lines(const MatrixView& x, std::span<const RowPair> pairs)
      : n_(std::ssize(pairs)),
        origins_(x, ends(pairs, &RowPair::first)),
        directions_(x, ends(pairs, &RowPair::second)) {
    const RowPanel seconds(x, ends(pairs, &RowPair::second));
    for (Index q = 0; q < n_; ++q)
      for (Index c = 0; c < origins_.width(); ++c) directions_.row(q)[c] -= origins_.row(q)[c];
    for (Index q = 0; q < n_; ++q)
      squared_lengths_.push_back(
          product_along(seconds.row(q), origins_.row(q), directions_.row(q), origins_.width()));
  }

  /// Where the first n rows of a panel fall on line q: positions[row * stride + q].
  void locate(const RowPanel& rows, Index n, Index stride, double* positions) const {
    std::vector<double> products(n * kMost);
    multiply(rows, n, products.data());
    for (Index s = 0; s < n; ++s)
      for (Index q = 0; q < n_; ++q)
        positions[s * stride + q] =
            squared_lengths_[q] == 0.0
                ? 0.0
                : std::clamp(products[s * kMost + q] / squared_lengths_[q], 0.0, 1.0);
  }

 private:
  using LaneSums = std::array<double, kTileRows * kTileLines * kDoubles>;

  /// product_along of row s and line q at products[s * kMost + q], a tile at a time.
  void multiply(const RowPanel& rows, Index n, double* products) const {
    const Index tiles = rounded_up(n_, kTileLines) / kTileLines;
    std::vector<LaneSums> sums(rounded_up(n, kTileRows) / kTileRows * tiles, LaneSums{});
    for (Index first = 0; first < rows.width(); first += kChunk)
      for (Index q = 0; q < n_; q += kTileLines)
        for (Index s = 0; s < n; s += kTileRows)
          add_tile(rows, s, q, first, sums[s / kTileRows * tiles + q / kTileLines]);
    for (Index s = 0; s < n; ++s)
      for (Index q = 0; q < n_; ++q) {
        const LaneSums& tile = sums[s / kTileRows * tiles + q / kTileLines];
        products[s * kMost + q] =
            DoubleLanes<BaselineCpu>::load(
                &tile[(s % kTileRows * kTileLines + q % kTileLines) * kDoubles])
                .sum();
      }
  }

  /// Goes on with the sums of a tile, in lanes, over the next columns.
  void add_tile(const RowPanel& rows, Index s, Index q, Index first, LaneSums& sums) const {
    const Index width = rows.width();
    const Index end = std::min(first + kChunk, width);
    for_this_cpu([=, row = rows.row(s), origin = origins_.row(q), along = directions_.row(q),
                  out = sums.data()](auto cpu) TAMIS_KERNEL {
      using Vector = DoubleLanes<decltype(cpu)>;
      Vector total[kTileRows][kTileLines];
#pragma GCC unroll 2
      for (Index a = 0; a < kTileRows; ++a)
#pragma GCC unroll 4
        for (Index b = 0; b < kTileLines; ++b)
          total[a][b] = Vector::load(out + (a * kTileLines + b) * kDoubles);
      for (Index c = first; c < end; c += kDoubles)
#pragma GCC unroll 4
        for (Index b = 0; b < kTileLines; ++b) {
          const auto from = Vector::load(origin + b * width + c);
          const auto direction = Vector::load(along + b * width + c);
#pragma GCC unroll 2
          for (Index a = 0; a < kTileRows; ++a)
            total[a][b] += (Vector::load(row + a * width + c) - from) * direction;
        }
#pragma GCC unroll 2
      for (Index a = 0; a < kTileRows; ++a)
#pragma GCC unroll 4
        for (Index b = 0; b < kTileLines; ++b)
          total[a][b].store(out + (a * kTileLines + b) * kDoubles);
    });
  }

  Index n_;
  RowPanel origins_;
  RowPanel directions_;
  std::vector<double> squared_lengths_;
};

/// The rows, and the ends of the pairs, each once.
std::vector<Index> rows_and_ends(std::span<const Index> rows, std::span<const RowPair> pairs) {
  std::vector<Index> all(rows.begin(), rows.end());
  for (const RowPair& pair : pairs) all.insert(all.end(), {pair.first, pair.second});
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Where rows fall on one line, by its definition.
std::vector<double> locate_on_line(const MatrixView& x, std::span<const Index> rows,
                                   const RowPair& pair) {
  const Lines line(x, std::span(&pair, 1));
  std::vector<double> positions(rows.size());
  for (Index from = 0; from < std::ssize(rows); from += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, std::ssize(rows) - from);
    line.locate(RowPanel(x, rows.subspan(from, count)), count, 1, &positions[from]);
  }
  return positions;
}

/// Positions of rows on one line that are as far apart as they are by its definition, or at least
/// as surely so.
std::vector<LineEstimate> estimate_line(const MatrixView& x, std::span<const Index> rows,
                                        const RowPair& pair, const RowDistances& distances) {
  const Index first = distances.place_of(pair.first);
  const Index second = distances.place_of(pair.second);
  const double length = distances(first, second);
  std::vector<LineEstimate> estimates;
  for (const Index row : rows) {
    const Index place = distances.place_of(row);
    const bool is_end = place == first || place == second;
    estimates.push_back(
        estimate_on_line(distances(first, place), length, distances(second, place), x.cols()));
    if (is_end && std::isfinite(estimates.back().error))
      estimates.back() = {.position = place == second && length > 0.0 ? 1.0 : 0.0};
  }
  const std::vector<Index> doubtful = doubtful_estimates(estimates, kNegligible);
  std::vector<Index> open;
  for (const Index s : doubtful) open.push_back(rows[s]);
  if (open.empty()) return estimates;
  const std::vector<double> positions = locate_on_line(x, open, pair);
  for (std::size_t d = 0; d < open.size(); ++d) estimates[doubtful[d]] = {.position = positions[d]};
  return estimates;
}

}  // namespace

PairPositions::PairPositions(const MatrixView& x, std::span<const Index> rows,
                             std::span<const RowPair> pairs)
    : n_pairs_(std::ssize(pairs)),
      stride_(rounded_up(n_pairs_, kDoubles)),
      positions_(std::ssize(rows) * stride_, std::numeric_limits<double>::quiet_NaN()) {
  const std::vector<Index> all = rows_and_ends(rows, pairs);
  if (x.cols() >= kManyColumns && std::ssize(all) * std::ssize(all) <= std::ssize(rows) * n_pairs_)
    estimate(x, rows, pairs, RowDistances(x, all));
  else
    locate(x, rows, pairs);
}

void PairPositions::locate(const MatrixView& x, std::span<const Index> rows,
                           std::span<const RowPair> pairs) {
  for (Index first = 0; first < n_pairs_; first += Lines::kMost) {
    const Lines lines(x, pairs.subspan(first, std::min(Lines::kMost, n_pairs_ - first)));
    parallel_for(std::ssize(rows), kRowsAtOnce, [&](Index begin, Index end) {
      const RowPanel panel(x, rows.subspan(begin, end - begin));
      lines.locate(panel, end - begin, stride_, positions_.data() + begin * stride_ + first);
    });
  }
}

void PairPositions::estimate(const MatrixView& x, std::span<const Index> rows,
                             std::span<const RowPair> pairs, const RowDistances& distances) {
  parallel_for(n_pairs_, kRowsAtOnce, [&](Index begin, Index end) {
    for (Index q = begin; q < end; ++q) {
      const std::vector<LineEstimate> estimates = estimate_line(x, rows, pairs[q], distances);
      for (Index s = 0; s < std::ssize(rows); ++s)
        positions_[s * stride_ + q] = estimates[s].position;
    }
  });
}

Index PairPositions::count_misses(Index a, Index b) const {
  return count_apart(of_row(a), of_row(b), stride_);
}

void PairPositions::count_misses(std::span<const Index> left, std::span<const Index> right,
                                 Counts& counts) const {
  constexpr Index kPairsAtOnce = 64;
  std::array<double, kPairsAtOnce * kRowsAtOnce> panel{};
  counts.fill(0.0);
  for (Index first = 0; first < n_pairs_; first += kPairsAtOnce) {
    const Index count = std::min(kPairsAtOnce, n_pairs_ - first);
    for (Index b = 0; b < std::ssize(right); ++b)
      for (Index q = 0; q < count; ++q) panel[q * kRowsAtOnce + b] = of_row(right[b])[first + q];
    for (Index a = 0; a < std::ssize(left); ++a)
      add_apart(of_row(left[a]) + first, panel.data(), count, counts.data() + a * kRowsAtOnce);
  }
}

std::uint64_t PairPositions::misses(Index a, Index b, Index first) const {
  std::uint64_t bits = 0;
  const double* const left = of_row(a) + first;
  const double* const right = of_row(b) + first;
  for (Index q = 0; q < std::min<Index>(n_pairs_ - first, 64); ++q)
    if (std::abs(left[q] - right[q]) < kNegligible) bits |= std::uint64_t{1} << q;
  return bits;
}

}  // namespace tamis
