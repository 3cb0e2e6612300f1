#include "graphs/rounded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/lanes.hpp"
#include "graphs/gram_source.hpp"
#include "linalg/integer_tiles.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// By Cauchy and Schwarz no sum of products of two pieces of this norm leaves 32 bits.
constexpr double kLargestNorm = 46340.0;
constexpr double kLargestValue = 32766.0;
static_assert(kLargestNorm * kLargestNorm < 0x1p31);
/// By how much a value before rounding may differ from what its unit says: kLargestValue times the
/// roundings of the factor and of the product.
constexpr double kSlack = 0.005;
static_assert(kSlack > 2.0 * kLargestValue * HeldRows::kUnitRoundoff);
/// Products of two units must not underflow, nor squares of values vanish from a norm.
constexpr double kLeastUnit = 0x1p-60;
constexpr double kLeastSquaredNorm = 1e-280;

/// The nearest integer of a number below 2^22: what is added and taken away again leaves no room
/// for other digits.
template <class T>
inline constexpr T kNoFractions = T{1.5} / std::numeric_limits<T>::epsilon();
template <class T, class Value>
TAMIS_INLINE Value rounded(const Value& value) {
  return (value + kNoFractions<T>)-kNoFractions<T>;
}

/// Columns of a row that are looked at together.
constexpr Index kAtOnce = 16;

/// Calls visit(values) with the centred values of a row, so many at once: at last with zeros after
/// them, which must change nothing.
template <class Cpu, class T, class Visit>
TAMIS_INLINE void for_each_centred(const T* row, const T* centres, Index cols, const Visit& visit) {
  using Values = Lanes<T, kAtOnce, Cpu>;
  Index r = 0;
  for (; r + kAtOnce <= cols; r += kAtOnce)
    visit(Values::load(row + r) - Values::load(centres + r));
  if (r == cols) return;
  T rest[kAtOnce] = {};
  for (Index l = 0; r + l < cols; ++l) rest[l] = row[r + l] - centres[r + l];
  visit(Values::load(rest));
}

/// How large centred values are.
struct Extent {
  double largest;
  double squared_norm;
};
template <class T>
Extent extent_of(const T* row, const T* centres, Index cols) {
  return for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    using Values = Lanes<T, kAtOnce, Cpu>;
    Values largest{};
    Lanes<double, kAtOnce, Cpu> squares{};
    for_each_centred<Cpu>(row, centres, cols, [&](const Values& values) TAMIS_KERNEL {
      largest = larger(larger(values, -values), largest);
      const auto wide = widened(values);
      squares += wide * wide;
    });
    T lanes[kAtOnce];
    largest.store(lanes);
    return Extent{static_cast<double>(*std::max_element(lanes, lanes + kAtOnce)), squares.sum()};
  });
}

/// What rounding makes of centred values times a factor.
struct Rounding {
  double integers;  ///< the sum of their squares
  double added;     ///< the sum of the squares of what rounding adds
};
template <class T>
Rounding rounding_of(const T* row, const T* centres, T factor, Index cols) {
  return for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    using Values = Lanes<T, kAtOnce, Cpu>;
    Lanes<double, kAtOnce, Cpu> integers{};
    Lanes<double, kAtOnce, Cpu> added{};
    for_each_centred<Cpu>(row, centres, cols, [&](const Values& values) TAMIS_KERNEL {
      const Values scaled = values * factor;
      const auto integer = rounded<T>(scaled);
      const auto wide = widened(integer);
      const auto rounding = widened(integer - scaled);
      integers += wide * wide;
      added += rounding * rounding;
    });
    return Rounding{integers.sum(), added.sum()};
  });
}

template <class T>
void round_row(const T* row, const T* centres, T factor, Index cols, std::int16_t* out) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index r = 0; r < cols; ++r) {
      const T value = rounded<T>((row[r] - centres[r]) * factor);
      out[r] = static_cast<std::int16_t>(static_cast<std::int32_t>(value));
    }
  });
}

/// out[p * kIntegerTile + i] = pair p of row i; a cache line of each row at a time.
void interleave(const std::int16_t* rows, Index pairs, std::int32_t* out) {
  constexpr Index kBlock = 16;
  for (Index from = 0; from < pairs; from += kBlock) {
    const Index to = std::min(pairs, from + kBlock);
    for (Index i = 0; i < kIntegerTile; ++i)
      for (Index p = from; p < to; ++p)
        std::memcpy(out + p * kIntegerTile + i, rows + 2 * (i * pairs + p), sizeof(std::int32_t));
  }
}

}  // namespace

