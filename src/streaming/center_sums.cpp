#include "streaming/center_sums.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "clustering/kmeans/centroid_update.hpp"
#include "clustering/links.hpp"
#include "clustering/nearest_center.hpp"
#include "core/simd.hpp"
#include "streaming/cluster_blocks.hpp"
#include "streaming/fixed_point_sums.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr int kLowBits = 30;
constexpr std::int64_t kLowMask = (std::int64_t{1} << kLowBits) - 1;
/// The farthest that a point within all ranges can be from a centre, squared.
double reach(const ColumnRanges& ranges, std::span<const double> center) {
  double squares = 0.0;
  for (std::size_t r = 0; r < center.size(); ++r) {
    const double width = std::max(ranges.largest()[r] - center[r], center[r] - ranges.least()[r]);
    squares += width * width;
  }
  return squares;
}

/// A little more than any squared distance of a row and its centre. The nearest one is no farther
/// than any other: centres far from all rows do not count, unless rows are bound to them.
double largest_square(const CenterSumsState::Question& question) {
  const Index cols = std::ssize(question.ranges.least());
  double largest = 0.0;
  for (const std::span<const double> centers : question.sets) {
    std::vector<double> reaches;
    for (Index e = 0; e < std::ssize(centers); e += cols)
      reaches.push_back(reach(question.ranges, centers.subspan(e, cols)));
    largest = std::max(largest, std::ranges::min(reaches));
    for (const BoundRow& row : question.bound)
      if (row.center != kNoCluster) largest = std::max(largest, reaches[row.center]);
  }
  return 1.01 * largest;
}

/// Middles and factors of some columns, and where their sums are.
struct Columns {
  const double* middle;
  const double* factor;
  std::int64_t* sums;
  Index count;
};

template <class T>
void add_row(const Columns& columns, const T* row) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index c = 0; c < columns.count; ++c)
      columns.sums[c] += FixedPoint::rounded((static_cast<double>(row[c]) - columns.middle[c]) *
                                             columns.factor[c]);
  });
}

/// Adds the rows at each centre to its sums; `all` is of the first centre.
template <class T>
void add_members(const DenseView<T>& x, const ClusterRows& members, const Columns& all) {
  for_each_cluster_block(members.n_clusters(), x.cols(), [&](Index q, Index first, Index count) {
    const Columns columns{.middle = all.middle + first,
                          .factor = all.factor + first,
                          .sums = all.sums + q * x.cols() + first,
                          .count = count};
    for (const Index row : members[q]) add_row(columns, x.row(row) + first);
  });
}

/// Zeros, of which there are many, all at once.
template <class T>
void add_members(const CsrView<T>& x, const ClusterRows& members, const Columns& all) {
  std::vector<std::int64_t> zeros(static_cast<std::size_t>(x.cols()));
  const auto whole = [&](Index r, double value) {
    return FixedPoint{all.middle[r], all.factor[r]}.whole(value);
  };
  for (Index r = 0; r < x.cols(); ++r) zeros[r] = whole(r, 0.0);
  parallel_for(members.n_clusters(), 1, [&](Index begin, Index end) {
    for (Index q = begin; q < end; ++q) {
      if (members[q].empty()) continue;
      std::int64_t* const sums = all.sums + q * x.cols();
      for (Index r = 0; r < x.cols(); ++r) sums[r] += std::ssize(members[q]) * zeros[r];
      for (const Index row : members[q])
        for (Index e = 0; e < std::ssize(x.row_columns(row)); ++e) {
          const auto r = x.row_columns(row)[e];
          sums[r] += whole(r, static_cast<double>(x.row_values(row)[e])) - zeros[r];
        }
    }
  });
}

template <class Number>
void add_all(std::vector<Number>& to, const std::vector<Number>& from) {
  std::ranges::transform(to, from, to.begin(), std::plus{});
}

}  // namespace

void WideSum::add(std::int64_t number) {
  high += number >> kLowBits;
  low += number & kLowMask;
}

void WideSum::merge(const WideSum& other) {
  high += other.high;
  low += other.low;
}

double WideSum::value() const {
  // Whole numbers do not say how they were added up: what the lower part has too much is the
  // other's.
  const std::int64_t whole = high + (low >> kLowBits);
  return std::ldexp(static_cast<double>(whole), kLowBits) + static_cast<double>(low & kLowMask);
}

Pass CenterSumsState::pass(const Question& question) {
  const double largest = largest_square(question);
  const Index cols = std::ssize(question.ranges.least());
  const FixedPointScales scales(fixed_points(question.ranges));
  ByteWriter writer;
  writer.put(std::ssize(question.sets));
  writer.put(std::ssize(question.sets.front()) / cols);
  writer.put_all(scales.middle);
  writer.put_all(scales.factor);
  writer.put(whole_number_factor(std::sqrt(largest)));
  writer.put(whole_number_factor(largest));
  writer.put_all(question.bound);
  writer.put(question.keeps_places);
  for (const std::span<const double> centers : question.sets) writer.put_all(centers);
  return {std::string(kKind), writer.take()};
}

Index CenterSumsState::bytes(Index n_sets, Index n_centers, Index cols) {
  constexpr Index kCopies = 4;  // broadcast, centres, sums, and what is made of them
  return kCopies * n_sets * n_centers * cols * Index{sizeof(double)};
}

