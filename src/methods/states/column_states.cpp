#include "methods/states/column_states.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/simd.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kColumnsAtOnce = 32;
constexpr Index kWordBits = 64;
using PerColumn = std::array<double, kColumnsAtOnce>;

/// Some columns of the rows, row-major.
struct Block {
  double* values;
  Index rows;
  Index cols;

  double* row(Index i) const { return values + i * cols; }
};

/// Takes the first row off all rows: an offset is gone before anything is rounded.
TAMIS_INLINE void subtract_first(const Block& block) {
  PerColumn first;
  std::copy_n(block.row(0), block.cols, first.begin());
  for (Index i = 0; i < block.rows; ++i)
    for (Index c = 0; c < block.cols; ++c) block.row(i)[c] -= first[c];
}

/// Makes the values deviations from their mean; gives the largest of each column.
TAMIS_INLINE void subtract_mean(const Block& block, double* largest) {
  PerColumn mean{};
  for (Index i = 0; i < block.rows; ++i)
    for (Index c = 0; c < block.cols; ++c) mean[c] += block.row(i)[c];
  for (double& value : mean) value /= static_cast<double>(block.rows);
  for (Index i = 0; i < block.rows; ++i)
    for (Index c = 0; c < block.cols; ++c) {
      const double deviation = block.row(i)[c] - mean[c];
      block.row(i)[c] = deviation;
      largest[c] = std::max(largest[c], std::abs(deviation));
    }
}

/// Divides deviations by the largest, so that no square overflows or vanishes, and gives the border
/// of the middle state: width x standard deviation.
TAMIS_INLINE PerColumn find_borders(const Block& block, const double* largest, double width) {
  constexpr double kMargin = 1.0 + 1e-9;
  PerColumn unit;
  for (Index c = 0; c < block.cols; ++c) unit[c] = largest[c] > 0.0 ? largest[c] : 1.0;
  PerColumn squares{};
  for (Index i = 0; i < block.rows; ++i)
    for (Index c = 0; c < block.cols; ++c) {
      const double deviation = block.row(i)[c] / unit[c];
      block.row(i)[c] = deviation;
      squares[c] += deviation * deviation;
    }
  PerColumn borders{};
  for (Index c = 0; c < block.cols; ++c)
    borders[c] = kMargin * width * std::sqrt(squares[c] / static_cast<double>(block.rows));
  return borders;
}

/// Sets are word-major here: word w of column c is at w * cols + c.
TAMIS_INLINE void collect_rows(const Block& block, const PerColumn& borders,
                               ColumnStates::Word* above, ColumnStates::Word* below) {
  for (Index i = 0; i < block.rows; ++i) {
    const Index word = i / kWordBits * block.cols;
    const auto bit = ColumnStates::Word{1} << (i % kWordBits);
    for (Index c = 0; c < block.cols; ++c) {
      const double deviation = block.row(i)[c];
      above[word + c] |= deviation > borders[c] ? bit : 0;
      below[word + c] |= deviation < -borders[c] ? bit : 0;
    }
  }
}

/// The block is spoilt; `largest` deviations and sets start at 0.
TAMIS_MULTIVERSION void find_states(const Block& block, double width, double* largest,
                                    ColumnStates::Word* above, ColumnStates::Word* below) {
  subtract_first(block);
  subtract_mean(block, largest);
  collect_rows(block, find_borders(block, largest, width), above, below);
}

}  // namespace

ColumnStates::ColumnStates(const MatrixView& x, std::span<const Index> rows, double width)
    : words_((std::ssize(rows) + kWordBits - 1) / kWordBits),
      sets_(x.cols() * 2 * words_),
      varies_(x.cols()) {
  parallel_for(x.cols(), kColumnsAtOnce, [&](Index begin, Index end) {
    const Index cols = end - begin;
    std::vector<double> values(rows.size() * cols);
    copy_columns(x, rows, begin, cols, values.data());
    PerColumn largest{};
    std::vector<Word> above(words_ * cols);
    std::vector<Word> below(words_ * cols);
    find_states({values.data(), std::ssize(rows), cols}, width, largest.data(), above.data(),
                below.data());
    for (Index c = 0; c < cols; ++c) {
      varies_[begin + c] = largest[c] > 0.0 ? 1 : 0;
      Word* const sets = sets_.data() + (begin + c) * 2 * words_;
      for (Index w = 0; w < words_; ++w) {
        sets[w] = above[w * cols + c];
        sets[words_ + w] = below[w * cols + c];
      }
    }
  });
}

}  // namespace tamis
