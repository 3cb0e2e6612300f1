#include "graphs/group_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Sums are taken in at most this many parts, whatever the number of threads, and joined in order.
constexpr Index kParts = 8;
constexpr Index kRows = PairTile::kRows;

/// A block of rows of a group, and the rows of the group from it on.
struct Block {
  std::span<const Index> rows;
  std::span<const Index> rest;
};

std::vector<Block> blocks_of(const RowGroups& groups) {
  std::vector<Block> blocks;
  for (const std::vector<Index>& rows : groups)
    for (std::size_t from = 0; from < rows.size() && rows.size() > 1; from += kRows) {
      const std::span<const Index> rest = std::span(rows).subspan(from);
      blocks.push_back({rest.first(std::min<std::size_t>(kRows, rest.size())), rest});
    }
  return blocks;
}

/// Calls visit(part, pairs) for every tile, and returns the parts, one after make() each. They are
/// as many for any number of threads, which take them in parallel.
template <class Make, class Visit>
auto for_each_tile(const RowGroups& groups, const Progress& progress, std::string_view name,
                   const Make& make, const Visit& visit) {
  const std::vector<Block> blocks = blocks_of(groups);
  std::vector<decltype(make())> parts;
  const Index n_parts = std::clamp<Index>(std::ssize(blocks), 1, kParts);
  while (std::ssize(parts) < n_parts) parts.push_back(make());
  Progress::Stage stage(progress, name, std::ssize(blocks));
  parallel_for(n_parts, 1, [&](Index part, Index) {
    for (Index b = part; b < std::ssize(blocks); b += n_parts) {
      const auto& [left, rest] = blocks[b];
      for (std::size_t from = 0; from < rest.size(); from += kRows)
        visit(*parts[part], TilePairs{.left = left,
                                      .right = rest.subspan(from).first(
                                          std::min<std::size_t>(kRows, rest.size() - from)),
                                      .is_diagonal = from == 0});
      stage.advance();
    }
  });
  return parts;
}

/// Sets what is no pair of the tile.
void set_others(const TilePairs& pairs, double value, PairTile::Values& values) {
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

/// One part of the sums, tile after tile.
class PartialSums {
 public:
  PartialSums(const MatrixView& x, const TileRule& rule) : rule_(rule), tile_(x) {
    sums.differences.assign(x.cols(), 0.0);
    sums.degrees.assign(x.rows(), 0.0);
  }

  void add(const TilePairs& pairs) {
    tile_.take(pairs.left, pairs.right);
    if (rule_.needs_distances) tile_.measure(weights_);
    rule_.weigh(pairs, weights_);
    set_others(pairs, 0.0, weights_);
    WeightSums of_tile;
    if (!rule_.copies.empty())
      of_tile = multiply_weights(copies_of(pairs.left), copies_of(pairs.right), weights_);
    add_degrees(pairs);
    if (rule_.edit) sums.counted += rule_.edit(pairs, weights_);
    if (rule_.copies.empty()) of_tile = sum_weights(weights_);
    sums.weight += of_tile.weight;
    sums.squared_weight += of_tile.squared;
    if (of_tile.squared > 0.0) tile_.add_differences(weights_, sums.differences);
  }

  PairSums sums;

 private:
  std::vector<double> copies_of(std::span<const Index> rows) const {
    std::vector<double> copies;
    for (const Index row : rows) copies.push_back(rule_.copies[row]);
    return copies;
  }

  void add_degrees(const TilePairs& pairs) {
    std::array<double, kRows> left{};
    std::array<double, kRows> right{};
    add_row_sums(weights_, std::span(left).first(pairs.left.size()),
                 std::span(right).first(pairs.right.size()));
    for (std::size_t a = 0; a < pairs.left.size(); ++a) sums.degrees[pairs.left[a]] += left[a];
    for (std::size_t b = 0; b < pairs.right.size(); ++b) sums.degrees[pairs.right[b]] += right[b];
  }

  const TileRule& rule_;
  PairTile tile_;
  PairTile::Values weights_{};
};

void add(std::vector<double>& sums, const std::vector<double>& more) {
  for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += more[s];
}

ColumnMoments plain_moments(const MatrixView& x, const std::vector<Index>& rows) {
  return weighted_moments(x, rows, std::vector<double>(rows.size(), 1.0));
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
  const auto parts = for_each_tile(
      groups, progress, stage, [&] { return std::make_unique<PartialSums>(x, rule); },
      [&](PartialSums& part, const TilePairs& pairs) { part.add(pairs); });
  PairSums total = std::move(parts[0]->sums);
  for (std::size_t part = 1; part < parts.size(); ++part) {
    const PairSums& more = parts[part]->sums;
    add(total.differences, more.differences);
    add(total.degrees, more.degrees);
    total.weight += more.weight;
    total.squared_weight += more.squared_weight;
    total.counted += more.counted;
  }
  return total;
}

PairSums sum_group_pairs(const MatrixView& x, const RowGroups& groups, const PairWeight& weight,
                         const Progress& progress, std::string_view stage) {
  if (weight.kernel == Kernel::binary) return sum_equal_pairs(x, groups);
  const CoincidingRows rows = coinciding_rows(x, groups);
  const TileRule rule{
      .weigh = [&](const TilePairs&, PairTile::Values& values) { weight.apply(values); },
      .copies = rows.copies};
  PairSums sums = sum_group_pairs(x, rows.groups, rule, progress, stage);
  share_out(rows, weight(0.0), sums);
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

double nearest_group_pair(const MatrixView& x, const RowGroups& groups, const Progress& progress) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (!coinciding_rows(x, groups).members.empty()) return 0.0;
  struct Piece {
    explicit Piece(const MatrixView& x) : tile(x) {}

    PairTile tile;
    PairTile::Values distances = {};
    double nearest = kInfinite;
  };
  const auto parts = for_each_tile(
      groups, progress, "nearest of a class", [&] { return std::make_unique<Piece>(x); },
      [&](Piece& part, const TilePairs& pairs) {
        part.tile.take(pairs.left, pairs.right);
        part.tile.measure(part.distances);
        set_others(pairs, kInfinite, part.distances);
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
