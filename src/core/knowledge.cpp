#include "tamis/core/knowledge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/bad_values.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

void check_length(std::string_view what, std::size_t length, Index rows) {
  if (length != 0 && static_cast<Index>(length) != rows)
    throw DataError(fmt::format("there are {} {} for {} rows", length, what, rows));
}

void check_labels(const Knowledge& known) {
  const auto bad = std::ranges::find_if(known.labels, [](Index y) { return y < kUnlabeled; });
  if (bad != known.labels.end())
    throw DataError(fmt::format("label {} of row {} is negative; unlabeled rows have -1", *bad,
                                row_name(known, bad - known.labels.begin())));
}

void check_values(const Knowledge& known) {
  const auto bad =
      std::ranges::find_if(known.values, [](double y) { return std::abs(y) > kLargestValue; });
  if (bad == known.values.end()) return;
  const std::string row = row_name(known, bad - known.values.begin());
  throw DataError(
      std::isinf(*bad)
          ? fmt::format("the target of row {} is not finite; rows without a known value have NaN",
                        row)
          : fmt::format("the target of row {} is {}, too large to be squared (beyond {:g}): give "
                        "it in another unit",
                        row, *bad, kLargestValue));
}

void check_pair(const Knowledge& known, const RowPair& pair, Index rows) {
  for (const Index row : {pair.first, pair.second})
    if (row < 0 || row >= rows)
      throw DataError(
          fmt::format("a pair names row {}, but the table has rows 0 to {}", row, rows - 1));
  if (pair.first == pair.second)
    throw DataError(
        fmt::format("row {} is paired with itself: remove that pair", row_name(known, pair.first)));
  if (!(pair.weight >= 0.0) || std::isinf(pair.weight))
    throw DataError(
        fmt::format("the pair of rows {} and {} has the weight {}; give a number that "
                    "is not negative",
                    row_name(known, pair.first), row_name(known, pair.second), pair.weight));
}

/// Pairs between the given rows; copies[i] lists the places of row i there.
std::vector<RowPair> renumbered(std::span<const RowPair> pairs,
                                const std::vector<std::vector<Index>>& copies) {
  std::vector<RowPair> result;
  for (const RowPair& pair : pairs)
    for (const Index first : copies[pair.first])
      for (const Index second : copies[pair.second]) result.push_back({first, second, pair.weight});
  return result;
}

}  // namespace

std::vector<Index> labeled_rows(const Knowledge& known) {
  std::vector<Index> rows;
  for (Index i = 0; i < std::ssize(known.labels); ++i)
    if (known.labels[i] != kUnlabeled) rows.push_back(i);
  return rows;
}

std::vector<Index> valued_rows(const Knowledge& known) {
  std::vector<Index> rows;
  for (Index i = 0; i < std::ssize(known.values); ++i)
    if (!std::isnan(known.values[i])) rows.push_back(i);
  return rows;
}

bool values_decide(const Knowledge& known) {
  return !valued_rows(known).empty() && rows_by_class(known).size() < 2;
}

std::vector<Index> known_rows(const Knowledge& known) {
  std::vector<Index> rows = labeled_rows(known);
  const std::vector<Index> valued = valued_rows(known);
  if (!known.pairs && valued.empty()) return rows;
  rows.insert(rows.end(), valued.begin(), valued.end());
  if (known.pairs)
    for (const auto* const pairs : {&known.pairs->must_link, &known.pairs->cannot_link})
      for (const RowPair& pair : *pairs) rows.insert(rows.end(), {pair.first, pair.second});
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::map<Index, std::vector<Index>> positions_by_class(std::span<const Index> labels) {
  std::map<Index, std::vector<Index>> classes;
  for (Index s = 0; s < std::ssize(labels); ++s)
    if (labels[s] != kUnlabeled) classes[labels[s]].push_back(s);
  return classes;
}

std::vector<std::vector<Index>> rows_by_class(const Knowledge& known) {
  std::vector<std::vector<Index>> classes;
  for (auto& [label, rows] : positions_by_class(known.labels)) classes.push_back(std::move(rows));
  return classes;
}

std::string row_name(const Knowledge& known, Index row) {
  return known.sample_ids.empty() ? std::to_string(row)
                                  : fmt::format("{} ({})", row, known.sample_ids[row]);
}

std::string class_name(const Knowledge& known, Index label) {
  return label < std::ssize(known.class_names) ? known.class_names[label] : std::to_string(label);
}

Knowledge known_about(const Knowledge& known, std::span<const Index> rows) {
  Knowledge part{.class_names = known.class_names};
  for (const Index row : rows) {
    if (!known.sample_ids.empty()) part.sample_ids.push_back(known.sample_ids[row]);
    if (!known.labels.empty()) part.labels.push_back(known.labels[row]);
    if (!known.values.empty()) part.values.push_back(known.values[row]);
  }
  if (!known.pairs) return part;
  Index n_rows = 0;
  for (const Index row : known_rows(known)) n_rows = std::max(n_rows, row + 1);
  for (const Index row : rows) n_rows = std::max(n_rows, row + 1);
  std::vector<std::vector<Index>> copies(n_rows);
  for (Index s = 0; s < std::ssize(rows); ++s) copies[rows[s]].push_back(s);
  part.pairs = PairConstraints{renumbered(known.pairs->must_link, copies),
                               renumbered(known.pairs->cannot_link, copies)};
  return part;
}

void refuse_pair_weights(std::string_view who, const Knowledge& known) {
  if (!known.pairs) return;
  for (const auto* const pairs : {&known.pairs->must_link, &known.pairs->cannot_link})
    for (const RowPair& pair : *pairs)
      if (pair.weight != 1.0)
        throw DataError(fmt::format(
            "{} takes pairs without weights, and that of rows {} and {} weighs {}: leave "
            "the weights out, or choose a method that sums over pairs",
            who, row_name(known, pair.first), row_name(known, pair.second), pair.weight));
}

void check_knowledge(const Knowledge& known, Index rows) {
  check_length("sample ids", known.sample_ids.size(), rows);
  check_length("labels", known.labels.size(), rows);
  check_labels(known);
  check_length("target values", known.values.size(), rows);
  check_values(known);
  if (!known.pairs) return;
  for (const auto* const pairs : {&known.pairs->must_link, &known.pairs->cannot_link})
    for (const RowPair& pair : *pairs) check_pair(known, pair, rows);
}

}  // namespace tamis
