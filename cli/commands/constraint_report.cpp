#include "cli/commands/constraint_report.hpp"

#include <algorithm>

#include "clustering/kmeans/kmeans.hpp"
#include "constraints/closure.hpp"
#include "constraints/coherence.hpp"
#include "constraints/constraint_set.hpp"

namespace tamis::cli {
namespace {

LinkReport listed(Index all, std::span<const RowPair> extra, std::vector<RowPair> pairs) {
  return {.from_labels = all - std::ssize(extra),
          .from_pairs = std::ssize(extra),
          .pairs = std::move(pairs)};
}

void close(const Problem& problem, ConstraintReport& report) {
  PairConstraints closed = closure({.must_link = std::move(report.must_link.pairs),
                                    .cannot_link = std::move(report.cannot_link.pairs)},
                                   problem.rows(), problem.known);
  const auto take = [](LinkReport& links, std::vector<RowPair>& pairs) {
    links.implied = std::ssize(pairs) - links.from_labels - links.from_pairs;
    links.pairs = std::move(pairs);
  };
  take(report.must_link, closed.must_link);
  take(report.cannot_link, closed.cannot_link);
}

/// Keeps the pairs that are as coherent as the set, with their coherence, and moves the others to
/// `dropped`.
void keep_coherent(LinkReport& links, double of_set) {
  LinkReport kept{
      .from_labels = links.from_labels, .from_pairs = links.from_pairs, .implied = links.implied};
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

ConstraintReport examine_constraints(const Problem& problem, const ConstraintQuestions& questions,
                                     const Run& run) {
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
