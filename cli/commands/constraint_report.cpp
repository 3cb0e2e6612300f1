#include "cli/commands/constraint_report.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "clustering/kmeans/kmeans.hpp"
#include "constraints/closure.hpp"
#include "constraints/coherence.hpp"
#include "constraints/constraint_set.hpp"
#include "prepare/nearest_class.hpp"

namespace tamis::cli {
namespace {

LinkReport listed(Index all, std::span<const RowPair> extra, std::vector<RowPair> pairs) {
  return {.from_labels = all - std::ssize(extra),
          .from_pairs = std::ssize(extra),
          .pairs = std::move(pairs)};
}

std::pair<Index, Index> rows_of(const RowPair& pair) { return {pair.first, pair.second}; }

double pairs_among(Index rows) {
  return 0.5 * static_cast<double>(rows) * static_cast<double>(rows - 1);
}

/// Pairs of rows of one group; rows of group kUnlabeled are in none.
double count_pairs(std::span<const Index> groups) {
  std::map<Index, Index> sizes;
  for (const Index group : groups)
    if (group != kUnlabeled) ++sizes[group];
  double pairs = 0.0;
  for (const auto& [group, rows] : sizes) pairs += pairs_among(rows);
  return pairs;
}

/// Only rows whose true class is known are looked at.
DeductionReport judge_deduction(std::span<const Index> deduced, std::span<const Index> given,
                                std::span<const Index> true_labels) {
  std::vector<Index> of_deduced;
  std::vector<Index> of_truth;
  std::vector<Index> of_both;
  const Index classes = std::ranges::max(true_labels) + 1;
  for (std::size_t i = 0; i < deduced.size(); ++i) {
    if (true_labels[i] == kUnlabeled) continue;
    of_deduced.push_back(deduced[i]);
    of_truth.push_back(true_labels[i]);
    of_both.push_back(deduced[i] * classes + true_labels[i]);
  }
  const double correct = count_pairs(of_both);
  const auto share = [](double part, double whole) {
    return whole > 0.0 ? std::optional(part / whole) : std::nullopt;
  };
  const double all = count_pairs(of_truth);
  return {.correct = share(correct, count_pairs(of_deduced)),
          .coverage = share(correct, all),
          .given = share(count_pairs(given), all)};
}

/// Every pair of rows whose nearest labeled rows share a class becomes a must-link, unless it is a
/// cannot-link (003 eq. 17).
void deduce(const Problem& problem, std::span<const Index> true_labels, ConstraintReport& report) {
  refuse_pair_weights("the rule of the nearest labeled row", problem.known);
  if (rows_by_class(problem.known).size() < 2)
    throw DataError(
        "the rule of the nearest labeled row needs labels of at least two classes (--label-column, "
        "--labels)");
  const auto columns = static_cast<std::size_t>(problem.cols());
  const Scaling as_they_are{.shift = std::vector<double>(columns, 0.0),
                            .width = std::vector<double>(columns, 1.0)};
  const std::vector<Index> classes = nearest_classes(problem, as_they_are);
  check_pair_count("must-link", static_cast<Index>(count_pairs(classes)));
  std::vector<RowPair> pairs;
  for (Index i = 0; i < problem.rows(); ++i)
    for (Index j = i + 1; j < problem.rows(); ++j)
      if (classes[i] == classes[j]) pairs.push_back({i, j});
  std::vector<RowPair> agreeing;
  std::ranges::set_difference(pairs, report.cannot_link.pairs, std::back_inserter(agreeing), {},
                              rows_of, rows_of);
  std::vector<RowPair> all;
  std::ranges::set_union(report.must_link.pairs, agreeing, std::back_inserter(all), {}, rows_of,
                         rows_of);
  report.must_link.deduced = std::ssize(all) - std::ssize(report.must_link.pairs);
  report.must_link.pairs = std::move(all);
  if (std::ranges::any_of(true_labels, [](Index label) { return label != kUnlabeled; }))
    report.deduction = judge_deduction(classes, problem.known.labels, true_labels);
}

void close(const Problem& problem, ConstraintReport& report) {
  PairConstraints closed = closure({.must_link = std::move(report.must_link.pairs),
                                    .cannot_link = std::move(report.cannot_link.pairs)},
                                   problem.rows(), problem.known);
  const auto take = [](LinkReport& links, std::vector<RowPair>& pairs) {
    links.implied = std::ssize(pairs) - links.from_labels - links.from_pairs - links.deduced;
    links.pairs = std::move(pairs);
  };
  take(report.must_link, closed.must_link);
  take(report.cannot_link, closed.cannot_link);
}

/// Keeps the pairs that are as coherent as the set, with their coherence, and moves the others to
/// `dropped`.
void keep_coherent(LinkReport& links, double of_set) {
  LinkReport kept{.from_labels = links.from_labels,
                  .from_pairs = links.from_pairs,
                  .implied = links.implied,
                  .deduced = links.deduced};
  for (std::size_t k = 0; k < links.pairs.size(); ++k)
    if (links.coherence[k] >= of_set) {
      kept.pairs.push_back(links.pairs[k]);
      kept.coherence.push_back(links.coherence[k]);
    } else {
      kept.dropped.push_back(links.pairs[k]);
    }
  links = std::move(kept);
}

void measure_coherence(const Problem& problem, Index max_pairs, const Run& run,
                       ConstraintReport& report) {
  Coherence found =
      coherence(problem.matrix, report.must_link.pairs, report.cannot_link.pairs, max_pairs, run);
  report.coherence = found.of_set;
  report.coherence_standard_error = found.standard_error;
  report.must_link.coherence = std::move(found.must_link);
  report.cannot_link.coherence = std::move(found.cannot_link);
}

InformativenessReport measure_informativeness(const Problem& problem,
                                              const ConstraintQuestions& questions,
                                              const ConstraintReport& report, const Run& run) {
  const Index clusters = questions.clusters.value_or(std::ssize(rows_by_class(problem.known)));
  if (clusters == 0)
    throw InvalidArgument(
        "constraints: --informativeness needs a number of clusters, and there are no classes: give "
        "--clusters K");
  const Clustering found = kmeans(problem, {.n_clusters = clusters}, {}, run);
  const ConstraintSet result(problem.rows(), {.must_link = report.must_link.pairs,
                                              .cannot_link = report.cannot_link.pairs});
  return {.value = informativeness(result, found.clusters),
          .clusters = clusters,
          .broken = violations(result, found.clusters)};
}

}  // namespace

ConstraintReport examine_constraints(const Problem& problem, std::span<const Index> true_labels,
                                     const ConstraintQuestions& questions, const Run& run) {
  const ConstraintSet known(problem.known, problem.rows());
  if (known.n_must_link() + known.n_cannot_link() == 0)
    throw DataError(
        "there are no constraints: give labels of at least two rows (--label-column, --labels) or "
        "a file of pairs (--constraints)");
  ConstraintReport report{
      .must_link = listed(known.n_must_link(), known.extra_must_link(), known.must_link_pairs()),
      .cannot_link =
          listed(known.n_cannot_link(), known.extra_cannot_link(), known.cannot_link_pairs())};
  if (questions.measures_coherence || questions.selects)
    refuse_pair_weights("coherence", problem.known);
  if (questions.deduces) deduce(problem, true_labels, report);
  if (questions.closes) close(problem, report);
  if (questions.measures_coherence || questions.selects)
    measure_coherence(problem, questions.max_pairs, run, report);
  if (questions.selects) {
    keep_coherent(report.must_link, *report.coherence);
    keep_coherent(report.cannot_link, *report.coherence);
  }
  if (questions.measures_informativeness)
    report.informativeness = measure_informativeness(problem, questions, report, run);
  return report;
}

}  // namespace tamis::cli
