#include "graphs/group_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Sums are taken in at most this many parts, whatever the number of threads, and joined in order.
constexpr Index kParts = 8;
constexpr Index kRows = PairTile::kRows;

/// Calls visit(part, left, right) for every tile, by the numbers of its blocks, and returns the
/// parts, one after make() each. They are as many for any number of threads, which take them in
/// parallel.
template <class Make, class Visit>
auto for_each_tile(const RowBlocks& blocks, const Progress& progress, std::string_view name,
                   const Make& make, const Visit& visit) {
  std::vector<decltype(make())> parts;
  const Index n_parts = std::clamp<Index>(blocks.count(), 1, kParts);
  while (std::ssize(parts) < n_parts) parts.push_back(make());
  Progress::Stage stage(progress, name, blocks.count());
  parallel_for(n_parts, 1, [&](Index part, Index) {
    for (Index left = part; left < blocks.count(); left += n_parts) {
      for (Index right = left; right < blocks.end_of_group(left); ++right)
        visit(*parts[part], left, right);
      stage.advance();
    }
  });
  return parts;
}

TilePairs pairs_of(const RowBlocks& blocks, Index left, Index right) {
  return {.left = blocks.rows(left), .right = blocks.rows(right), .is_diagonal = left == right};
}

/// Sets what is no pair of the tile.
void set_others(const TilePairs& pairs, double value, PairTile::Values& values) {
  if (!pairs.is_diagonal && pairs.left.size() == kRows && pairs.right.size() == kRows) return;
  for (Index a = 0; a < kRows; ++a) {
    double* const row = values.data() + a * kRows;
    if (a >= std::ssize(pairs.left)) {
      std::fill_n(row, kRows, value);
      continue;
    }
    std::fill_n(row, pairs.first(a), value);
    std::fill(row + std::ssize(pairs.right), row + kRows, value);
  }
}

/// For how many rows those of each block stand.
std::vector<OfRows> copies_in(const RowBlocks& blocks, std::span<const double> copies) {
  std::vector<OfRows> of_blocks(blocks.count());
  for (Index block = 0; block < blocks.count(); ++block) {
    of_blocks[block].fill(1.0);
    if (!copies.empty())
      std::ranges::transform(blocks.rows(block), of_blocks[block].begin(),
                             [&](Index row) { return copies[row]; });
  }
  return of_blocks;
}

/// One part of the sums, tile after tile.
class PartialSums {
 public:
  PartialSums(const RowBlocks& blocks, const std::vector<OfRows>& copies, const TileRule& rule)
      : degrees(blocks.count()), blocks_(blocks), copies_(copies), rule_(rule), tile_(blocks) {
    sums.differences.assign(blocks.cols(), 0.0);
    for (OfRows& of_block : degrees) of_block.fill(0.0);
  }

  void add(Index left, Index right) {
    const TilePairs pairs = pairs_of(blocks_, left, right);
    tile_.take(left, right);
    if (rule_.needs_distances) tile_.measure(weights_);
    rule_.weigh(pairs, weights_);
    set_others(pairs, 0.0, weights_);
    WeightSums of_tile = add_degrees(left, right);
    if (rule_.edit) {
      sums.counted += rule_.edit(pairs, weights_);
      of_tile = sum_weights(weights_);
    }
    sums.weight += of_tile.weight;
    sums.squared_weight += of_tile.squared;
    if (of_tile.squared > 0.0) tile_.add_differences(weights_, sums.differences);
  }

  PairSums sums;  ///< but for the degrees
  std::vector<OfRows> degrees;

 private:
  /// Multiplies the weights, too, by how many pairs they stand for.
  WeightSums add_degrees(Index left, Index right) {
    OfRows of_left{};
    OfRows of_right{};
    const WeightSums all =
        multiply_weights(copies_[left], copies_[right], weights_, of_left, of_right);
    for (Index a = 0; a < kRows; ++a) degrees[left][a] += of_left[a];
    for (Index b = 0; b < kRows; ++b) degrees[right][b] += of_right[b];
    return all;
  }

  const RowBlocks& blocks_;
  const std::vector<OfRows>& copies_;
  const TileRule& rule_;
  PairTile tile_;
  PairTile::Values weights_{};
};

void add_degrees(const RowBlocks& blocks, const std::vector<OfRows>& more,
                 std::vector<double>& degrees) {
  for (Index block = 0; block < blocks.count(); ++block)
    for (std::size_t a = 0; a < blocks.rows(block).size(); ++a)
      degrees[blocks.rows(block)[a]] += more[block][a];
}

void add(std::vector<double>& sums, const std::vector<double>& more) {
  for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += more[s];
}

ColumnMoments plain_moments(const MatrixView& x, const std::vector<Index>& rows) {
  return weighted_moments(x, rows, std::vector<double>(rows.size(), 1.0));
}

