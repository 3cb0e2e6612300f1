#include "graphs/group_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "core/double_lanes.hpp"
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

/// One part of the sums, tile after tile: what either way of summing up differences has.
struct PartialSums {
  PartialSums(const RowBlocks& all_blocks, const std::vector<OfRows>& all_copies)
      : blocks(all_blocks), copies(all_copies), tile(all_blocks), degrees(all_blocks.count()) {
    for (OfRows& of_block : degrees) of_block.fill(0.0);
  }

  /// Multiplies the weights of the tile by how many pairs they stand for, and adds them up.
  WeightSums add_degrees(Index left, Index right) {
    return multiply_weights(copies[left], copies[right], weights, degrees[left], degrees[right]);
  }

  const RowBlocks& blocks;
  const std::vector<OfRows>& copies;
  PairTile tile;
  PairTile::Values weights{};
  std::vector<OfRows> degrees;
  WeightSums of_all;
};

/// Adds degrees and weights of a part to those of all.
void join(const PartialSums& part, PairSums& all) {
  const RowBlocks& blocks = part.blocks;
  for (Index block = 0; block < blocks.count(); ++block)
    for (std::size_t a = 0; a < blocks.rows(block).size(); ++a)
      all.degrees[blocks.rows(block)[a]] += part.degrees[block][a];
  all.weight += part.of_all.weight;
  all.squared_weight += part.of_all.squared;
}

/// As the rule has it, from differences of rows.
class DifferenceSums : public PartialSums {
 public:
  DifferenceSums(const RowBlocks& all_blocks, const std::vector<OfRows>& all_copies,
                 const TileRule& rule)
      : PartialSums(all_blocks, all_copies), differences(all_blocks.cols(), 0.0), rule_(rule) {}

  void add(Index left, Index right) {
    const TilePairs pairs = pairs_of(blocks, left, right);
    if (rule_.is_empty && rule_.is_empty(pairs)) return;
    tile.take(left, right);
    if (rule_.needs_distances) tile.measure(weights);
    rule_.weigh(pairs, weights);
    set_others(pairs, 0.0, weights);
    WeightSums of_tile = add_degrees(left, right);
    if (rule_.edit) {
      counted += rule_.edit(pairs, weights);
      of_tile = sum_weights(weights);
    }
    of_all.weight += of_tile.weight;
    of_all.squared += of_tile.squared;
    if (of_tile.squared > 0.0) tile.add_differences(weights, differences);
  }

  std::vector<double> differences;
  Index counted = 0;

 private:
  const TileRule& rule_;
};

/// Heat weights from products of rows, whose values count from amid their group:
///   log2 w_ab = s (2 x_a'x_b - |x_a|^2 - |x_b|^2 + nearest), s = log2(e) / t.
class ProductSums : public PartialSums {
 public:
  ProductSums(const RowBlocks& all_blocks, const std::vector<OfRows>& all_copies,
              const std::vector<OfRows>& terms, double scale)
      : PartialSums(all_blocks, all_copies),
        products(tile.sums_size()),
        terms_(terms),
        scale_(scale) {
    std::ranges::fill(products, 0.0);
  }

  void add(Index left, Index right) {
    tile.take(left, right);
    tile.multiply_rows(terms_[left], terms_[right], 2.0 * scale_, weights);
    const TilePairs pairs = pairs_of(blocks, left, right);
    raise_two(std::ssize(pairs.left), weights);
    set_others(pairs, 0.0, weights);
    const WeightSums of_tile = add_degrees(left, right);
    of_all.weight += of_tile.weight;
    of_all.squared += of_tile.squared;
    tile.add_row_products(weights, products);
  }

  Buffer<double> products;  ///< of each column, sum of w_ab x_a x_b in parts

 private:
  const std::vector<OfRows>& terms_;
  double scale_;
};

void add(std::vector<double>& sums, const std::vector<double>& more) {
  for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += more[s];
}

PairSums no_sums(const MatrixView& x) {
  return {.differences = std::vector<double>(x.cols(), 0.0),
          .degrees = std::vector<double>(x.rows(), 0.0)};
}

/// What the logarithm of a weight has of each row, scale * (nearest / 2 - |x|^2); nothing if a row
/// is so far away that the digits of its products would not do.
std::optional<std::vector<OfRows>> product_terms(const RowBlocks& blocks, const PairWeight& weight,
                                                 double scale) {
  // In units of t: rounding then changes weights by some 3e-14, and none is below 2^-185.
  constexpr double kFarthest = 32.0;
  std::vector<OfRows> terms(blocks.count());
  PairTile tile(blocks);
  for (Index block = 0; block < blocks.count(); ++block) {
    tile.take(block, block);
    terms[block] = tile.left_norms();
    for (double& term : terms[block]) {
      if (!(term <= kFarthest * weight.t)) return std::nullopt;
      term = scale * (0.5 * weight.nearest - term);
    }
  }
  return terms;
}

