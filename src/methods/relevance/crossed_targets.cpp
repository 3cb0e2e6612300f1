#include "methods/relevance/crossed_targets.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/random.hpp"
#include "methods/known_values.hpp"
#include "methods/relevance/streams.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr double kCut = 3.0;
constexpr Index kGrain = 64;
/// Squared lengths below this share of n are rounding.
constexpr double kRounding = 1e-20;

std::vector<double> deviations(const RowVectors& centred) {
  std::vector<double> squares(centred.width, 0.0);
  for (Index i = 0; i < centred.rows(); ++i)
    for (Index c = 0; c < centred.width; ++c) squares[c] += centred.row(i)[c] * centred.row(i)[c];
  for (double& value : squares) value = std::sqrt(value / static_cast<double>(centred.rows()));
  return squares;
}

/// Cuts each column at kCut standard deviations and gives it the deviation back that it had.
void cut_columns(RowVectors& target) {
  if (target.width == 0) return;
  center(target);
  const std::vector<double> before = deviations(target);
  for (Index i = 0; i < target.rows(); ++i)
    for (Index c = 0; c < target.width; ++c)
      target.row(i)[c] = std::clamp(target.row(i)[c], -kCut * before[c], kCut * before[c]);
  center(target);
  const std::vector<double> after = deviations(target);
  for (Index i = 0; i < target.rows(); ++i)
    for (Index c = 0; c < target.width; ++c)
      if (after[c] > 0.0) target.row(i)[c] *= before[c] / after[c];
}

}  // namespace

double centre(std::span<double> values) {
  double mean = 0.0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double squares = 0.0;
  for (double& value : values) {
    value -= mean;
    squares += value * value;
  }
  return squares > kRounding * static_cast<double>(values.size()) ? std::sqrt(squares) : 0.0;
}

std::vector<std::vector<Index>> CrossedTargets::columns_by_fold() const {
  std::vector<std::vector<Index>> columns(targets.size());
  for (Index r = 0; r < std::ssize(fold_of); ++r)
    if (fold_of[r] != kNoFold) columns[fold_of[r]].push_back(r);
  return columns;
}

std::vector<double> CrossedTargets::unit_column(const RankedTable& z, Index column) const {
  std::vector<double> known(rows.size());
  z.copy_rows(rows, column, 1, known.data());
  double mean = 0.0;
  for (const double value : known) mean += value / static_cast<double>(known.size());
  std::vector<double> unit(z.rows(), 0.0);
  if (lengths[column] == 0.0) return unit;
  for (std::size_t s = 0; s < rows.size(); ++s) unit[rows[s]] = (known[s] - mean) / lengths[column];
  return unit;
}

std::vector<Index> deal_folds(std::span<const Index> columns, Index table_columns,
                              std::span<const Index> groups, Index n_folds, std::uint64_t seed) {
  // Of each group its first column is dealt.
  std::vector<Index> dealt;
  std::unordered_map<Index, Index> first_of_group;
  const auto first_beside = [&](Index column) {
    return groups.empty() ? column
                          : first_of_group.try_emplace(groups[column], column).first->second;
  };
  for (const Index column : columns)
    if (first_beside(column) == column) dealt.push_back(column);
  RandomStream(seed, kFoldStream).shuffle(dealt);
  std::vector<Index> fold_of(table_columns, kNoFold);
  for (Index s = 0; s < std::ssize(dealt); ++s) fold_of[dealt[s]] = s % n_folds;
  for (const Index column : columns) fold_of[column] = fold_of[first_beside(column)];
  return fold_of;
}

CrossedTargets targets_of_table(const MatchingTarget& target, const RankedTable& z,
                                std::vector<Index> fold_of) {
  CrossedTargets crossed{
      .null = Null::table,
      .rows = all_indices(z.rows()),
      .fold_of = std::move(fold_of),
      .lengths = std::vector(z.cols(), std::sqrt(static_cast<double>(z.rows())))};
  crossed.targets.resize(*std::ranges::max_element(crossed.fold_of) + 1);
  const auto folds = crossed.columns_by_fold();
  for (std::size_t v = 0; v < folds.size(); ++v) {
    crossed.targets[v] = target.without(folds[v]);
    cut_columns(crossed.targets[v]);
  }
  return crossed;
}

namespace {

/// (one-hot - share) / sqrt(share); 0 in rows without a label.
RowVectors target_of_classes(const Knowledge& known, Index rows) {
  const auto classes = rows_by_class(known);
  const std::vector<Index> labeled = labeled_rows(known);
  const Index width = std::ssize(classes);
  RowVectors target{width, Buffer<double>(rows * width, 0.0)};
  for (Index c = 0; c < width; ++c) {
    const double share =
        static_cast<double>(classes[c].size()) / static_cast<double>(labeled.size());
    for (const Index row : labeled) target.row(row)[c] = -share / std::sqrt(share);
    for (const Index row : classes[c]) target.row(row)[c] = (1.0 - share) / std::sqrt(share);
  }
  return target;
}

/// Standardised and cut; 0 in rows without a value.
RowVectors target_of_values(const Knowledge& known, Index rows) {
  RowVectors cut = standard_values(known);
  cut_columns(cut);
  const std::vector<Index> valued = valued_rows(known);
  RowVectors target{1, Buffer<double>(rows, 0.0)};
  for (Index s = 0; s < std::ssize(valued); ++s) target.values[valued[s]] = cut.values[s];
  return target;
}

}  // namespace

RowVectors target_of_labels(const Knowledge& known, Index rows) {
  return values_decide(known) ? target_of_values(known, rows) : target_of_classes(known, rows);
}

CrossedTargets targets_of_labels(const Knowledge& known, const RankedTable& z,
                                 std::span<const Index> columns) {
  CrossedTargets crossed{.null = Null::labels,
                         .rows = values_decide(known) ? valued_rows(known) : labeled_rows(known),
                         .fold_of = std::vector(z.cols(), kNoFold),
                         .lengths = std::vector(z.cols(), 0.0)};
  crossed.targets.push_back(target_of_labels(known, z.rows()));
  for (const Index column : columns) crossed.fold_of[column] = 0;
  parallel_for_with(
      std::ssize(columns), kGrain, [&] { return std::vector<double>(crossed.rows.size()); },
      [&](std::vector<double>& values, Index begin, Index end) {
        for (Index s = begin; s < end; ++s) {
          z.copy_rows(crossed.rows, columns[s], 1, values.data());
          crossed.lengths[columns[s]] = centre(values);
        }
      });
  return crossed;
}

}  // namespace tamis