/// Adds the pairs of rows that coincide, and gives each of them what the one that stood for it got.
void share_out(const CoincidingRows& rows, double weight, PairSums& sums) {
  for (const std::vector<Index>& members : rows.members) {
    const auto count = static_cast<double>(members.size());
    const double degree = sums.degrees[members[0]] / count + (count - 1.0) * weight;
    for (const Index row : members) sums.degrees[row] = degree;
    sums.weight += 0.5 * count * (count - 1.0) * weight;
    sums.squared_weight += 0.5 * count * (count - 1.0) * weight * weight;
  }
}

}  // namespace

double PairWeight::operator()(double squared_distance) const {
  if (kernel == Kernel::binary || squared_distance == nearest) return 1.0;
  return std::exp(-(squared_distance - nearest) / t);
}

void PairWeight::apply(PairTile::Values& values) const {
  if (kernel == Kernel::binary || t == 0.0)  // t = 0 only if all rows coincide
    values.fill(1.0);
  else
    heat_weights(values, nearest, t);
}

PairSums sum_group_pairs(const MatrixView& x, const RowGroups& groups, const TileRule& rule,
                         const Progress& progress, std::string_view stage) {
  const RowBlocks blocks(x, groups);
  const std::vector<OfRows> copies = copies_in(blocks, rule.copies);
  const auto parts = for_each_tile(
      blocks, progress, stage, [&] { return std::make_unique<PartialSums>(blocks, copies, rule); },
      [](PartialSums& part, Index left, Index right) { part.add(left, right); });
  PairSums total{.differences = std::vector<double>(x.cols(), 0.0),
                 .degrees = std::vector<double>(x.rows(), 0.0)};
  for (const auto& part : parts) {
    add(total.differences, part->sums.differences);
    add_degrees(blocks, part->degrees, total.degrees);
    total.weight += part->sums.weight;
    total.squared_weight += part->sums.squared_weight;
    total.counted += part->sums.counted;
  }
  return total;
}

PairSums sum_group_pairs(const MatrixView& x, const CoincidingRows& rows, const PairWeight& weight,
                         const Progress& progress, std::string_view stage) {
  const TileRule rule{
      .weigh = [&](const TilePairs&, PairTile::Values& values) { weight.apply(values); },
      .copies = rows.copies};
  PairSums sums = sum_group_pairs(x, rows.groups, rule, progress, stage);
  share_out(rows, weight(0.0), sums);
  return sums;
}

/// Over the pairs of n rows, (f_i - f_j)^2 sums up to n times the squares about the mean.
PairSums sum_equal_pairs(const MatrixView& x, const RowGroups& groups) {
  PairSums sums{.differences = std::vector<double>(x.cols(), 0.0),
                .degrees = std::vector<double>(x.rows(), 0.0)};
  for (const std::vector<Index>& rows : groups) {
    if (rows.size() < 2) continue;
    const ColumnMoments of_group = plain_moments(x, rows);
    const std::vector<bool> varies = varying_columns(x, rows);
    for (Index r = 0; r < x.cols(); ++r)
      if (varies[r]) sums.differences[r] += of_group.total_weight * of_group.squares[r];
    for (const Index row : rows) sums.degrees[row] = of_group.total_weight - 1.0;
  }
  sums.weight = sums.squared_weight = static_cast<double>(count_group_pairs(groups));
  return sums;
}

Index count_group_pairs(const RowGroups& groups) {
  Index pairs = 0;
  for (const std::vector<Index>& rows : groups)
    pairs += std::ssize(rows) * (std::ssize(rows) - 1) / 2;
  return pairs;
}

double total_group_distance(const MatrixView& x, const RowGroups& groups) {
  double sum = 0.0;
  for (const std::vector<Index>& rows : groups)
    if (rows.size() > 1)
      for (const double squares : plain_moments(x, rows).squares)
        sum += static_cast<double>(rows.size()) * squares;
  return sum;
}

double nearest_group_pair(const MatrixView& x, const CoincidingRows& rows,
                          const Progress& progress) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (!rows.members.empty()) return 0.0;
  const RowBlocks blocks(x, rows.groups);
  struct Piece {
    explicit Piece(const RowBlocks& blocks) : tile(blocks) {}

    PairTile tile;
    PairTile::Values distances = {};
    double nearest = kInfinite;
  };
  const auto parts = for_each_tile(
      blocks, progress, "nearest of a class", [&] { return std::make_unique<Piece>(blocks); },
      [&](Piece& part, Index left, Index right) {
        part.tile.take(left, right);
        part.tile.measure(part.distances);
        set_others(pairs_of(blocks, left, right), kInfinite, part.distances);
        part.nearest = std::min(part.nearest, std::ranges::min(part.distances));
      });
  double nearest = kInfinite;
  for (const auto& part : parts) nearest = std::min(nearest, part->nearest);
  return nearest;
}

RowGroups rows_by_group(std::span<const Index> groups) {
  RowGroups rows(groups.empty() ? 0 : std::max<Index>(std::ranges::max(groups) + 1, 0));
  for (Index i = 0; i < std::ssize(groups); ++i)
    if (groups[i] >= 0) rows[groups[i]].push_back(i);
  return rows;
}

}  // namespace tamis
