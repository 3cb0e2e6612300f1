#include "clustering/nearest_center.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "clustering/center_keys.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Rows of a task, and the most that are prepared once.
constexpr Index kBlockRows = 6 * kKeyRows;

/// The largest squared distance of a row from the point.
double largest_distance(const MatrixView& x, std::span<const Index> rows,
                        std::span<const double> point) {
  std::vector<double> largest((std::ssize(rows) + kBlockRows - 1) / kBlockRows, 0.0);
  parallel_for(std::ssize(rows), kBlockRows, [&](Index begin, Index end) {
    double& block_largest = largest[begin / kBlockRows];
    for (Index s = begin; s < end; ++s)
      block_largest = std::max(block_largest, squared_distance(x, rows[s], point));
  });
  return std::ranges::max(largest);
}

std::vector<double> mean_of(std::span<const double> centers, Index cols) {
  std::vector<double> mean(cols, 0.0);
  for (Index z = 0; z < std::ssize(centers) / cols; ++z)
    for (Index r = 0; r < cols; ++r) mean[r] += centers[z * cols + r];
  for (double& value : mean)
    value *= static_cast<double>(cols) / static_cast<double>(centers.size());
  return mean;
}

}  // namespace

/// The centres, and the same as keys see them.
struct CenterSearch::Centers {
  std::span<const double> given;
  Buffer<float> values;
  std::vector<float> norms;
  KeyCenters rounded;
};

CenterSearch::CenterSearch(const MatrixView& x, std::span<const Index> rows,
                           std::span<const double> origin)
    : x_(x), rows_(rows), cols_(x.cols()), origin_(origin.begin(), origin.end()) {
  const double squares = largest_distance(x, rows, origin);
  scale_ = squares > 0.0 ? std::exp2(-std::ceil(0.5 * std::log2(squares))) : 1.0;
  if (std::ssize(rows) > kBlockRows) return;
  Loading loading;
  for (Index begin = 0; begin < std::ssize(rows); begin += kKeyRows)
    load(begin, loading, only_groups_.emplace_back());
}

/// Up to kKeyRows rows from `begin` on.
void CenterSearch::load(Index begin, Loading& loading, RowGroup& group) const {
  const Index stride = padded_for_keys(cols_);
  const Index count = std::min(kKeyRows, std::ssize(rows_) - begin);
  loading.rounded.resize(kKeyRows * stride);
  std::fill(loading.rounded.begin() + count * stride, loading.rounded.end(), 0.0F);
  group.values.resize(cols_ * kKeyRows);
  group.norms.assign(kKeyRows, 0.0F);
  const KeySpace space{origin_.data(), scale_, cols_};
  const auto put = [&](const auto* values, Index s, Index n) {
    round_rows(values, n, space, &loading.rounded[s * stride], &group.norms[s]);
  };
  if (x_.is_sparse()) {
    loading.doubles.resize(count * cols_);
    copy_columns(x_, rows_.subspan(begin, count), 0, cols_, loading.doubles.data());
    put(loading.doubles.data(), 0, count);
  } else {
    x_.visit([&](const auto& view) {
      if constexpr (requires { view.row(0); })
        for (Index s = 0; s < count; ++s) put(view.row(rows_[begin + s]), s, 1);
    });
  }
  lay_side_by_side(loading.rounded.data(), cols_, group.values.data());
}

CenterSearch::Centers CenterSearch::prepared(std::span<const double> centers) const {
  const Index count = std::ssize(centers) / cols_;
  Centers out{.given = centers,
              .values = Buffer<float>(count * padded_for_keys(cols_)),
              .norms = std::vector<float>(count),
              .rounded = {}};
  round_rows(centers.data(), count, {origin_.data(), scale_, cols_}, out.values.data(),
             out.norms.data());
  out.rounded = {.values = out.values.data(),
                 .norms = out.norms.data(),
                 .largest_norm = std::ranges::max(out.norms),
                 .count = count,
                 .cols = cols_};
  return out;
}

NearestCenters CenterSearch::nearest(std::span<const double> centers) const {
  struct Scratch {
    Loading loading;
    RowGroup group;
    Buffer<float> keys;
  };
  NearestCenters out{.centers = std::vector<Index>(rows_.size()),
                     .squared_distances = std::vector<double>(rows_.size())};
  const Centers all = prepared(centers);
  parallel_for_with(
      std::ssize(rows_), kBlockRows,
      [&] {
        return Scratch{
            .loading = {}, .group = {}, .keys = Buffer<float>(all.rounded.count * kKeyRows)};
      },
      [&](Scratch& scratch, Index begin, Index end) {
        for (; begin < end; begin += kKeyRows) {
          if (only_groups_.empty()) load(begin, scratch.loading, scratch.group);
          search(only_groups_.empty() ? scratch.group : only_groups_[begin / kKeyRows], all, begin,
                 scratch.keys, out);
        }
      });
  return out;
}

/// Measures the centres whose keys rounding cannot tell from the least: of most rows one. Where
/// float32 holds no key, as centres are too far away, it measures all.
void CenterSearch::search(const RowGroup& group, const Centers& centers, Index begin,
                          Buffer<float>& keys, NearestCenters& out) const {
  const Index end = std::min(begin + kKeyRows, std::ssize(rows_));
  NearCenters near;
  find_near_centers({group.values.data(), group.norms.data()}, centers.rounded, keys.data(), near);
  for (Index i = begin; i < end; ++i) {
    const Index s = i - begin;
    Index& nearest = out.centers[i];
    double& least = out.squared_distances[i];
    least = std::numeric_limits<double>::infinity();
    const auto measure = [&](Index z) {
      const double distance =
          squared_distance(x_, rows_[i], centers.given.subspan(z * cols_, cols_));
      if (distance >= least) return;
      least = distance;
      nearest = z;
    };
    if (near.counts[s] == 1.0F)
      measure(static_cast<Index>(near.places[s]));
    else
      for (Index z = 0; z < centers.rounded.count; ++z)
        if (near.counts[s] == 0.0F || keys[z * kKeyRows + s] < near.limits[s]) measure(z);
  }
}

NearestCenters nearest_centers(const MatrixView& x, std::span<const Index> rows,
                               std::span<const double> centers) {
  if (rows.empty()) return {};
  return CenterSearch(x, rows, mean_of(centers, x.cols())).nearest(centers);
}

}  // namespace tamis
