#include "methods/csfs/cluster_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "methods/csfs/pair_tile.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Sums are taken in this many parts, whatever the number of threads, and joined in order.
constexpr Index kParts = 8;
constexpr Index kRows = PairTile::kRows;

/// The rows cluster after cluster, and the blocks that no cluster border crosses.
struct Blocks {
  struct Block {
    Index begin;
    Index end;
    Index cluster_end;
  };
  std::vector<Index> rows;
  std::vector<Index> places;  // of each row in rows
  std::vector<Block> all;

  explicit Blocks(std::span<const Index> clusters) : places(clusters.size()) {
    rows = all_indices(std::ssize(clusters));
    std::ranges::stable_sort(rows, {}, [&](Index row) { return clusters[row]; });
    for (Index s = 0; s < std::ssize(rows); ++s) places[rows[s]] = s;
    for (Index begin = 0; begin < std::ssize(rows);) {
      Index end = begin;
      while (end < std::ssize(rows) && clusters[rows[end]] == clusters[rows[begin]]) ++end;
      for (Index from = begin; from < end; from += kRows)
        all.push_back({from, std::min(from + kRows, end), end});
      begin = end;
    }
  }
  std::span<const Index> rows_of(Index begin, Index end) const {
    return std::span(rows).subspan(static_cast<std::size_t>(begin),
                                   static_cast<std::size_t>(end - begin));
  }
};

/// For each row the rows that it must not be paired with.
std::vector<std::vector<Index>> partners(Index rows, std::span<const RowPair> pairs) {
  std::vector<std::vector<Index>> of_row(rows);
  for (const RowPair& pair : pairs) {
    of_row[pair.first].push_back(pair.second);
    of_row[pair.second].push_back(pair.first);
  }
  return of_row;
}

/// One part of the sums, tile after tile.
class PartialSums {
 public:
  PartialSums(const MatrixView& x, const Blocks& blocks, const PairWeight& weight,
              const std::vector<std::vector<Index>>& left_out)
      : x_(x), blocks_(blocks), weight_(weight), left_out_(left_out) {
    sums.differences.assign(x.cols(), 0.0);
    sums.degrees.assign(x.rows(), 0.0);
  }

  void add_tile(Index left_begin, Index left_end, Index right_begin, Index right_end);

  ClusterPairSums sums;

 private:
  void weigh(Index left_begin, Index left_end, Index right_begin, Index right_end);
  void leave_out(Index left, Index left_begin, Index right_begin, Index right_end);

  const MatrixView& x_;
  const Blocks& blocks_;
  const PairWeight& weight_;
  const std::vector<std::vector<Index>>& left_out_;
  PairTile tile_;
  PairTile::Values weights_;
};

/// Turns the distances of the tile into weights; a pair counts where its first row comes first.
void PartialSums::weigh(Index left_begin, Index left_end, Index right_begin, Index right_end) {
  weights_.fill(0.0);
  for (Index left = left_begin; left < left_end; ++left)
    for (Index right = std::max(right_begin, left + 1); right < right_end; ++right) {
      const Index place = (left - left_begin) * kRows + right - right_begin;
      const double weight = weight_(tile_.distances()[place]);
      weights_[place] = weight;
      sums.degrees[blocks_.rows[left]] += weight;
      sums.degrees[blocks_.rows[right]] += weight;
    }
}

void PartialSums::leave_out(Index left, Index left_begin, Index right_begin, Index right_end) {
  for (const Index partner : left_out_[blocks_.rows[left]]) {
    const Index right = blocks_.places[partner];
    if (right >= right_begin && right < right_end)
      weights_[(left - left_begin) * kRows + right - right_begin] = 0.0;
  }
}

void PartialSums::add_tile(Index left_begin, Index left_end, Index right_begin, Index right_end) {
  const std::span<const Index> left_rows = blocks_.rows_of(left_begin, left_end);
  const std::span<const Index> right_rows = blocks_.rows_of(right_begin, right_end);
  if (weight_.kernel == Kernel::heat) tile_.measure(x_, left_rows, right_rows);
  weigh(left_begin, left_end, right_begin, right_end);
  for (Index left = left_begin; left < left_end; ++left)
    leave_out(left, left_begin, right_begin, right_end);
  for (const double weight : weights_) {
    sums.weight += weight;
    sums.squared_weight += weight * weight;
  }
  tile_.add_differences(x_, left_rows, right_rows, weights_, sums.differences);
}

void add(std::vector<double>& sums, const std::vector<double>& more) {
  for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += more[s];
}

}  // namespace

double PairWeight::operator()(double squared_distance) const {
  if (kernel == Kernel::binary || squared_distance == 0.0) return 1.0;
  return std::exp(-squared_distance / t);
}

ClusterPairSums sum_cluster_pairs(const MatrixView& x, std::span<const Index> clusters,
                                  const PairWeight& weight, std::span<const RowPair> left_out,
                                  const Progress& progress) {
  const Blocks blocks(clusters);
  const std::vector<std::vector<Index>> left_out_of = partners(x.rows(), left_out);
  std::vector<ClusterPairSums> parts(kParts);
  Progress::Stage stage(progress, "pairs within clusters", std::ssize(blocks.all));
  parallel_for(kParts, 1, [&](Index part, Index) {
    PartialSums partial(x, blocks, weight, left_out_of);
    for (Index b = part; b < std::ssize(blocks.all); b += kParts) {
      const Blocks::Block& left = blocks.all[b];
      for (Index from = left.begin; from < left.cluster_end; from += kRows)
        partial.add_tile(left.begin, left.end, from, std::min(from + kRows, left.cluster_end));
      stage.advance();
    }
    parts[part] = std::move(partial.sums);
  });
  ClusterPairSums total = std::move(parts[0]);
  for (Index part = 1; part < kParts; ++part) {
    add(total.differences, parts[part].differences);
    add(total.degrees, parts[part].degrees);
    total.weight += parts[part].weight;
    total.squared_weight += parts[part].squared_weight;
  }
  return total;
}

Index count_cluster_pairs(std::span<const Index> clusters) {
  std::vector<Index> sizes(std::ranges::max(clusters) + 1, 0);
  Index pairs = 0;
  for (const Index cluster : clusters) pairs += sizes[cluster]++;
  return pairs;
}

/// The squared distances of all pairs of n rows sum up to n times their inertia.
double mean_cluster_distance(const MatrixView& x, std::span<const Index> clusters) {
  std::vector<std::vector<Index>> rows(std::ranges::max(clusters) + 1);
  for (Index i = 0; i < x.rows(); ++i) rows[clusters[i]].push_back(i);
  double sum = 0.0;
  for (const auto& members : rows) {
    const std::vector<double> ones(members.size(), 1.0);
    for (const double squares : weighted_moments(x, members, ones).squares)
      sum += static_cast<double>(members.size()) * squares;
  }
  const Index pairs = count_cluster_pairs(clusters);
  return pairs == 0 ? 0.0 : sum / static_cast<double>(pairs);
}

}  // namespace tamis
