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

/// Middles and factors of some columns, and where their sums are.
struct Columns {
  const double* middle;
  const double* factor;
  std::int64_t* values;
  std::int64_t* high;
  std::int64_t* low;
  Index count;
};

template <class T>
void add_row(const Columns& columns, const T* row) {
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

/// Middles and factors, apart from each other.
struct Scales {
  explicit Scales(const std::vector<FixedPoint>& columns) {
    for (const FixedPoint& column : columns) {
      middle.push_back(column.middle);
      factor.push_back(column.factor);
    }
  }
  std::vector<double> middle = {};
  std::vector<double> factor = {};
};

template <class T>
void add_rows(const DenseView<T>& x, const Scales& scales, FixedPointState::Sums& sums) {
  parallel_for(x.cols(), kColumnsAtOnce, [&](Index begin, Index end) {
    const Columns columns{.middle = scales.middle.data() + begin,
                          .factor = scales.factor.data() + begin,
                          .values = sums.values.data() + begin,
                          .high = sums.high.data() + begin,
                          .low = sums.low.data() + begin,
                          .count = end - begin};
    for (Index i = 0; i < x.rows(); ++i) add_row(columns, x.row(i) + begin);
  });
}

/// Zeros, of which there are many, all at once.
template <class T>
void add_rows(const CsrView<T>& x, const Scales& scales, FixedPointState::Sums& sums) {
  std::vector<Index> zeros(x.cols(), x.rows());
  const auto add = [&](Index r, double value, std::int64_t times) {
    const std::int64_t q = FixedPoint{scales.middle[r], scales.factor[r]}.whole(value);
    sums.values[r] += times * q;
    sums.high[r] += times * (q * q >> kBits);
    sums.low[r] += times * (q * q & kLowMask);
  };
  for (Index i = 0; i < x.rows(); ++i)
    for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e) {
      --zeros[x.row_columns(i)[e]];
      add(x.row_columns(i)[e], static_cast<double>(x.row_values(i)[e]), 1);
    }
  for (Index r = 0; r < x.cols(); ++r) add(r, 0.0, zeros[r]);
}

void add_all(std::vector<std::int64_t>& sums, const std::vector<std::int64_t>& others) {
  for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += others[r];
}

}  // namespace

FixedPoint fixed_point(double least, double largest) {
  constexpr int kLargestShift = 1000;  // of columns smaller than that, bits are lost
  const double middle = least + (largest - least) / 2.0;
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
  const Scales scales(columns_);
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
  // n^2 var q = n sum q^2 - (sum q)^2, without a rounding
  const auto n = static_cast<Wide>(rows);
  const Wide squares =
      (static_cast<Wide>(sums_.high[column]) << kBits) + static_cast<Wide>(sums_.low[column]);
  const auto sum = static_cast<Wide>(std::abs(sums_.values[column]));
  const double spread = static_cast<double>(n * squares - sum * sum);
  const double factor = columns_[column].factor;
  return spread / static_cast<double>(rows) / static_cast<double>(rows) / factor / factor;
}

}  // namespace tamis
