#include "tamis/methods/l2gfs.hpp"

#include "methods/l2gfs_run.hpp"
#include "methods/preconditions.hpp"

namespace tamis {
namespace {

RunsInMemory<L2gfs> run_l2gfs(const Problem& problem, const L2gfsOptions& options,
                              const ClusterGiven& given, const Run& run) {
  check_needs(options.info, problem);
  return {problem, options, given,
          plan_of(options, problem.known, problem.rows(), problem.cols(), given), run};
}

}  // namespace

Ranking l2gfs(const Problem& problem, const L2gfsOptions& options, const Run& run) {
  rankable_columns(options.info, problem);
  Diagnostics diagnostics;
  warn_if_unsupervised(options.info, problem.known, diagnostics);
  const RunsInMemory<L2gfs> runs = run_l2gfs(problem, options, {}, run);
  return ranking_of(runs.all, runs.setting, options, std::move(diagnostics));
}

Clustering l2gfs_clustering(const Problem& problem, const L2gfsOptions& options,
                            const ClusterGiven& given, const Run& run) {
  RunsInMemory<L2gfs> runs = run_l2gfs(problem, options, given, run);
  Clustering clustering = std::move(runs.all.runs.best.clustering);
  clustering.warnings = std::move(runs.all.warnings);
  return clustering;
}

}  // namespace tamis
