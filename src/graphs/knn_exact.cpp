#include "graphs/knn_exact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/simd.hpp"
#include "graphs/candidate_pool.hpp"
#include "graphs/neighbor_filter.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Rows of a tile that are filtered before limits are brought up to date.
constexpr Index kFilterRows = 64;
constexpr double kSettled = -1.0;  // no squared distance

/// What one thread needs to filter tiles.
struct FilterScratch {
  std::unique_ptr<GramSource::Worker> worker;
  std::vector<float> row_limits;
  std::vector<float> column_limits;
  std::vector<float> keys;
  std::vector<unsigned char> within;
  std::vector<Hit> hits;

  explicit FilterScratch(const GramSource& source)
      : worker(source.worker()),
        row_limits(kFilterRows),
        column_limits(source.chunk_rows),
        keys(source.chunk_rows),
        within(source.chunk_rows + kMarksBeyond),
        hits(kFilterRows * std::min(source.chunk_rows, source.size())) {}
};

/// Part of a row of a tile: the products of `left` with `width` rights from `first_right`, their
/// squared norms, and the limits of both sides.
struct TileRow {
  const float* products;
  const float* norms;
  const float* limits;
  float norm;
  float limit;
  Index width;
  std::uint32_t left;
  std::uint32_t first_right;
};

/// Writes to hits the pairs whose key |a|^2 + |b|^2 - 2 <a, b> is within the limit of either side;
/// returns their number. Two loops: the first vectorises, the second visits only the hits.
Index filter_row(const TileRow& row, float* keys, unsigned char* within, Hit* hits) {
  return for_this_cpu([=, &row](auto) TAMIS_KERNEL {
    // Copies: bytes may alias anything, and the compiler would read `row` again after each mark.
    const auto [products, norms, limits, norm, limit, width, left, first_right] = row;
    for (Index l = 0; l < width; ++l) {
      const float key = norm + (norms[l] - 2.0F * products[l]);
      keys[l] = key;
      within[l] = static_cast<unsigned char>(static_cast<int>(key <= limit) |
                                             static_cast<int>(key <= limits[l]));
    }
    Index count = 0;
    for_each_marked(within, width, [&, left = left, first_right = first_right](Index l) {
      hits[count++] = {left, first_right + static_cast<std::uint32_t>(l), keys[l]};
    });
    return count;
  });
}

class NeighborSearch {
 public:
  NeighborSearch(const MatrixView& x, std::span<const Index> among, Index k, NeighborFilter filter);
  /// `take` is told positions.
  void run(const TakeNeighbors& take, const Progress& progress);

 private:
  void filter_all(const Progress& progress);
  void filter_tile(FilterScratch& scratch, Index begin, Index end, Index from, Index to);
  void rescore_all(const TakeNeighbors& take);
  bool rescore(Index position, std::vector<Neighbor>& nearest);
  double exact_distance(Index position, Index other, float key) const;
  void search_again(std::span<const Index> positions, const TakeNeighbors& take);
  void add_nearer(FilterScratch& scratch, const float* products, Index position, Index from,
                  Index to, std::vector<Neighbor>& nearest) const;

  MatrixView x_;
  std::span<const Index> among_;
  Index n_;
  Index k_;
  std::unique_ptr<GramSource> source_;
  std::vector<float> norms_;
  CandidatePool pool_;
  std::vector<double> unsettled_;  // how far the k nearest are at most, where others may be nearer
};

std::vector<Index> range(Index begin, Index end) {
  std::vector<Index> all(end - begin);
  std::iota(all.begin(), all.end(), begin);
  return all;
}

NeighborSearch::NeighborSearch(const MatrixView& x, std::span<const Index> among, Index k,
                               NeighborFilter filter)
    : x_(x),
      among_(among),
      n_(std::ssize(among)),
      k_(k),
      source_(std::move(filter.source)),
      norms_(source_->squared_norms.begin(), source_->squared_norms.end()),
      pool_(n_, filter.keep, source_->chunk_rows),
      unsettled_(n_, kSettled) {}

