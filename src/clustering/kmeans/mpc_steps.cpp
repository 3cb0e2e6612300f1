#include "clustering/kmeans/mpc_steps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "clustering/kmeans/centroid_update.hpp"
#include "clustering/kmeans/lloyd.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// log det A_h of each cluster.
std::vector<double> log_determinants(std::span<const double> weights, Index n_cols) {
  std::vector<double> log_dets(weights.size() / static_cast<std::size_t>(n_cols), 0.0);
  for (Index e = 0; e < std::ssize(weights); ++e) log_dets[e / n_cols] += std::log(weights[e]);
  return log_dets;
}

/// |x - c_h|^2_{A_h} - log det A_h for each cluster h.
void measure(const double* row, const Clustering& clustering, std::span<const double> log_dets,
             Index n_cols, std::span<double> costs) {
  for (Index h = 0; h < std::ssize(costs); ++h)
    costs[h] = weighted_distance(row, clustering.centroids.data() + h * n_cols,
                                 clustering.weights.data() + h * n_cols, n_cols) -
               log_dets[h];
}

/// Two rows as doubles, and the squares of their differences.
class PairSquares {
 public:
  explicit PairSquares(Index cols) : one_(cols), other_(cols), squares_(cols) {}

  void hold(const MatrixView& x, Index row) {
    copy_columns(x, std::span(&row, 1), 0, x.cols(), one_.data());
  }
  const std::vector<double>& from(const MatrixView& x, Index row) {
    copy_columns(x, std::span(&row, 1), 0, x.cols(), other_.data());
    for (std::size_t r = 0; r < squares_.size(); ++r)
      squares_[r] = (one_[r] - other_[r]) * (one_[r] - other_[r]);
    return squares_;
  }

 private:
  std::vector<double> one_;
  std::vector<double> other_;
  std::vector<double> squares_;
};

}  // namespace

struct MpcSteps::Costs {
  Costs(Index n_clusters, Index n_cols)
      : alone(n_clusters), total(n_clusters), pair_distances(n_clusters), squares(n_cols) {}

  std::vector<double> alone;  ///< without penalties
  std::vector<double> total;
  std::vector<double> pair_distances;  ///< |x_i - x_r|^2_{A_h} of each cluster h
  PairSquares squares;
};

MpcSteps::MpcSteps(const Problem& problem, const Links& links, const MpcKmeansOptions& options,
                   std::span<const Index> order)
    : x_(problem.matrix),
      links_(links),
      penalty_(options.penalty),
      squared_ranges_(column_ranges(problem.matrix)),
      ceilings_(problem.cols(), 0.0) {
  const ColumnMoments all = moments(x_);
  for (Index r = 0; r < x_.cols(); ++r) {
    if (squared_ranges_[r] > 0.0 && all.squares[r] > 0.0)
      ceilings_[r] = all.total_weight / (options.variance_floor * all.squares[r]);
    squared_ranges_[r] *= squared_ranges_[r];
  }
  for (const Index row : order)
    (links.group_of(row) == Links::kNoGroup ? free_rows_ : linked_rows_).push_back(row);
}

double MpcSteps::place_rows(Clustering& clustering) const {
  const std::vector<double> log_dets = log_determinants(clustering.weights, x_.cols());
  std::vector<double> own_costs(x_.rows());
  place_free_rows(clustering, log_dets, own_costs);
  place_linked_rows(clustering, log_dets, own_costs);
  return std::accumulate(own_costs.begin(), own_costs.end(), 0.0) + broken_penalties(clustering);
}

void MpcSteps::place_free_rows(Clustering& clustering, std::span<const double> log_dets,
                               std::span<double> own_costs) const {
  struct Scratch {
    RowBlock block;
    std::vector<double> costs;
  };
  parallel_for_with(
      std::ssize(free_rows_), RowBlock::kRows,
      [&] {
        return Scratch{RowBlock(x_.cols()), std::vector<double>(log_dets.size())};
      },
      [&](Scratch& scratch, Index begin, Index end) {
        scratch.block.load(x_, std::span(free_rows_).subspan(begin, end - begin));
        for (Index s = begin; s < end; ++s) {
          measure(scratch.block.row(s - begin), clustering, log_dets, x_.cols(), scratch.costs);
          const auto least = std::ranges::min_element(scratch.costs);
          clustering.clusters[free_rows_[s]] = least - scratch.costs.begin();
          own_costs[free_rows_[s]] = *least;
        }
      });
}

void MpcSteps::place_linked_rows(Clustering& clustering, std::span<const double> log_dets,
                                 std::span<double> own_costs) const {
  Costs costs(std::ssize(log_dets), x_.cols());
  RowBlock block(x_.cols());
  for (Index s = 0; s < std::ssize(linked_rows_); ++s) {
    if (s % RowBlock::kRows == 0)
      block.load(x_, std::span(linked_rows_)
                         .subspan(s, std::min(RowBlock::kRows, std::ssize(linked_rows_) - s)));
    const Index row = linked_rows_[s];
    measure(block.row(s % RowBlock::kRows), clustering, log_dets, x_.cols(), costs.alone);
    costs.total = costs.alone;
    add_penalties(row, clustering, costs);
    const Index cluster = std::ranges::min_element(costs.total) - costs.total.begin();
    clustering.clusters[row] = cluster;
    own_costs[row] = costs.alone[cluster];
  }
}

