#include "tamis/methods/relieff.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "core/ties.hpp"
#include "methods/preconditions.hpp"
#include "methods/relieff/range_rows.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using Partners = std::vector<RangeRows::Partner>;

/// The labeled rows by class, numbered by their place among them.
class LabeledClasses {
 public:
  LabeledClasses(const Knowledge& known, const std::vector<Index>& labeled) {
    std::vector<Index> labels;
    for (const Index row : labeled) labels.push_back(known.label(row));
    class_of_.resize(labels.size());
    for (auto& [label, members] : positions_by_class(labels)) {
      for (const Index position : members) class_of_[position] = std::ssize(classes_);
      classes_.push_back(std::move(members));
    }
  }

  /// The k nearest rows of each class with what each counts in the mean over all rows: hits against
  /// the feature, misses for it by the share of their class among the others.
  Partners partners(Index row, std::span<const double> distances, Index k) const {
    const auto labeled = static_cast<double>(class_of_.size());
    const Index own = class_of_[row];
    const double others = labeled - static_cast<double>(classes_[own].size());
    Partners all;
    std::vector<RowDistance> near;
    for (Index c = 0; c < std::ssize(classes_); ++c) {
      near.clear();
      for (const Index position : classes_[c])
        if (position != row) near.push_back({distances[position], position});
      keep_nearest(near, k);
      const double share = c == own ? -1.0 : static_cast<double>(classes_[c].size()) / others;
      for (const RowDistance& partner : near)
        all.push_back({partner.row, share / labeled / static_cast<double>(near.size())});
    }
    return all;
  }

 private:
  std::vector<Index> class_of_;
  std::vector<std::vector<Index>> classes_;
};

/// The rows whose number is known, by their place among them.
class ValuedRows {
 public:
  ValuedRows(const Knowledge& known, const std::vector<Index>& valued,
             const RelieffOptions& options)
      : options_(options) {
    for (const Index row : valued) values_.push_back(known.values[row]);
    const auto [least, largest] = std::ranges::minmax(values_);
    range_ = largest - least;
  }

  /// The k nearest rows, the r-th with weight exp(-(r / rank_decay)^2), scaled to sum 1.
  Partners partners(Index row, std::span<const double> distances) const {
    std::vector<RowDistance> near;
    for (Index q = 0; q < std::ssize(values_); ++q)
      if (q != row) near.push_back({distances[q], q});
    keep_nearest(near, options_.n_neighbors);
    Partners all;
    double total = 0.0;
    for (std::size_t r = 0; r < near.size(); ++r) {
      // Without the factor of rank 1, which all share: it might be 0.
      const double beyond = static_cast<double>(r * (r + 2)) / options_.rank_decay;
      all.push_back({near[r].row, std::exp(-beyond / options_.rank_decay)});
      total += all.back().weight;
    }
    for (RangeRows::Partner& partner : all) partner.weight /= total;
    return all;
  }

  /// What each partner counts in N_Cj / N_C - (N_j - N_Cj) / (l - N_C): for the feature by how much
  /// its value differs, against it by how little. A side on which nothing counts is left out.
  void weigh(std::vector<Partners>& partners) const {
    double differing = 0.0;  // N_C
    for_each(partners,
             [&](double difference, double& weight) { differing += weight * difference; });
    const double alike = static_cast<double>(values_.size()) - differing;
    for_each(partners, [&](double difference, double& weight) {
      weight *= (differing > 0.0 ? difference / differing : 0.0) -
                (alike > 0.0 ? (1.0 - difference) / alike : 0.0);
    });
  }

 private:
  template <class Visit>
  void for_each(std::vector<Partners>& partners, const Visit& visit) const {
    for (std::size_t i = 0; i < partners.size(); ++i)
      for (auto& [row, weight] : partners[i])
        visit(std::abs(values_[i] - values_[row]) / range_, weight);
  }

  const RelieffOptions& options_;
  std::vector<double> values_;
  double range_ = 0.0;
};

/// Rows whose distances to all are held at once: at most 64 MB, but for very many rows.
Index rows_at_once(Index labeled) {
  constexpr Index kHeldDistances = Index{1} << 23;
  return std::clamp<Index>(kHeldDistances / labeled, 16, 256);
}

/// Calls take(first, partners) with the partners of rows first, first + 1, ..., a few rows at a
/// time; of_row(row, distances) finds those of one.
template <class OfRow, class Take>
void find_partners(const RangeRows& rows, Progress::Stage& stage, const OfRow& of_row,
                   const Take& take) {
  const Index step = rows_at_once(rows.rows());
  for (Index begin = 0; begin < rows.rows(); begin += step) {
    const Index end = std::min(begin + step, rows.rows());
    const std::vector<double> distances = rows.distances(begin, end);
    std::vector<Partners> partners(end - begin);
    parallel_for(end - begin, 1, [&](Index from, Index to) {
      for (Index s = from; s < to; ++s)
        partners[s] = of_row(begin + s, std::span(distances).subspan(s * rows.rows(), rows.rows()));
    });
    take(begin, std::move(partners));
    stage.advance(end - begin);
  }
}

std::vector<double> scores_by_classes(const Problem& problem, const std::vector<Index>& labeled,
                                      const RelieffOptions& options, const Run& run) {
  const LabeledClasses classes(problem.known, labeled);
  const RangeRows rows(problem.matrix, labeled);
  std::vector<double> scores(problem.cols(), 0.0);
  Progress::Stage stage(run.progress, "nearest rows of each class", rows.rows());
  find_partners(
      rows, stage,
      [&](Index row, std::span<const double> distances) {
        return classes.partners(row, distances, options.n_neighbors);
      },
      [&](Index first, const std::vector<Partners>& partners) {
        rows.add_differences(first, partners, scores);
      });
  return scores;
}

/// RReliefF: what partners count is known once those of all rows are.
std::vector<double> scores_by_values(const Problem& problem, const std::vector<Index>& valued,
                                     const RelieffOptions& options, const Run& run) {
  const ValuedRows values(problem.known, valued, options);
  const RangeRows rows(problem.matrix, valued);
  std::vector<Partners> all;
  Progress::Stage stage(run.progress, "nearest rows", rows.rows());
  find_partners(
      rows, stage,
      [&](Index row, std::span<const double> distances) { return values.partners(row, distances); },
      [&](Index, std::vector<Partners> partners) {
        std::ranges::move(partners, std::back_inserter(all));
      });
  values.weigh(all);
  std::vector<double> scores(problem.cols(), 0.0);
  rows.add_differences(0, all, scores);
  return scores;
}

}  // namespace

Ranking relieff(const Problem& problem, const RelieffOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  const bool has_values = values_decide(problem.known);
  const std::vector<Index> known =
      has_values ? valued_rows(problem.known) : labeled_rows(problem.known);
  const std::string nothing_differs =
      has_values ? "relieff: every column is constant over the rows whose target is known; more "
                   "rows need one"
                 : constant_on_labeled_rows(options.info);
  const std::vector<bool> differs = varying_columns(problem.matrix, known);
  if (std::ranges::find(differs, true) == differs.end()) throw DataError(nothing_differs);
  std::vector<double> scores = has_values ? scores_by_values(problem, known, options, run)
                                          : scores_by_classes(problem, known, options, run);
  const std::vector<bool> varies = varying_columns(problem.matrix);
  for (Index r = 0; r < problem.cols(); ++r)
    if (!varies[r]) scores[r] = kUndefined;
  return rank_features(std::move(scores), Better::higher, {}, nothing_differs);
}

}  // namespace tamis
