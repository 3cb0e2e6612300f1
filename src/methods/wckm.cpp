#include "tamis/methods/wckm.hpp"

#include "methods/preconditions.hpp"
#include "methods/wckm_run.hpp"

namespace tamis {
namespace {

RunsInMemory<Wckm> run_wckm(const Problem& problem, const WckmOptions& options,
                            const ClusterGiven& given, const Run& run) {
  check_needs(options.info, problem);
  return {problem, options, given,
          plan_of(options, problem.known, problem.rows(), problem.cols(), given), run};
}

}  // namespace

Ranking wckm(const Problem& problem, const WckmOptions& options, const Run& run) {
  check_rankable(options);
  rankable_columns(options.info, problem);
  Diagnostics diagnostics;
  warn_if_unsupervised(options.info, problem.known, diagnostics);
  const RunsInMemory<Wckm> runs = run_wckm(problem, options, {}, run);
  return ranking_of(runs.all, runs.setting, options, std::move(diagnostics));
}

Clustering wckm_clustering(const Problem& problem, const WckmOptions& options,
                           const ClusterGiven& given, const Run& run) {
  RunsInMemory<Wckm> runs = run_wckm(problem, options, given, run);
  WckmResult& best = runs.all.runs.best;
  Clustering clustering = std::move(best.clustering);
  clustering.memberships = memberships(runs.setting, best.recipe);
  clustering.warnings = std::move(runs.all.warnings);
  return clustering;
}

}  // namespace tamis
