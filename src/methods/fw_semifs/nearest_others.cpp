#include "methods/fw_semifs/nearest_others.hpp"

#include <algorithm>
#include <limits>

#include "core/listed_columns.hpp"
#include "core/ties.hpp"
#include "learners/distance_lanes.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Rows whose distances to all are held at once.
constexpr Index kBlockRows = 64;
constexpr Index kCandidatesPerTask = 8;

Index padded(Index n) { return (n + kDistanceLanes - 1) / kDistanceLanes * kDistanceLanes; }

/// A column of the taught rows, filled up to whole lanes.
std::vector<double> column_of(const MatrixView& x, const TaughtRows& taught, Index column) {
  std::vector<double> values(padded(std::ssize(taught.rows)), 0.0);
  copy_listed_columns(x, taught.rows, std::span(&column, 1), values.data());
  return values;
}

std::vector<std::vector<double>> columns_of(const MatrixView& x, const TaughtRows& taught,
                                            std::span<const Index> columns) {
  std::vector<std::vector<double>> values;
  for (const Index column : columns) values.push_back(column_of(x, taught, column));
  return values;
}

/// Adds the squared difference in one column and returns the place of the smallest sum: the first
/// of those within the tie.
Index nearest_place(const std::vector<double>& column, double value, double* distances) {
  double least[kDistanceLanes];
  const auto n = std::ssize(column);
  const double smallest =
      add_squared_differences(column.data(), n, {&value, 1}, n, distances, least);
  return first_at_most(distances, n, least, smallest * (1.0 + kTie));
}

/// No distance yet; what fills up lanes is far away.
void clear(Index n, double* distances) {
  std::fill_n(distances, n, 0.0);
  std::fill(distances + n, distances + padded(n), kInfinity);
}

}  // namespace

/// The distances of some rows to all of them by some columns.
struct NearestOthers::Block {
  std::span<const Index> places;
  Index stride = 0;
  std::vector<double> distances = {};  // infinite from a row to itself

  const double* of(Index s) const { return distances.data() + s * stride; }
};

NearestOthers::Block NearestOthers::block(std::span<const Index> places,
                                          std::span<const Index> columns) const {
  Block result{.places = places, .stride = padded(rows())};
  result.distances.resize(places.size() * result.stride);
  const auto values = columns_of(x_, taught_, columns);
  double least[kDistanceLanes];
  for (Index s = 0; s < std::ssize(places); ++s) {
    double* const distances = result.distances.data() + s * result.stride;
    clear(rows(), distances);
    distances[places[s]] = kInfinity;
    for (const std::vector<double>& column : values)
      add_squared_differences(column.data(), result.stride, {&column[places[s]], 1}, result.stride,
                              distances, least);
  }
  return result;
}

template <class Visit>
void NearestOthers::judge(const Block& block, Index candidate, std::vector<double>& distances,
                          const Visit& visit) const {
  const std::vector<double> column = column_of(x_, taught_, candidate);
  distances.resize(block.stride);
  for (Index s = 0; s < std::ssize(block.places); ++s) {
    const Index place = block.places[s];
    std::copy_n(block.of(s), block.stride, distances.data());
    const Index nearest = nearest_place(column, column[place], distances.data());
    visit(place, taught_.numbers[nearest] == taught_.numbers[place]);
  }
}

void NearestOthers::count_wrong(const Block& block, std::span<const Index> candidates,
                                std::span<Index> wrong) const {
  parallel_for_with(
      std::ssize(candidates), kCandidatesPerTask, [] { return std::vector<double>(); },
      [&](std::vector<double>& distances, Index begin, Index end) {
        for (Index c = begin; c < end; ++c)
          judge(block, candidates[c], distances,
                [&](Index, bool is_right) { wrong[c] += is_right ? 0 : 1; });
      });
}

Index NearestOthers::n_wrong(std::span<const Index> places, std::span<const Index> chosen,
                             Index candidate) const {
  Index wrong = 0;
  for (Index begin = 0; begin < std::ssize(places); begin += kBlockRows) {
    const Index count = std::min(kBlockRows, std::ssize(places) - begin);
    count_wrong(block(places.subspan(begin, count), chosen), std::span(&candidate, 1),
                std::span(&wrong, 1));
  }
  return wrong;
}

Index NearestOthers::n_right(std::span<const Index> columns) const {
  const std::vector<Index> places = all_indices(rows());
  return rows() - n_wrong(places, columns.first(columns.size() - 1), columns.back());
}

std::vector<Index> NearestOthers::wrong_first(std::span<const Index> columns) const {
  std::vector<Index> places = all_indices(rows());
  if (columns.empty()) return places;
  std::vector<bool> is_wrong(rows());
  std::vector<double> distances;
  for (Index begin = 0; begin < rows(); begin += kBlockRows) {
    const Index count = std::min(kBlockRows, rows() - begin);
    judge(block(std::span(places).subspan(begin, count), columns.first(columns.size() - 1)),
          columns.back(), distances,
          [&](Index place, bool is_right) { is_wrong[place] = !is_right; });
  }
  std::stable_partition(places.begin(), places.end(), [&](Index s) { return is_wrong[s]; });
  return places;
}

LeaveOneOut::Best NearestOthers::best_addition(std::span<const Index> chosen,
                                               std::span<const Index> candidates) const {
  const std::vector<Index> places = wrong_first(chosen);
  std::vector<Index> alive(candidates.begin(), candidates.end());
  std::vector<Index> wrong(alive.size(), 0);
  Index most = rows();  // that the best may have
  for (Index begin = 0; begin < rows(); begin += kBlockRows) {
    const Index count = std::min(kBlockRows, rows() - begin);
    count_wrong(block(std::span(places).subspan(begin, count), chosen), alive, wrong);
    if (begin == 0 && count < rows()) {
      const Index leader = std::ranges::min_element(wrong) - wrong.begin();
      most = wrong[leader] + n_wrong(std::span(places).subspan(count), chosen, alive[leader]);
    }
    std::size_t kept = 0;
    for (std::size_t c = 0; c < alive.size(); ++c) {
      if (wrong[c] > most) continue;
      alive[kept] = alive[c];
      wrong[kept++] = wrong[c];
    }
    alive.resize(kept);
    wrong.resize(kept);
  }
  const Index best = std::ranges::min_element(wrong) - wrong.begin();
  return {alive[best], rows() - wrong[best]};
}

std::vector<Index> nearest_numbers(const MatrixView& x, const TaughtRows& taught,
                                   std::span<const Index> columns,
                                   std::span<const Index> learners) {
  const auto values = columns_of(x, taught, columns);
  const Index n = std::ssize(taught.rows);
  std::vector<Index> numbers(learners.size());
  parallel_for(std::ssize(learners), kBlockRows, [&](Index begin, Index end) {
    std::vector<double> distances(padded(n));
    std::vector<double> own(columns.size());
    for (Index s = begin; s < end; ++s) {
      clear(n, distances.data());
      copy_listed_columns(x, learners.subspan(s, 1), columns, own.data());
      Index nearest = 0;
      for (std::size_t c = 0; c < columns.size(); ++c)
        nearest = nearest_place(values[c], own[c], distances.data());
      numbers[s] = taught.numbers[nearest];
    }
  });
  return numbers;
}

}  // namespace tamis
