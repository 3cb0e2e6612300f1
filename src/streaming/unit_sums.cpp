#include "streaming/unit_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "clustering/nearest_center.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

std::vector<Index> rows_but(Index first, Index count, const std::vector<Index>& left_out) {
  std::vector<Index> rows;
  auto next = std::ranges::lower_bound(left_out, first);
  for (Index i = 0; i < count; ++i) {
    if (next != left_out.end() && *next == first + i)
      ++next;
    else
      rows.push_back(i);
  }
  return rows;
}

/// The farthest that two points within all ranges can be apart, and a little more.
double diameter(const ColumnRanges& ranges) {
  double squares = 0.0;
  for (std::size_t r = 0; r < ranges.least().size(); ++r) {
    const double width = ranges.largest()[r] - ranges.least()[r];
    squares += width * width;
  }
  return std::sqrt(squares) * 1.01;
}

/// Of the rows of a block, those at each unit.
std::vector<std::vector<Index>> members_of(const std::vector<Index>& rows,
                                           const std::vector<Index>& centers, Index units) {
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(units));
  for (std::size_t s = 0; s < rows.size(); ++s) members[centers[s]].push_back(rows[s]);
  return members;
}

}  // namespace

Pass UnitSumsState::pass(const Som& som, const ColumnRanges& ranges,
                         std::span<const Index> left_out) {
  ByteWriter writer;
  writer.put_all(som.codebook);
  writer.put_all(fixed_points(ranges));
  writer.put(fixed_point(0.0, diameter(ranges)));
  writer.put_all(left_out);
  return {std::string(kKind), writer.take()};
}

Index UnitSumsState::bytes(Index units, Index cols) {
  constexpr Index kCopies = 4;  // broadcast, codebook, sums, and what is made of them
  return kCopies * units * cols * Index{sizeof(double)};
}

UnitSumsState::UnitSumsState(const Pass& pass) {
  ByteReader reader(pass.broadcast);
  codebook_ = reader.get_all<std::vector<double>>();
  columns_ = reader.get_all<std::vector<FixedPoint>>();
  distance_ = reader.get<FixedPoint>();
  left_out_ = reader.get_all<std::vector<Index>>();
  sums_.resize(codebook_.size());
  counts_.resize(codebook_.size() / columns_.size());
}

UnitSumsState::UnitSumsState(const Pass& pass, std::span<const std::byte> bytes)
    : UnitSumsState(pass) {
  ByteReader reader(bytes);
  sums_ = reader.get_all<std::vector<std::int64_t>>();
  counts_ = reader.get_all<std::vector<std::int64_t>>();
  distances_ = reader.get<std::int64_t>();
  reader.expect_end();
}

void UnitSumsState::update(const MatrixView& block, Index first_row) {
  const std::vector<Index> rows = rows_but(first_row, block.rows(), left_out_);
  if (rows.empty()) return;
  const Index cols = block.cols();
  const auto units = std::ssize(counts_);
  const NearestCenters nearest = nearest_centers(block, rows, codebook_);
  for (const double squared : nearest.squared_distances)
    distances_ += distance_.whole(std::sqrt(squared));
  const auto members = members_of(rows, nearest.centers, units);
  parallel_for(units, 8, [&](Index begin, Index end) {
    std::vector<double> values(static_cast<std::size_t>(cols));
    for (Index u = begin; u < end; ++u)
      for (const Index i : members[u]) {
        copy_columns(block, std::span(&i, 1), 0, cols, values.data());
        for (Index r = 0; r < cols; ++r) sums_[u * cols + r] += columns_[r].whole(values[r]);
        ++counts_[u];
      }
  });
}

void UnitSumsState::merge(PassState& other) {
  const auto& others = static_cast<UnitSumsState&>(other);
  const auto add = [](std::int64_t a, std::int64_t b) { return a + b; };
  std::ranges::transform(sums_, others.sums_, sums_.begin(), add);
  std::ranges::transform(counts_, others.counts_, counts_.begin(), add);
  distances_ += others.distances_;
}

Bytes UnitSumsState::bytes() const {
  ByteWriter writer;
  writer.put_all(sums_);
  writer.put_all(counts_);
  writer.put(distances_);
  return writer.take();
}

UnitSums UnitSumsState::sums() const {
  UnitSums result;
  const Index cols = std::ssize(columns_);
  result.counts.assign(counts_.begin(), counts_.end());
  result.sums.resize(sums_.size());
  for (Index u = 0; u < std::ssize(counts_); ++u)
    for (Index r = 0; r < cols; ++r)
      result.sums[u * cols + r] = result.counts[u] * columns_[r].middle +
                                  static_cast<double>(sums_[u * cols + r]) / columns_[r].factor;
  return result;
}

double UnitSumsState::mean_distance() const {
  const auto rows = static_cast<double>(std::accumulate(counts_.begin(), counts_.end(), Index{0}));
  return distance_.middle + static_cast<double>(distances_) / distance_.factor / rows;
}

}  // namespace tamis
