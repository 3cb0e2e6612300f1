#include "constraints/pair_positions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/double_lanes.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr double kNegligible = 1e-12;  ///< of a pair's length: a shorter overlap is rounding
constexpr Index kDoubles = 4;          ///< of DoubleLanes

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

Index whole_vectors(Index count) { return (count + kDoubles - 1) / kDoubles * kDoubles; }

/// Rows as doubles, each padded with zeros to whole vectors.
class RowPanel {
 public:
  RowPanel(const MatrixView& x, std::span<const Index> rows)
      : width_(whole_vectors(x.cols())), values_(std::ssize(rows) * width_, 0.0) {
    for (Index s = 0; s < std::ssize(rows); ++s)
      copy_columns(x, rows.subspan(s, 1), 0, x.cols(), values_.data() + s * width_);
  }
  Index width() const { return width_; }
  double* row(Index s) { return values_.data() + s * width_; }
  const double* row(Index s) const { return values_.data() + s * width_; }

 private:
  Index width_;
  Buffer<double> values_;
};

/// A few pairs as an origin and a direction each.
struct Lines {
  Lines(const MatrixView& x, std::span<const RowPair> pairs)
      : origins(x, ends(pairs, &RowPair::first)), directions(x, ends(pairs, &RowPair::second)) {
    for (Index q = 0; q < std::ssize(pairs); ++q) {
      lengths.push_back(0.0);
      for (Index c = 0; c < origins.width(); ++c) directions.row(q)[c] -= origins.row(q)[c];
    }
    const RowPanel seconds(x, ends(pairs, &RowPair::second));
    for (Index q = 0; q < std::ssize(pairs); ++q) lengths[q] = along(seconds.row(q), q);
  }
  static std::vector<Index> ends(std::span<const RowPair> pairs, Index RowPair::*end) {
    std::vector<Index> rows;
    for (const RowPair& pair : pairs) rows.push_back(pair.*end);
    return rows;
  }
  double along(const double* row, Index q) const {
    return product_along(row, origins.row(q), directions.row(q), origins.width());
  }
  double position(const double* row, Index q) const {
    return lengths[q] == 0.0 ? 0.0 : std::clamp(along(row, q) / lengths[q], 0.0, 1.0);
  }

  RowPanel origins;
  RowPanel directions;
  std::vector<double> lengths;  // squared
};

}  // namespace

PairPositions::PairPositions(const MatrixView& x, std::span<const Index> rows,
                             std::span<const RowPair> pairs)
    : n_pairs_(std::ssize(pairs)),
      stride_(whole_vectors(n_pairs_)),
      positions_(std::ssize(rows) * stride_, std::numeric_limits<double>::quiet_NaN()) {
  constexpr Index kPairsAtOnce = 32;
  for (Index first = 0; first < n_pairs_; first += kPairsAtOnce) {
    const Index count = std::min(kPairsAtOnce, n_pairs_ - first);
    const Lines lines(x, pairs.subspan(first, count));
    parallel_for(std::ssize(rows), kRowsAtOnce, [&](Index begin, Index end) {
      const RowPanel panel(x, rows.subspan(begin, end - begin));
      for (Index s = begin; s < end; ++s)
        for (Index q = 0; q < count; ++q)
          positions_[s * stride_ + first + q] = lines.position(panel.row(s - begin), q);
    });
  }
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

std::uint64_t PairPositions::misses(Index a, Index b) const {
  std::uint64_t bits = 0;
  for (Index q = 0; q < std::min<Index>(n_pairs_, 64); ++q)
    if (std::abs(of_row(a)[q] - of_row(b)[q]) < kNegligible) bits |= std::uint64_t{1} << q;
  return bits;
}

}  // namespace tamis
