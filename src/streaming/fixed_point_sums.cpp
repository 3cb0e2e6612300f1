#include "streaming/fixed_point_sums.hpp"

#include <cmath>

#include "core/simd.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kBits = 30;
constexpr std::int64_t kLowMask = (std::int64_t{1} << kBits) - 1;
/// Columns whose sums stay in the nearest cache while rows go by.
constexpr Index kColumnsAtOnce = 512;

template <class T>
void add_rows(const DenseView<T>& x, const FixedPointScales& scales, FixedPointState::Sums& sums) {
  parallel_for(x.cols(), kColumnsAtOnce, [&](Index begin, Index end) {
    const FixedPointColumns columns{.middle = scales.middle.data() + begin,
                                    .factor = scales.factor.data() + begin,
                                    .values = sums.values.data() + begin,
                                    .high = sums.high.data() + begin,
                                    .low = sums.low.data() + begin,
                                    .count = end - begin};
    for (Index i = 0; i < x.rows(); ++i) add_row(columns, x.row(i) + begin);
  });
}

template <class T>
void add_rows(const CsrView<T>& x, const FixedPointScales& scales, FixedPointState::Sums& sums) {
  const FixedPointColumns columns{.middle = scales.middle.data(),
                                  .factor = scales.factor.data(),
                                  .values = sums.values.data(),
                                  .high = sums.high.data(),
                                  .low = sums.low.data(),
                                  .count = x.cols()};
  add_sparse_rows(columns, x, all_indices(x.rows()));
}

void add_all(std::vector<std::int64_t>& sums, const std::vector<std::int64_t>& others) {
  for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += others[r];
}

}  // namespace

FixedPoint fixed_point(double least, double largest) {
  constexpr int kLargestShift = 1000;                 // of columns smaller than that, bits are lost
  const double middle = least / 2.0 + largest / 2.0;  // of negated values: exactly its negative
  const double half = std::max(largest - middle, middle - least);
  if (!(half > 0.0)) return {.middle = middle};
  const int shift = std::min(kBits - 1 - std::ilogb(half), kLargestShift);
  return {.middle = middle, .factor = std::ldexp(1.0, shift)};
}

std::vector<FixedPoint> fixed_points(const ColumnRanges& ranges) {
  std::vector<FixedPoint> columns;
  for (std::size_t r = 0; r < ranges.least().size(); ++r)
    columns.push_back(fixed_point(ranges.least()[r], ranges.largest()[r]));
  return columns;
}

FixedPointScales::FixedPointScales(const std::vector<FixedPoint>& columns) {
  for (const FixedPoint& column : columns) {
    middle.push_back(column.middle);
    factor.push_back(column.factor);
  }
}

double whole_number_factor(double largest) {
  constexpr int kWholeBits = 50;
  constexpr int kLargestShift = 1000;  // of smaller numbers, bits are lost
  if (!(largest > 0.0)) return 1.0;
  return std::ldexp(1.0, std::min(kWholeBits - 1 - std::ilogb(largest), kLargestShift));
}

template <class T>
void add_row(const FixedPointColumns& columns, const T* row) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index c = 0; c < columns.count; ++c) {
      const std::int64_t q = FixedPoint::rounded((static_cast<double>(row[c]) - columns.middle[c]) *
                                                 columns.factor[c]);
      const std::int64_t square = q * q;
      columns.values[c] += q;
      columns.high[c] += square >> kBits;
      columns.low[c] += square & kLowMask;
    }
  });
}

/// Zeros, of which there are many, all at once.
template <class T>
void add_sparse_rows(const FixedPointColumns& columns, const CsrView<T>& x,
                     std::span<const Index> rows) {
  std::vector<Index> zeros(static_cast<std::size_t>(columns.count), std::ssize(rows));
  const auto add = [&](Index r, double value, std::int64_t times) {
    const std::int64_t q = FixedPoint{columns.middle[r], columns.factor[r]}.whole(value);
    columns.values[r] += times * q;
    columns.high[r] += times * (q * q >> kBits);
    columns.low[r] += times * (q * q & kLowMask);
  };
  for (const Index i : rows)
    for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e) {
      --zeros[x.row_columns(i)[e]];
      add(x.row_columns(i)[e], static_cast<double>(x.row_values(i)[e]), 1);
    }
  // Where there is no zero, it may be far out of the range of the column.
  for (Index r = 0; r < columns.count; ++r)
    if (zeros[r] > 0) add(r, 0.0, zeros[r]);
}

template void add_row(const FixedPointColumns&, const float*);
template void add_row(const FixedPointColumns&, const double*);
template void add_sparse_rows(const FixedPointColumns&, const CsrView<float>&,
                              std::span<const Index>);
template void add_sparse_rows(const FixedPointColumns&, const CsrView<double>&,
                              std::span<const Index>);

double squares_about_mean(std::int64_t sum, std::int64_t high, std::int64_t low, Index count) {
  // n sum q^2 - (sum q)^2, without a rounding
  const Wide squares = (static_cast<Wide>(high) << kBits) + static_cast<Wide>(low);
  const auto size = static_cast<Wide>(std::abs(sum));
  return static_cast<double>(static_cast<Wide>(count) * squares - size * size) /
         static_cast<double>(count);
}

Pass FixedPointState::pass(const ColumnRanges& ranges) {
  ByteWriter writer;
  writer.put_all(fixed_points(ranges));
  return {std::string(kKind), writer.take()};
}

FixedPointState::FixedPointState(const Pass& pass)
    : columns_(ByteReader(pass.broadcast).get_all<std::vector<FixedPoint>>()) {
  sums_ = {.values = std::vector<std::int64_t>(columns_.size()),
           .high = std::vector<std::int64_t>(columns_.size()),
           .low = std::vector<std::int64_t>(columns_.size())};
}

FixedPointState::FixedPointState(const Pass& pass, std::span<const std::byte> bytes)
    : FixedPointState(pass) {
  ByteReader reader(bytes);
  for (auto* const list : {&sums_.values, &sums_.high, &sums_.low})
    *list = reader.get_all<std::vector<std::int64_t>>();
  reader.expect_end();
}

void FixedPointState::update(const MatrixView& block, Index /*first_row*/) {
  const FixedPointScales scales(columns_);
  block.visit([&](const auto& x) { add_rows(x, scales, sums_); });
}

void FixedPointState::merge(PassState& other) {
  const Sums& others = static_cast<FixedPointState&>(other).sums_;
  add_all(sums_.values, others.values);
  add_all(sums_.high, others.high);
  add_all(sums_.low, others.low);
}

Bytes FixedPointState::bytes() const {
  ByteWriter writer;
  for (const auto* const list : {&sums_.values, &sums_.high, &sums_.low}) writer.put_all(*list);
  return writer.take();
}

double FixedPointState::variance(Index column, Index rows) const {
  const double factor = columns_[column].factor;
  return squares_about_mean(sums_.values[column], sums_.high[column], sums_.low[column], rows) /
         static_cast<double>(rows) / factor / factor;
}

}  // namespace tamis
