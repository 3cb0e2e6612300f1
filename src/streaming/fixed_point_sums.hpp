#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "streaming/column_ranges.hpp"
#include "streaming/pass.hpp"

namespace tamis {

/// Numbers of a column as whole ones: q = round((x - middle) factor), the middle being that of its
/// range, the factor a power of two and |q| at most 2^30. Integers that differ by less than 2^30
/// lose nothing.
struct FixedPoint {
  double middle = 0.0;
  double factor = 1.0;

  std::int64_t whole(double x) const { return rounded((x - middle) * factor); }
  /// The nearest whole number to one of less than 2^51, which an addition leaves in the lowest
  /// bits.
  static std::int64_t rounded(double value) {
    constexpr double kRounder = 0x1.8p52;
    return std::bit_cast<std::int64_t>(value + kRounder) - std::bit_cast<std::int64_t>(kRounder);
  }
};
FixedPoint fixed_point(double least, double largest);
/// Of every column.
std::vector<FixedPoint> fixed_points(const ColumnRanges& ranges);

/// Middles and factors, apart from each other.
struct FixedPointScales {
  explicit FixedPointScales(const std::vector<FixedPoint>& columns);

  std::vector<double> middle = {};
  std::vector<double> factor = {};
};

/// A power of two that makes whole numbers below 2^51 of numbers up to the largest.
double whole_number_factor(double largest);

/// Where sums of q and q^2 of some columns are, with the middles and factors of these; the sum of
/// squares is high 2^30 + low.
struct FixedPointColumns {
  const double* middle;
  const double* factor;
  std::int64_t* values;
  std::int64_t* high;
  std::int64_t* low;
  Index count;
};
/// Add a row, and some rows of a sparse block.
template <class T>
void add_row(const FixedPointColumns& columns, const T* row);
template <class T>
void add_sparse_rows(const FixedPointColumns& columns, const CsrView<T>& x,
                     std::span<const Index> rows);

/// The sum of squared differences of whole numbers from their mean, of which these are the sums.
double squares_about_mean(std::int64_t sum, std::int64_t high, std::int64_t low, Index count);

/// Asks for the sums of q and q^2 of each column: exact, so the same for any order of rows.
class FixedPointState : public PassState {
 public:
  static constexpr std::string_view kKind = "deviations";
  static Pass pass(const ColumnRanges& ranges);
  static Index bytes_per_column() { return sizeof(FixedPoint) + 3 * sizeof(std::int64_t); }

  explicit FixedPointState(const Pass& pass);
  FixedPointState(const Pass& pass, std::span<const std::byte> bytes);

  void update(const MatrixView& block, Index first_row) override;
  void merge(PassState& other) override;
  Bytes bytes() const override;

  /// The population variance of a column of so many rows.
  double variance(Index column, Index rows) const;

  /// What rows add to each column; the sum of squares is high 2^30 + low.
  struct Sums {
    std::vector<std::int64_t> values = {};
    std::vector<std::int64_t> high = {};
    std::vector<std::int64_t> low = {};
  };

 private:
  std::vector<FixedPoint> columns_;
  Sums sums_;
};

}  // namespace tamis