template <class T>
RoundedRows<T>::RoundedRows(const DenseView<T>& x, std::span<const Index> among)
    : rows_(x, among),
      scale_(unit_scale(rows_.spread())),
      are_held_(scale_ > 0.0 && std::isfinite(rows_.spread())),
      factors_(rows_.size()),
      units_(rows_.size()),
      squared_norms_(rows_.size()) {
  if (are_held_) hold_all();
}

template <class T>
void RoundedRows<T>::hold_all() {
  constexpr Index kRows = 64;
  std::vector<double> errors(size());
  std::vector<char> is_held(size());
  are_exact_ = are_small_integers();
  parallel_for(size(), kRows, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) {
      const Held held = hold(s);
      factors_[s] = held.factor;
      units_[s] = held.unit;
      squared_norms_[s] = held.squared_norm;
      errors[s] = held.error;
      is_held[s] = held.is_held ? 1 : 0;
    }
  });
  relative_error_ = std::ranges::max(errors);
  are_held_ = std::ranges::all_of(is_held, [](char held) { return held != 0; });
}

/// Whether all rows are integers of small enough norms for units of 1.
template <class T>
bool RoundedRows<T>::are_small_integers() const {
  if (!rows_.holds_integers()) return false;
  for (Index s = 0; s < size(); ++s)
    if (extent_of(rows_.row(s), rows_.centres(), cols()).squared_norm >=
        HeldRows::kLargestExactNorm)
      return false;
  return true;
}

template <class T>
typename RoundedRows<T>::Held RoundedRows<T>::hold(Index position) const {
  const T* const row = rows_.row(position);
  double largest = 0.0;
  double largest_norm = 0.0;  // squared, of the pieces
  for (Index from = 0; from < cols(); from += kPieceCols) {
    const Extent piece =
        extent_of(row + from, rows_.centres() + from, std::min(kPieceCols, cols() - from));
    largest = std::max(largest, piece.largest);
    largest_norm = std::max(largest_norm, piece.squared_norm);
  }
  if (largest == 0.0) return {};
  // Rounding makes a piece longer by at most half the root of its columns.
  constexpr double kMost = kLargestNorm - 16.0;
  static_assert(kPieceCols == Index{16} * 16);
  const double factor =
      are_exact_ ? 1.0 : std::min(kMost / std::sqrt(largest_norm), kLargestValue / largest);
  Held held{.is_held = largest_norm > kLeastSquaredNorm && scale_ / factor > kLeastUnit &&
                       factor < 0.5 * static_cast<double>(std::numeric_limits<T>::max())};
  if (!held.is_held) return held;
  held.unit = static_cast<float>(scale_ / factor);
  held.factor = static_cast<T>(scale_ / static_cast<double>(held.unit));
  const Rounding rounding = rounding_of(row, rows_.centres(), held.factor, cols());
  held.squared_norm = rounding.integers * std::pow(static_cast<double>(held.unit), 2);
  if (are_exact_) return held;
  const double added = std::sqrt(rounding.added) + kSlack * std::sqrt(static_cast<double>(cols()));
  // Centring has rounded each value, too.
  held.error = added / std::sqrt(rounding.integers) + 2.0 * HeldRows::kUnitRoundoff;
  return held;
}

template <class T>
Index RoundedRows<T>::tile_size() const {
  return (cols() + 1) / 2 * kIntegerTile;
}

template <class T>
void RoundedRows<T>::pack(std::span<const Index> positions, Buffer<std::int16_t>& scratch,
                          std::int32_t* tiles) const {
  const Index pairs = (cols() + 1) / 2;
  scratch.assign(kIntegerTile * 2 * pairs, 0);
  for (Index from = 0; from < std::ssize(positions); from += kIntegerTile) {
    const Index count = std::min(kIntegerTile, std::ssize(positions) - from);
    for (Index i = 0; i < count; ++i) {
      const Index s = positions[from + i];
      round_row(rows_.row(s), rows_.centres(), factors_[s], cols(), &scratch[i * 2 * pairs]);
    }
    std::fill(scratch.begin() + count * 2 * pairs, scratch.end(), std::int16_t{0});
    interleave(scratch.data(), pairs, tiles);
    tiles += tile_size();
  }
}

template class RoundedRows<float>;
template class RoundedRows<double>;

}  // namespace tamis
