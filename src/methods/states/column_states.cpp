#include "methods/states/column_states.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/padded_columns.hpp"
#include "core/simd.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using Word = ColumnStates::Word;
constexpr Index kWordBits = 64;
/// Columns whose sums stay in registers; an extension of GCC and Clang.
constexpr Index kGroup = kShortLanes<double>;
using Vector __attribute__((vector_size(kGroup * sizeof(double)))) = double;
using Bits __attribute__((vector_size(kGroup * sizeof(double)))) = std::int64_t;
/// Columns that are copied out of a table at once: rows of it lie far apart.
constexpr Index kBlock = 8 * kGroup;

/// What divides the values of a few columns into states, in differences to their first row.
struct Borders {
  Vector origin;   ///< the first row
  Vector largest;  ///< size of a difference: 0 in a constant column
  Vector low;
  Vector high;
};

/// Calls visit(i, values - origin) for each row of a group of columns.
template <class Visit>
TAMIS_INLINE void for_each_difference(const double* group, Index begin, Index end,
                                      const Vector& origin, const Visit& visit) {
  for (Index i = begin; i < end; ++i) {
    Vector values;
    std::memcpy(&values, group + i * kBlock, sizeof values);
    visit(i, values - origin);
  }
}

/// With the first row taken off, an offset is gone before anything is rounded. Squares are those of
/// differences times a power of two, so that none overflows or vanishes.
TAMIS_INLINE Borders find_borders(const double* group, Index rows, double width) {
  constexpr double kMargin = 1.0 + 1e-9;
  const auto n = static_cast<double>(rows);
  Borders borders{};
  std::memcpy(&borders.origin, group, sizeof borders.origin);
  Vector sum = {};
  Vector largest = {};
  for_each_difference(group, 0, rows, borders.origin, [&](Index, const Vector& difference) {
    const Vector size = difference < 0.0 ? -difference : difference;
    sum += difference;
    largest = size > largest ? size : largest;
  });
  const Vector mean = sum / n;
  Vector unit = {};
  for (Index c = 0; c < kGroup; ++c)
    unit[c] = std::ldexp(1.0, largest[c] > 0.0 ? std::max(std::ilogb(largest[c]), -1000) : 0);
  const Vector factor = 1.0 / unit;  // exact
  Vector squares = {};
  for_each_difference(group, 0, rows, borders.origin, [&](Index, const Vector& difference) {
    const Vector deviation = factor * (difference - mean);
    squares += deviation * deviation;
  });
  Vector border = {};
  for (Index c = 0; c < kGroup; ++c)
    border[c] = kMargin * width * std::sqrt(squares[c] / n) * unit[c];
  borders.largest = largest;
  borders.low = mean - border;
  borders.high = mean + border;
  return borders;
}

/// Finds the sets of a group of columns, whose rows are kBlock apart: word w of the rows above and
/// below in column c are at (w * 2 + 0) and (w * 2 + 1) * kGroup + c.
void find_states(const double* group, Index rows, double width, Word* sets, char* varies) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    const Borders borders = find_borders(group, rows, width);
    for (Index c = 0; c < kGroup; ++c) varies[c] = borders.largest[c] > 0.0 ? 1 : 0;
    for (Index begin = 0; begin < rows; begin += kWordBits) {
      Bits found[2] = {};
      Bits bit = Bits{} + 1;
      for_each_difference(group, begin, std::min(begin + kWordBits, rows), borders.origin,
                          [&](Index, const Vector& difference) {
                            found[0] |= (difference > borders.high) & bit;
                            found[1] |= (difference < borders.low) & bit;
                            bit <<= 1;
                          });
      std::memcpy(sets + begin / kWordBits * 2 * kGroup, found, sizeof found);
    }
  });
}

}  // namespace

ColumnStates::ColumnStates(const MatrixView& x, std::span<const Index> rows, double width)
    : words_((std::ssize(rows) + kWordBits - 1) / kWordBits),
      sets_(x.cols() * 2 * words_),
      varies_(x.cols()) {
  struct Scratch {
    std::vector<double> values;
    std::vector<Word> sets;
  };
  const auto make_scratch = [&] {
    return Scratch{std::vector<double>(rows.size() * kBlock),
                   std::vector<Word>(words_ * 2 * kGroup)};
  };
  parallel_for_with(x.cols(), kBlock, make_scratch, [&](Scratch& held, Index begin, Index end) {
    copy_padded_columns(x, rows, begin, end - begin, kBlock, held.values.data());
    for (Index first = begin; first < end; first += kGroup) {
      char varies[kGroup];
      find_states(held.values.data() + (first - begin), std::ssize(rows), width, held.sets.data(),
                  varies);
      for (Index c = 0; c < std::min(kGroup, end - first); ++c) {
        varies_[first + c] = varies[c];
        Word* const out = sets_.data() + (first + c) * 2 * words_;
        for (Index w = 0; w < words_; ++w) {
          out[w] = held.sets[w * 2 * kGroup + c];
          out[words_ + w] = held.sets[(w * 2 + 1) * kGroup + c];
        }
      }
    }
  });
}

}  // namespace tamis