void NeighborSearch::run(const TakeNeighbors& take, const Progress& progress) {
  filter_all(progress);
  rescore_all(take);
  std::vector<Index> uncertain;
  for (Index s = 0; s < n_; ++s)
    if (unsettled_[s] != kSettled) uncertain.push_back(s);
  search_again(uncertain, take);
}

/// First pass: every pair once, offered to both of its ends.
void NeighborSearch::filter_all(const Progress& progress) {
  Progress::Stage stage(progress, "neighbours", n_ * (n_ - 1) / 2);
  parallel_for_with(
      n_, source_->panel_rows, [&] { return FilterScratch(*source_); },
      [&](FilterScratch& scratch, Index begin, Index end) {
        const std::vector<Index> panel = range(begin, end);
        scratch.worker->set_panel(panel);
        const Index chunk = source_->chunk_rows;
        for (Index from = begin / chunk * chunk; from < n_; from += chunk)
          filter_tile(scratch, begin, end, from, std::min(n_, from + chunk));
        // The pairs of each row with later ones: n - 1 - i, summed.
        stage.advance((end - begin) * (n_ - 1) - (begin + end - 1) * (end - begin) / 2);
      });
}

void NeighborSearch::filter_tile(FilterScratch& scratch, Index begin, Index end, Index from,
                                 Index to) {
  const Index height = std::min(end, to) - begin;  // rows below the chunk come as its columns
  const float* const tile = scratch.worker->tile(height, from, to, GramSource::Needed::later);
  for (Index top = begin; top < begin + height; top += kFilterRows) {
    const Index bottom = std::min(begin + height, top + kFilterRows);
    pool_.copy_limits(top, bottom, scratch.row_limits.data());
    pool_.copy_limits(from, to, scratch.column_limits.data());
    Index count = 0;
    for (Index i = top; i < bottom; ++i) {
      const Index first = std::max(from, i + 1);
      if (first >= to) break;
      const TileRow row{.products = tile + (i - begin) * (to - from) + (first - from),
                        .norms = norms_.data() + first,
                        .limits = scratch.column_limits.data() + (first - from),
                        .norm = norms_[i],
                        .limit = scratch.row_limits[i - top],
                        .width = to - first,
                        .left = static_cast<std::uint32_t>(i),
                        .first_right = static_cast<std::uint32_t>(first)};
      count +=
          filter_row(row, scratch.keys.data(), scratch.within.data(), scratch.hits.data() + count);
    }
    const std::span<const Hit> hits(scratch.hits.data(), static_cast<std::size_t>(count));
    pool_.offer(hits);
    pool_.offer_reversed(hits);
  }
}

void NeighborSearch::rescore_all(const TakeNeighbors& take) {
  parallel_for(n_, kFilterRows, [&](Index begin, Index end) {
    std::vector<Neighbor> nearest;
    for (Index s = begin; s < end; ++s) {
      if (rescore(s, nearest))
        take(s, nearest);
      else
        unsettled_[s] = nearest.back().squared_distance;
    }
  });
}

/// Exact distances of the candidates; true if no other row can be among the k nearest.
bool NeighborSearch::rescore(Index position, std::vector<Neighbor>& nearest) {
  std::vector<CandidatePool::Candidate> candidates = pool_.best(position);
  std::ranges::sort(candidates, {}, &CandidatePool::Candidate::key);
  nearest.clear();
  double bound = std::numeric_limits<double>::infinity();
  for (const auto& [other, key] : candidates) {
    // Once k are measured, a key beyond what the farthest of them could have need not be.
    if (static_cast<double>(key) > bound) break;
    nearest.push_back({exact_distance(position, other, key), among_[other]});
    if (std::ssize(nearest) == k_)
      bound = source_->largest_key(position, std::ranges::max(nearest).squared_distance);
  }
  std::ranges::partial_sort(nearest, nearest.begin() + k_);
  nearest.resize(k_);
  return source_->error_free ||
         source_->largest_key(position, nearest.back().squared_distance) < pool_.limit(position);
}

double NeighborSearch::exact_distance(Index position, Index other, float key) const {
  return source_->error_free ? static_cast<double>(key) / (source_->scale * source_->scale)
                             : squared_distance(x_, among_[position], among_[other]);
}

