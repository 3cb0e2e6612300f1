#include "clustering/ward/list_pass.hpp"

#include <algorithm>
#include <array>

#include "clustering/ward/distance_tile.hpp"
#include "clustering/ward/filter_tile.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// One in so many tiles of clusters is measured first and whole, and what is farther than so many
/// of its points is not: some 190 points are nearer, of which a list takes the first.
constexpr Index kTilesOfSample = 32;
constexpr Index kNearOfSample = 6;
/// Points of a stretch, to which its last cluster may add some: distances that take a quarter of a
/// megabyte.
constexpr Index kStretch = Index{1} << 11;

}  // namespace

std::vector<NearList> ListPass::lists_of(const std::vector<Due>& all) {
  std::vector<Wanted> wanted = wanted_lists(all);
  choose_sample();
  take_stretch(sample_, 0, std::ssize(sample_));
  measure_points(wanted);
  for (Index p = 0; p < std::ssize(wanted); ++p) find_reach(measured(p), wanted[p]);
  show_points(sample_, wanted);
  for (Index begin = 0; begin < std::ssize(others_);) {
    const Index end = take_stretch(others_, begin, kStretch);
    measure_points(wanted);
    show_points(std::span(others_).subspan(begin, end - begin), wanted);
    begin = end;
  }
  std::vector<NearList> lists;
  for (const Wanted& list : wanted) lists.push_back(list.nearest.list());
  return lists;
}

std::vector<double> ListPass::centroid_of(const Due& due) {
  const Index cols = clusters_.table().cols();
  const double* const own = clusters_.centroid(due.cluster, scratch_);
  std::vector<double> mean(own, own + cols);
  if (due.partner < 0) return mean;
  const auto rows = static_cast<double>(clusters_.size(due.cluster));
  const auto more = static_cast<double>(clusters_.size(due.partner));
  move_mean(mean.data(), clusters_.centroid(due.partner, scratch_), more / (rows + more), cols);
  return mean;
}

std::vector<ListPass::Wanted> ListPass::wanted_lists(const std::vector<Due>& all) {
  std::vector<Wanted> wanted;
  centroids_ = filter_.make_room(std::ssize(all));
  for (const Due& due : all) {
    const Index more = due.partner < 0 ? 0 : clusters_.size(due.partner);
    wanted.push_back({.due = due,
                      .size = static_cast<double>(clusters_.size(due.cluster) + more),
                      .centroid = centroid_of(due)});
    filter_.copy_point(wanted.back().centroid.data(),
                       centroids_.data() + (std::ssize(wanted) - 1) * filter_.width());
  }
  return wanted;
}

/// None where measuring cannot stop early.
void ListPass::choose_sample() {
  const bool is_sampled = may_stop_early(filter_.width());
  const std::vector<Index>& active = clusters_.active();
  sample_.clear();
  others_.clear();
  for (Index s = 0; s < std::ssize(active); ++s) {
    const bool is_chosen = is_sampled && s / kTileRows % kTilesOfSample == 0 &&
                           is_point(clusters_, filter_, active[s]);
    (is_chosen ? sample_ : others_).push_back(active[s]);
  }
}

/// As far as a few of the sample are, which was measured whole: they are in the list, and most of
/// it.
void ListPass::find_reach(const float* measured, Wanted& wanted) {
  if (std::ssize(sample_) < kNearOfSample) return;
  distances_.clear();
  for (Index s = 0; s < std::ssize(sample_); ++s)
    distances_.push_back(WardClusters::scale(wanted.size, points_.sizes[s]) *
                         filter_.bound(measured[s], filter_.absolute_error(sample_[s])));
  std::ranges::nth_element(distances_, distances_.begin() + kNearOfSample - 1);
  wanted.reach = distances_[kNearOfSample - 1];
  wanted.nearest = Shortlist(wanted.reach);
}

/// Takes at least so many points of clusters from `begin` on, if there are, and returns where their
/// clusters end.
Index ListPass::take_stretch(std::span<const Index> clusters, Index begin, Index points) {
  points_.rows.clear();
  points_.sizes.clear();
  points_.starts.clear();
  points_.are_clusters = true;
  Index end = begin;
  while (end < std::ssize(clusters) && std::ssize(points_.rows) < points)
    add_points(clusters[end++]);
  points_.starts.push_back(std::ssize(points_.rows));
  return end;
}

void ListPass::add_points(Index cluster) {
  points_.starts.push_back(std::ssize(points_.rows));
  const bool is_one = is_point(clusters_, filter_, cluster);
  if (is_one)
    points_.rows.push_back(cluster);
  else if (!clusters_.is_stored(cluster))
    clusters_.for_each_row(cluster, [&](Index row) { points_.rows.push_back(row); });
  points_.sizes.resize(points_.rows.size(),
                       is_one ? static_cast<double>(clusters_.size(cluster)) : 0.0);
  points_.are_clusters = points_.are_clusters && is_one;
}