/// sum_ij w_ij (x_i - x_j)^2 = sum_i D_i x_i^2 - 2 sum_ij w_ij x_i x_j of each column. That costs
/// as many digits as the first term is larger than the result: nothing if that is much.
std::optional<std::vector<double>> differences_of(
    const RowBlocks& blocks, const std::vector<std::unique_ptr<ProductSums>>& parts,
    const std::vector<double>& degrees) {
  constexpr double kMostLost = 256.0;
  PairTile tile(blocks);
  Buffer<double> squares(tile.sums_size());
  std::ranges::fill(squares, 0.0);
  for (Index block = 0; block < blocks.count(); ++block) {
    OfRows of_block{};
    std::ranges::transform(blocks.rows(block), of_block.begin(),
                           [&](Index row) { return degrees[row]; });
    tile.take(block, block);
    tile.add_left_squares(of_block, squares);
  }
  std::vector<double> differences;
  for (Index r = 0; r < blocks.cols(); ++r) {
    double square = 0.0;
    double product = 0.0;
    for (Index s = r * PairTile::kSumParts; s < (r + 1) * PairTile::kSumParts; ++s) {
      square += squares[s];
      for (const auto& part : parts) product += part->products[s];
    }
    differences.push_back(square - 2.0 * product);
    if (square > kMostLost * differences.back()) return std::nullopt;
  }
  return differences;
}

/// Heat weights and their sums from products of rows, in two thirds of the time that differences
/// take; nothing if too many digits would be lost.
std::optional<PairSums> sum_by_products(const MatrixView& x, const CoincidingRows& rows,
                                        const PairWeight& weight, const Progress& progress,
                                        std::string_view stage) {
  const double scale = kLog2E / weight.t;
  if (weight.kernel != Kernel::heat || !std::isfinite(scale)) return std::nullopt;
  const RowBlocks blocks(x, rows.groups, RowBlocks::Origin::amid_group);
  const std::optional<std::vector<OfRows>> terms = product_terms(blocks, weight, scale);
  if (!terms) return std::nullopt;
  const std::vector<OfRows> copies = copies_in(blocks, rows.copies);
  const auto parts = for_each_tile(
      blocks, progress, stage,
      [&] { return std::make_unique<ProductSums>(blocks, copies, *terms, scale); },
      [](ProductSums& part, Index left, Index right) { part.add(left, right); });
  PairSums total = no_sums(x);
  for (const auto& part : parts) join(*part, total);
  auto differences = differences_of(blocks, parts, total.degrees);
  if (!differences) return std::nullopt;
  total.differences = *std::move(differences);
  return total;
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
  double weight = squared_distance;
  apply({&weight, 1});
  return weight;
}

void PairWeight::apply(std::span<double> values) const {
  if (kernel == Kernel::binary)
    std::ranges::fill(values, 1.0);
  else
    heat_weights(values, nearest, t);
}

PairSums sum_group_pairs(const MatrixView& x, const RowGroups& groups, const TileRule& rule,
                         const Progress& progress, std::string_view stage) {
  const RowBlocks blocks(x, groups);
  const std::vector<OfRows> copies = copies_in(blocks, rule.copies);
  const auto parts = for_each_tile(
      blocks, progress, stage,
      [&] { return std::make_unique<DifferenceSums>(blocks, copies, rule); },
      [](DifferenceSums& part, Index left, Index right) { part.add(left, right); });
  PairSums total = no_sums(x);
  for (const auto& part : parts) {
    join(*part, total);
    add(total.differences, part->differences);
    total.counted += part->counted;
  }
  return total;
}

PairSums sum_group_pairs(const MatrixView& x, const CoincidingRows& rows, const PairWeight& weight,
                         const Progress& progress, std::string_view stage) {
  std::optional<PairSums> sums = sum_by_products(x, rows, weight, progress, stage);
  if (!sums) {
    const TileRule rule{
        .weigh = [&](const TilePairs&, PairTile::Values& values) { weight.apply(values); },
        .copies = rows.copies};
    sums = sum_group_pairs(x, rows.groups, rule, progress, stage);
  }
  share_out(rows, weight(0.0), *sums);
  return *std::move(sums);
}

/// Over the pairs of n rows, (f_i - f_j)^2 sums up to n times the squares about the mean.
PairSums sum_equal_pairs(const MatrixView& x, const RowGroups& groups) {
  PairSums sums = no_sums(x);
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
