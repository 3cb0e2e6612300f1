#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "learners/distance_lanes.hpp"
#include "learners/nearest_neighbor.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Distances of a few test rows to a tile of training rows stay in the first-level cache while the
/// features go by, and each loaded training value serves all of these test rows.
constexpr Index kTile = 256;
constexpr Index kTestRows = 8;
constexpr Index kFeatures = 8;  ///< at a time: a distance is loaded and stored once for so many
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// out[k * stride + s] = x(rows[s], features[k])
template <class T>
void gather(const DenseView<T>& x, std::span<const Index> rows, std::span<const Index> features,
            std::span<const Index> /*places*/, Index stride, T* out) {
  for (Index s = 0; s < std::ssize(rows); ++s)
    for (Index k = 0; k < std::ssize(features); ++k) out[k * stride + s] = x(rows[s], features[k]);
}

/// places[r] is the place of column r among the features, or -1.
template <class T>
void gather(const CsrView<T>& x, std::span<const Index> rows, std::span<const Index> features,
            std::span<const Index> places, Index stride, T* out) {
  std::fill_n(out, std::ssize(features) * stride, T{0});
  for (Index s = 0; s < std::ssize(rows); ++s)
    for (Index e = 0; e < std::ssize(x.row_columns(rows[s])); ++e) {
      const Index k = places[x.row_columns(rows[s])[e]];
      if (k >= 0) out[k * stride + s] = x.row_values(rows[s])[e];
    }
}

template <class View>
class PrefixSearch {
 public:
  PrefixSearch(const View& x, std::span<const Index> train, std::span<const Index> features,
               std::span<const Index> places, std::span<const Index> lengths);
  PrefixNeighbors run(std::span<const Index> test) const;

 private:
  using T = typename View::value_type;
  struct Best {
    double distance;
    Index row;
  };
  struct Scratch {
    Buffer<T> values;  // features x test rows
    std::vector<Best> best;
    alignas(64) double columns[kFeatures * kTile];
    alignas(64) double distances[kTestRows][kTile];
  };

  void search_tile(Scratch& scratch, Index tile, Index n_test) const;

  const View& x_;
  std::span<const Index> train_;
  std::span<const Index> features_;
  std::span<const Index> places_;
  std::span<const Index> lengths_;
  Index n_tiles_;
  Buffer<T> tiles_;  // tiles x features x training rows of the tile
};

template <class View>
PrefixSearch<View>::PrefixSearch(const View& x, std::span<const Index> train,
                                 std::span<const Index> features, std::span<const Index> places,
                                 std::span<const Index> lengths)
    : x_(x),
      train_(train),
      features_(features),
      places_(places),
      lengths_(lengths),
      n_tiles_((std::ssize(train) + kTile - 1) / kTile),
      tiles_(n_tiles_ * std::ssize(features) * kTile, T{0}) {
  parallel_for(std::ssize(train), kTile, [&](Index begin, Index end) {
    gather(x_, train_.subspan(begin, end - begin), features_, places_, kTile,
           tiles_.data() + begin * std::ssize(features_));
  });
}

template <class View>
PrefixNeighbors PrefixSearch<View>::run(std::span<const Index> test) const {
  const Index n_test = std::ssize(test);
  PrefixNeighbors out{.n_test = n_test, .rows = std::vector<Index>(n_test * lengths_.size())};
  const auto make_scratch = [&] {
    return Scratch{.values = Buffer<T>(std::ssize(features_) * kTestRows),
                   .best = std::vector<Best>(lengths_.size() * kTestRows),
                   .columns = {},
                   .distances = {}};
  };
  parallel_for_with(n_test, kTestRows, make_scratch, [&](Scratch& own, Index begin, Index end) {
    gather(x_, test.subspan(begin, end - begin), features_, places_, kTestRows, own.values.data());
    std::ranges::fill(own.best, Best{kInfinity, train_.front()});
    for (Index tile = 0; tile < n_tiles_; ++tile) search_tile(own, tile, end - begin);
    for (Index place = 0; place < std::ssize(lengths_); ++place)
      for (Index b = 0; b < end - begin; ++b)
        out.rows[place * n_test + begin + b] = own.best[place * kTestRows + b].row;
  });
  return out;
}

template <class View>
void PrefixSearch<View>::search_tile(Scratch& scratch, Index tile, Index n_test) const {
  const Index n = std::min(kTile, std::ssize(train_) - tile * kTile);
  const Index padded = (n + kDistanceLanes - 1) / kDistanceLanes * kDistanceLanes;
  for (Index b = 0; b < n_test; ++b) {
    std::fill_n(scratch.distances[b], n, 0.0);
    std::fill(scratch.distances[b] + n, scratch.distances[b] + padded, kInfinity);
  }
  double least[kDistanceLanes];
  double point[kFeatures];
  Index place = 0;
  for (Index begin = 0, end = 0; begin < std::ssize(features_); begin = end) {
    end = std::min(begin + kFeatures, lengths_[place]);
    const T* const columns = tiles_.data() + (tile * std::ssize(features_) + begin) * kTile;
    std::copy_n(columns, (end - begin) * kTile, scratch.columns);
    const bool is_wanted = lengths_[place] == end;
    for (Index b = 0; b < n_test; ++b) {
      for (Index k = begin; k < end; ++k)
        point[k - begin] = static_cast<double>(scratch.values[k * kTestRows + b]);
      const double smallest =
          add_squared_differences(scratch.columns, kTile, std::span(point).first(end - begin),
                                  padded, scratch.distances[b], least);
      Best& best = scratch.best[place * kTestRows + b];
      if (is_wanted && smallest < best.distance)
        best = {
            smallest,
            train_[tile * kTile + first_at_most(scratch.distances[b], padded, least, smallest)]};
    }
    place += is_wanted ? 1 : 0;
  }
}

/// The place of each column among the features, -1 if it is not one of them.
std::vector<Index> places_of(std::span<const Index> features, Index cols) {
  std::vector<Index> places(cols, -1);
  for (Index k = 0; k < std::ssize(features); ++k) {
    if (features[k] < 0 || features[k] >= cols)
      throw InvalidArgument(fmt::format("feature {} does not exist: the table has columns 0 to {}",
                                        features[k], cols - 1));
    if (places[features[k]] >= 0)
      throw InvalidArgument(fmt::format("feature {} is listed twice", features[k]));
    places[features[k]] = k;
  }
  return places;
}

void check_lengths(std::span<const Index> lengths, Index n_features) {
  Index last = 0;
  for (const Index length : lengths) {
    if (length <= last || length > n_features)
      throw InvalidArgument(
          fmt::format("prefixes must have ascending lengths within 1 .. {}, but {} follows {}",
                      n_features, length, last));
    last = length;
  }
}

}  // namespace

PrefixNeighbors nearest_rows_by_prefix(const MatrixView& x, std::span<const Index> train,
                                       std::span<const Index> test, std::span<const Index> features,
                                       std::span<const Index> lengths) {
  if (train.empty()) throw InvalidArgument("nearest neighbours need at least one training row");
  check_lengths(lengths, std::ssize(features));
  const std::span<const Index> used = features.first(lengths.empty() ? 0 : lengths.back());
  const std::vector<Index> places = places_of(used, x.cols());
  return x.visit(
      [&](const auto& view) { return PrefixSearch(view, train, used, places, lengths).run(test); });
}

}  // namespace tamis