/// Second pass, for rows without a certificate: the k-th distance found so far bounds the keys of
/// all that could be nearer; every row within that bound is measured in double.
void NeighborSearch::search_again(std::span<const Index> positions, const TakeNeighbors& take) {
  const Index chunk = source_->chunk_rows;
  parallel_for_with(
      std::ssize(positions), source_->panel_rows, [&] { return FilterScratch(*source_); },
      [&](FilterScratch& scratch, Index begin, Index end) {
        const std::span<const Index> panel = positions.subspan(begin, end - begin);
        scratch.worker->set_panel(panel);
        std::ranges::fill(scratch.column_limits, -std::numeric_limits<float>::infinity());
        std::vector<std::vector<Neighbor>> nearest(panel.size());
        for (Index from = 0; from < n_; from += chunk) {
          const Index to = std::min(n_, from + chunk);
          const float* const tile =
              scratch.worker->tile(std::ssize(panel), from, to, GramSource::Needed::all);
          for (Index s = 0; s < std::ssize(panel); ++s)
            add_nearer(scratch, tile + s * (to - from), panel[s], from, to, nearest[s]);
        }
        for (Index s = 0; s < std::ssize(panel); ++s) take(panel[s], nearest[s]);
      });
}

/// Joins to the k nearest so far those of positions from .. to - 1 that could belong to them.
void NeighborSearch::add_nearer(FilterScratch& scratch, const float* products, Index position,
                                Index from, Index to, std::vector<Neighbor>& nearest) const {
  const double kth = unsettled_[position];
  const TileRow row{.products = products,
                    .norms = norms_.data() + from,
                    .limits = scratch.column_limits.data(),
                    .norm = norms_[position],
                    .limit = std::nextafter(static_cast<float>(source_->largest_key(position, kth)),
                                            std::numeric_limits<float>::infinity()),
                    .width = to - from,
                    .left = 0,
                    .first_right = static_cast<std::uint32_t>(from)};
  const Index count =
      filter_row(row, scratch.keys.data(), scratch.within.data(), scratch.hits.data());
  for (Index h = 0; h < count; ++h)
    if (const Index other = scratch.hits[h].right; other != position)
      nearest.push_back({squared_distance(x_, among_[position], among_[other]), among_[other]});
  const auto kept = std::min<Index>(std::ssize(nearest), k_);
  std::ranges::partial_sort(nearest, nearest.begin() + kept);
  nearest.resize(kept);
}

/// The k that are to be found of so many rows, 0 if there are no others.
Index found_neighbors(Index rows, Index k) {
  if (k < 1) throw InvalidArgument("nearest_neighbors: k must be at least 1");
  if (rows > std::numeric_limits<std::uint32_t>::max())
    throw DataError("exact neighbours are limited to 4294967295 rows");
  return std::max<Index>(std::min(k, rows - 1), 0);
}

}  // namespace

Neighbors nearest_neighbors(const MatrixView& x, std::span<const Index> among, Index k,
                            const Progress& progress) {
  const Index n = std::ssize(among);
  k = found_neighbors(n, k);
  if (k == 0) return {};
  NeighborSearch search(x, among, k, neighbor_filter(x, among, k));
  Neighbors found{.k = k, .rows = std::vector<Index>(n * k), .squared_distances = {}};
  found.squared_distances.resize(n * k);
  const auto store = [&](Index position, std::span<const Neighbor> nearest) {
    for (Index s = 0; s < k; ++s) {
      found.rows[position * k + s] = nearest[s].row;
      found.squared_distances[position * k + s] = nearest[s].squared_distance;
    }
  };
  search.run(store, progress);
  return found;
}

Neighbors nearest_neighbors(const MatrixView& x, Index k, const Progress& progress) {
  return nearest_neighbors(x, all_indices(x.rows()), k, progress);
}

void each_nearest_neighbors(const MatrixView& x, Index k, const TakeNeighbors& take,
                            const Progress& progress) {
  k = found_neighbors(x.rows(), k);
  if (k == 0) return;
  const std::vector<Index> all = all_indices(x.rows());
  NeighborSearch(x, all, k, neighbor_filter(x, all, k)).run(take, progress);
}

}  // namespace tamis