/// What holds for all points of a tile.
void ListPass::describe_tile(Index tile) {
  const Index begin = tile * kTileRows;
  const Index end = std::min(begin + kTileRows, std::ssize(points_.rows));
  points_.least_size[tile] = std::numeric_limits<double>::infinity();
  points_.most_error[tile] = 0.0;
  for (Index s = begin; s < end; ++s) {
    points_.least_size[tile] = std::min(points_.least_size[tile], points_.sizes[s]);
    points_.most_error[tile] =
        std::max(points_.most_error[tile], filter_.absolute_error(points_.rows[s]));
  }
}

/// If there is one: its rows lie anywhere, and each would be waited for.
void ListPass::fetch_tile(Index tile) const {
  const Index end = std::min((tile + 1) * kTileRows, std::ssize(points_.rows));
  const Index columns = std::min(kFirstLook, filter_.cols());
  for (Index s = tile * kTileRows; s < end; ++s) filter_.fetch(points_.rows[s], 0, columns);
}

/// The last one is filled up with its last point.
std::array<Index, kTileRows> ListPass::rows_of_tile(Index tile) const {
  const Index last = std::ssize(points_.rows) - 1;
  std::array<Index, kTileRows> rows;
  for (Index l = 0; l < kTileRows; ++l)
    rows[l] = points_.rows[std::min(tile * kTileRows + l, last)];
  return rows;
}

/// measured(p)[s]: the squared distance of point s and centroid p, in whole tiles, or as much of it
/// as is needed to see that it is too far for the list.
void ListPass::measure_points(const std::vector<Wanted>& wanted) {
  const Index count = std::ssize(wanted);
  const Index pitch = points_.tiles() * kTileRows;
  measured_.resize(count * pitch);
  points_.least_size.resize(points_.tiles());
  points_.most_error.resize(points_.tiles());
  parallel_for_with(
      points_.tiles(), tiles_per_task(clusters_.table().cols()),
      [&] { return FilterTile(filter_); },
      [&](FilterTile& rows, Index begin, Index end) {
        std::array<float, kMost * kTileRows> measured;
        std::array<float, kMost> enough;
        for (Index tile = begin; tile < end; ++tile) {
          fetch_tile(tile + 1);
          describe_tile(tile);
          for (Index p = 0; p < count; ++p) enough[p] = wanted[p].enough(points_.least_size[tile]);
          rows.set(rows_of_tile(tile));
          measure_tile(centroids_.data(), count, rows, filter_.width(), enough.data(),
                       measured.data());
          for (Index p = 0; p < count; ++p)
            std::transform(&measured[p * kTileRows], &measured[(p + 1) * kTileRows],
                           &measured_[p * pitch + tile * kTileRows],
                           [](float squared) { return squared >= 0.0F ? squared : 0.0F; });
        }
      });
}

void ListPass::show_points(std::span<const Index> stretch, std::vector<Wanted>& wanted) const {
  parallel_for(std::ssize(wanted), 1,
               [&](Index p, Index) { show_points(stretch, measured(p), wanted[p]); });
}

/// Shows a list lower bounds of the distances of the clusters of a stretch. Of those of which only
/// the rows were measured they follow from |q - c|^2 = (sum_i |q - x_i|^2 - inertia) / size.
void ListPass::show_points(std::span<const Index> stretch, const float* measured,
                           Wanted& wanted) const {
  std::vector<double> scratch = clusters_.make_scratch();
  const auto squared = [&](Index s) {
    const auto [begin, end] = std::pair(points_.starts[s], points_.starts[s + 1]);
    const auto bound = [&](Index at) {
      return filter_.bound(measured[at], filter_.absolute_error(points_.rows[at]));
    };
    if (end == begin + 1) return bound(begin);
    if (end == begin)
      return clusters_.squared_distance_of_centroid(wanted.centroid, stretch[s], scratch);
    double sum = 0.0;
    for (Index at = begin; at < end; ++at) sum += bound(at);
    return std::max(0.0, (sum - clusters_.inertia(stretch[s])) / static_cast<double>(end - begin));
  };
  for (Index s = 0; s < std::ssize(stretch); ++s) {
    if (points_.are_clusters && s % kTileRows == 0) {
      const float* const tile = measured + s;
      const float least = *std::min_element(tile, tile + kTileRows);
      const double scale = WardClusters::scale(wanted.size, points_.least_size[s / kTileRows]);
      const double error = points_.most_error[s / kTileRows];
      if (wanted.nearest.is_beyond(scale * filter_.bound(least, error))) {
        s += kTileRows - 1;
        continue;
      }
    }
    if (wanted.due.holds(stretch[s])) continue;
    const double rows =
        points_.are_clusters ? points_.sizes[s] : static_cast<double>(clusters_.size(stretch[s]));
    wanted.nearest.show(stretch[s], WardClusters::scale(wanted.size, rows) * squared(s));
  }
}

}  // namespace tamis
