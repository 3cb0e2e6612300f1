#include "report/row_plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "core/counted.hpp"

namespace tamis {
namespace {

constexpr Index kMostRows = 500;
constexpr Index kMostLinks = 200;

/// The two best features that have a score.
std::vector<Index> best_two(const Ranking& ranking) {
  std::vector<Index> best = ranking.subset.value_or(ranking.order);
  std::erase_if(best, [&](Index column) { return std::isnan(ranking.scores[column]); });
  best.resize(std::min<std::size_t>(best.size(), 2));
  return best;
}

std::vector<Index> rows_in_pairs(const Knowledge& known) {
  Knowledge pairs_alone;
  pairs_alone.pairs = known.pairs;
  return known_rows(pairs_alone);
}

/// As many of the candidates that are not there yet as there is room for, evenly; both ascend.
void add_evenly(const std::vector<Index>& candidates, std::vector<Index>& rows) {
  std::vector<Index> others;
  std::ranges::set_difference(candidates, rows, std::back_inserter(others));
  const Index free = std::min(kMostRows - std::ssize(rows), std::ssize(others));
  for (Index s = 0; s < free; ++s) rows.push_back(others[s * std::ssize(others) / free]);
  std::ranges::sort(rows);
}

/// Those in given pairs first, then those with a label, then others; ascending.
std::vector<Index> shown_rows(const Problem& problem) {
  std::vector<Index> rows;
  add_evenly(rows_in_pairs(problem.known), rows);
  add_evenly(labeled_rows(problem.known), rows);
  add_evenly(all_indices(problem.rows()), rows);
  return rows;
}

/// The given pairs, and those that labels imply unless they are many.
PairConstraints pairs_to_show(const Knowledge& known) {
  PairConstraints pairs = known.pairs.value_or(PairConstraints{});
  const std::vector<Index> labeled = labeled_rows(known);
  const auto given = std::ssize(pairs.must_link) + std::ssize(pairs.cannot_link);
  if (std::ssize(labeled) * (std::ssize(labeled) - 1) / 2 > kMostLinks - given) return pairs;
  for (std::size_t a = 0; a < labeled.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      (known.label(labeled[a]) == known.label(labeled[b]) ? pairs.must_link : pairs.cannot_link)
          .push_back({labeled[b], labeled[a]});
  return pairs;
}

class PlaneMaker {
 public:
  PlaneMaker(const Problem& problem, const std::vector<Index>& columns)
      : problem_(problem),
        rows_(shown_rows(problem)),
        columns_(columns),
        pairs_(pairs_to_show(problem.known)) {
    for (const Index column : columns) {
      auto& values = values_.emplace_back(rows_.size());
      copy_columns(problem.matrix, rows_, column, 1, values.data());
    }
  }

  RowPlane plane() const {
    RowPlane plane{.x_column = columns_[0], .y_column = columns_[1]};
    plane.groups = groups();
    add_links(plane);
    plane.caption = caption();
    return plane;
  }

 private:
  RowPlane::Row row_at(Index place) const {
    const Index row = rows_[place];
    return {
        problem_.known.sample_ids.empty() ? std::to_string(row) : problem_.known.sample_ids[row],
        values_[0][place], values_[1][place]};
  }

  std::vector<RowPlane::Group> groups() const {
    std::map<Index, RowPlane::Group> by_label;
    for (Index place = 0; place < std::ssize(rows_); ++place) {
      const Index label = problem_.known.label(rows_[place]);
      RowPlane::Group& group = by_label[label];
      group.name = label == kUnlabeled ? "no label" : class_name(problem_.known, label);
      group.rows.push_back(row_at(place));
    }
    std::vector<RowPlane::Group> all;
    for (auto& [label, group] : by_label)
      if (label != kUnlabeled) all.push_back(std::move(group));
    if (const auto rest = by_label.find(kUnlabeled); rest != by_label.end())
      all.push_back(std::move(rest->second));
    return all;
  }

  std::string caption() const {
    const Index n_pairs = std::ssize(pairs_.must_link) + std::ssize(pairs_.cannot_link);
    std::string rows = fmt::format(
        "{}{}.",
        std::ssize(rows_) < problem_.rows() ? fmt::format("{} of ", std::ssize(rows_)) : "All ",
        counted(problem_.rows(), "row"));
    if (n_pairs == 0) return rows;
    return fmt::format(
        "{} Lines join must-linked rows, dashed ones cannot-linked rows{}.", rows,
        n_pairs > kMostLinks ? fmt::format(", the first {} of {}", kMostLinks, n_pairs) : "");
  }

  void add_links(RowPlane& plane) const {
    plane.must_link = links(pairs_.must_link, kMostLinks);
    plane.cannot_link = links(pairs_.cannot_link, kMostLinks - std::ssize(plane.must_link));
  }

  /// Between rows that are shown.
  std::vector<RowPlane::Link> links(const std::vector<RowPair>& pairs, Index most) const {
    std::vector<RowPlane::Link> links;
    for (const auto& [first, second, weight] : pairs) {
      const auto from = std::ranges::lower_bound(rows_, first);
      const auto to = std::ranges::lower_bound(rows_, second);
      if (std::ssize(links) == most) break;
      if (from != rows_.end() && *from == first && to != rows_.end() && *to == second)
        links.push_back({row_at(from - rows_.begin()), row_at(to - rows_.begin())});
    }
    return links;
  }

  const Problem& problem_;
  std::vector<Index> rows_;
  std::vector<Index> columns_;
  PairConstraints pairs_;
  std::vector<std::vector<double>> values_ = {};
};

}  // namespace

std::optional<RowPlane> row_plane(const Problem& problem, const Ranking& ranking) {
  const std::vector<Index> columns = best_two(ranking);
  const bool has_groups =
      !labeled_rows(problem.known).empty() || !rows_in_pairs(problem.known).empty();
  if (columns.size() < 2 || !has_groups) return std::nullopt;
  return PlaneMaker(problem, columns).plane();
}

}  // namespace tamis