void MpcSteps::add_penalties(Index row, const Clustering& clustering, Costs& costs) const {
  const Index cols = x_.cols();
  const auto distance_in = [&](Index h, const std::vector<double>& squares) {
    return weighted_sum(squares.data(), clustering.weights.data() + h * cols, cols);
  };
  costs.squares.hold(x_, row);
  const Index group = links_.group_of(row);
  for (const Index other : links_.groups()[group]) {
    const Index there = clustering.clusters[other];
    if (other == row || there == kNoCluster) continue;
    const double penalty = penalty_ * links_.tree().must_link_weight(row, other);
    const std::vector<double>& squares = costs.squares.from(x_, other);
    for (Index h = 0; h < std::ssize(costs.total); ++h)
      costs.pair_distances[h] = distance_in(h, squares);
    for (Index h = 0; h < std::ssize(costs.total); ++h)
      if (h != there)
        costs.total[h] += penalty * 0.5 * (costs.pair_distances[h] + costs.pair_distances[there]);
  }
  links_.for_each_apart(group, [&](Index apart) {
    for (const Index other : links_.groups()[apart]) {
      const Index h = clustering.clusters[other];
      if (h == kNoCluster) continue;
      costs.total[h] +=
          penalty_ * links_.tree().cannot_link_weight(row, other) *
          (distance_in(h, squared_ranges_) - distance_in(h, costs.squares.from(x_, other)));
    }
  });
}

/// A pair of rows that the clusters break.
struct MpcSteps::BrokenPair {
  bool is_must_link;
  Index i;
  Index r;
  double penalty;                      ///< times the weight of the pair
  const std::vector<double>& squares;  ///< of the differences of the two rows
};

template <class Visit>
void MpcSteps::for_each_broken(const Clustering& clustering, const Visit& visit) const {
  PairSquares squares(x_.cols());
  const std::vector<Index>& clusters = clustering.clusters;
  for (Index g = 0; g < links_.n_groups(); ++g)
    for (const Index i : links_.groups()[g]) {
      squares.hold(x_, i);
      for (const Index r : links_.groups()[g])
        if (r > i && clusters[r] != clusters[i])
          visit(BrokenPair{.is_must_link = true,
                           .i = i,
                           .r = r,
                           .penalty = penalty_ * links_.tree().must_link_weight(i, r),
                           .squares = squares.from(x_, r)});
      links_.for_each_apart(g, [&](Index other) {
        if (other < g) return;
        for (const Index r : links_.groups()[other])
          if (clusters[r] == clusters[i])
            visit(BrokenPair{.is_must_link = false,
                             .i = i,
                             .r = r,
                             .penalty = penalty_ * links_.tree().cannot_link_weight(i, r),
                             .squares = squares.from(x_, r)});
      });
    }
}

double MpcSteps::broken_penalties(const Clustering& clustering) const {
  const auto weights_of = [&](Index row) {
    return clustering.weights.data() + clustering.clusters[row] * x_.cols();
  };
  double sum = 0.0;
  for_each_broken(clustering, [&](const BrokenPair& pair) {
    const double* const squares = pair.squares.data();
    const double own = weighted_sum(squares, weights_of(pair.i), x_.cols());
    sum += pair.penalty *
           (pair.is_must_link
                ? 0.5 * (own + weighted_sum(squares, weights_of(pair.r), x_.cols()))
                : weighted_sum(squared_ranges_.data(), weights_of(pair.i), x_.cols()) - own);
  });
  return sum;
}

/// What multiplies a_hj in the penalties.
void MpcSteps::add_broken_sums(const Clustering& clustering, std::span<double> sums) const {
  const auto sums_of = [&](Index row) {
    return sums.data() + clustering.clusters[row] * x_.cols();
  };
  for_each_broken(clustering, [&](const BrokenPair& pair) {
    for (Index j = 0; j < x_.cols(); ++j) {
      if (pair.is_must_link) {
        sums_of(pair.i)[j] += pair.penalty * 0.5 * pair.squares[j];
        sums_of(pair.r)[j] += pair.penalty * 0.5 * pair.squares[j];
      } else {
        sums_of(pair.i)[j] += pair.penalty * (squared_ranges_[j] - pair.squares[j]);
      }
    }
  });
}

void MpcSteps::update(Clustering& clustering) const {
  const Index cols = x_.cols();
  const Index n_clusters = std::ssize(clustering.centroids) / cols;
  const ClusterRows members(clustering.clusters, n_clusters);
  std::vector<double> sums(clustering.centroids.size(), 0.0);
  parallel_for(n_clusters, 1, [&](Index h, Index) {
    if (members[h].empty()) return;
    const ColumnMoments own =
        weighted_moments(x_, members[h], std::vector<double>(members[h].size(), 1.0));
    std::ranges::copy(own.mean, clustering.centroids.begin() + h * cols);
    std::ranges::copy(own.squares, sums.begin() + h * cols);
  });
  add_broken_sums(clustering, sums);
  for (Index h = 0; h < n_clusters; ++h)
    for (Index j = 0; j < cols && !members[h].empty(); ++j)
      clustering.weights[h * cols + j] =
          static_cast<double>(members[h].size()) / sums[h * cols + j];
  limit(clustering.weights);
}

void MpcSteps::limit(std::span<double> weights) const {
  for (Index e = 0; e < std::ssize(weights); ++e) {
    const double ceiling = ceilings_[e % x_.cols()];
    weights[e] = ceiling > 0.0 ? std::min(weights[e], ceiling) : 1.0;
  }
}

}  // namespace tamis