CenterSumsState::CenterSumsState(const Pass& pass) {
  ByteReader reader(pass.broadcast);
  n_sets_ = reader.get<Index>();
  n_centers_ = reader.get<Index>();
  middles_ = reader.get_all<std::vector<double>>();
  factors_ = reader.get_all<std::vector<double>>();
  distance_factor_ = reader.get<double>();
  square_factor_ = reader.get<double>();
  bound_ = reader.get_all<std::vector<BoundRow>>();
  if (reader.get<bool>()) places_.emplace(n_centers_, n_sets_);
  for (Index s = 0; s < n_sets_; ++s) {
    const auto centers = reader.get_all<std::vector<double>>();
    centers_.insert(centers_.end(), centers.begin(), centers.end());
  }
  sums_.resize(centers_.size());
  counts_.resize(static_cast<std::size_t>(n_sets_ * n_centers_));
  distances_.resize(static_cast<std::size_t>(n_sets_));
  squares_.resize(static_cast<std::size_t>(n_sets_));
}

CenterSumsState::CenterSumsState(const Pass& pass, std::span<const std::byte> bytes)
    : CenterSumsState(pass) {
  ByteReader reader(bytes);
  sums_ = reader.get_all<std::vector<std::int64_t>>();
  counts_ = reader.get_all<std::vector<std::int64_t>>();
  distances_ = reader.get_all<std::vector<WideSum>>();
  squares_ = reader.get_all<std::vector<WideSum>>();
  if (places_) places_.emplace(n_centers_, n_sets_, reader);
  reader.expect_end();
}

/// The centre of each row of a block, and its squared distance.
struct CenterSumsState::Placed {
  std::vector<Index> centers;
  std::vector<double> squares;
};

CenterSumsState::Placed CenterSumsState::place(const MatrixView& block, Index first_row,
                                               std::span<const double> centers) const {
  Placed placed{.centers = std::vector<Index>(static_cast<std::size_t>(block.rows()), kNoCluster),
                .squares = std::vector<double>(static_cast<std::size_t>(block.rows()))};
  std::vector<Index> free_rows;
  auto next = std::ranges::lower_bound(bound_, first_row, {}, &BoundRow::row);
  for (Index i = 0; i < block.rows(); ++i) {
    if (next == bound_.end() || next->row != first_row + i) {
      free_rows.push_back(i);
      continue;
    }
    placed.centers[i] = next->center;
    if (next->center != kNoCluster)
      placed.squares[i] =
          squared_distance(block, i, centers.subspan(next->center * block.cols(), block.cols()));
    ++next;
  }
  const NearestCenters nearest = nearest_centers(block, free_rows, centers);
  for (std::size_t s = 0; s < free_rows.size(); ++s) {
    placed.centers[free_rows[s]] = nearest.centers[s];
    placed.squares[free_rows[s]] = nearest.squared_distances[s];
  }
  return placed;
}

std::span<const double> CenterSumsState::set(Index number) const {
  const Index size = std::ssize(centers_) / n_sets_;
  return std::span(centers_).subspan(number * size, size);
}

void CenterSumsState::update(const MatrixView& block, Index first_row) {
  std::vector<std::vector<Index>> places;
  for (Index s = 0; s < n_sets_; ++s) {
    Placed placed = place(block, first_row, set(s));
    for (Index i = 0; i < block.rows(); ++i) {
      if (placed.centers[i] == kNoCluster) continue;
      ++counts_[s * n_centers_ + placed.centers[i]];
      squares_[s].add(FixedPoint::rounded(placed.squares[i] * square_factor_));
      distances_[s].add(FixedPoint::rounded(std::sqrt(placed.squares[i]) * distance_factor_));
    }
    const ClusterRows members(placed.centers, n_centers_);
    const Columns columns{.middle = middles_.data(),
                          .factor = factors_.data(),
                          .sums = sums_.data() + s * std::ssize(sums_) / n_sets_,
                          .count = block.cols()};
    block.visit([&](const auto& x) { add_members(x, members, columns); });
    if (places_) places.push_back(std::move(placed.centers));
  }
  if (places_) places_->add(first_row, places);
}

void CenterSumsState::merge(PassState& other) {
  auto& others = static_cast<CenterSumsState&>(other);
  add_all(sums_, others.sums_);
  add_all(counts_, others.counts_);
  for (Index s = 0; s < n_sets_; ++s) {
    distances_[s].merge(others.distances_[s]);
    squares_[s].merge(others.squares_[s]);
  }
  if (places_) places_->merge(*others.places_);
}

Bytes CenterSumsState::bytes() const {
  ByteWriter writer;
  writer.put_all(sums_);
  writer.put_all(counts_);
  writer.put_all(distances_);
  writer.put_all(squares_);
  if (places_) places_->write(writer);
  return writer.take();
}

/// The sum of what rows differ from the middle of the column.
double CenterSumsState::deviation(Index set, Index center, Index column) const {
  const Index cols = std::ssize(middles_);
  return static_cast<double>(sums_[(set * n_centers_ + center) * cols + column]) / factors_[column];
}

double CenterSumsState::sum(Index set, Index center, Index column) const {
  return static_cast<double>(count(set, center)) * middles_[column] +
         deviation(set, center, column);
}

double CenterSumsState::mean(Index set, Index center, Index column) const {
  return middles_[column] +
         deviation(set, center, column) / static_cast<double>(count(set, center));
}

double CenterSumsState::mean_distance(Index set) const {
  Index rows = 0;
  for (Index q = 0; q < n_centers_; ++q) rows += count(set, q);
  return distances_[set].value() / distance_factor_ / static_cast<double>(rows);
}

}  // namespace tamis
