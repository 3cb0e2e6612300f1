#include "cli/json.hpp"
#include "cli/ranking_output.hpp"

namespace tamis::cli {
namespace {

Json diagnostics_json(const Diagnostics& seen) {
  Json figures = Json::object();
  for (const auto& [name, value] : seen.figures) figures[name] = number(value);
  return {{"undefined", seen.undefined},
          {"converged", seen.converged},
          {"iterations", seen.iterations},
          {"edges", or_null(seen.edges)},
          {"effective_edges", or_null(seen.effective_edges)},
          {"dropped_constraints", seen.dropped_constraints},
          {"figures", figures},
          {"warnings", seen.warnings}};
}

Json redundancy_json(const Redundancy& redundancy) {
  Json tree = Json::array();
  for (const auto& [first, second, correlation] : redundancy.tree)
    tree.push_back(Json::array({first, second, correlation}));
  Json removed = Json::array();
  for (const auto& [feature, because_of, correlation] : redundancy.removed)
    removed.push_back(
        {{"feature", feature}, {"because_of", because_of}, {"correlation", correlation}});
  return {{"tree", tree},
          {"removed", removed},
          {"rate", redundancy.rate},
          {"mean_abs_correlation", redundancy.mean_abs_correlation}};
}

}  // namespace

std::string ranking_json(const Arguments& arguments, const MethodChoice& choice,
                         const RankingRun& run) {
  Json object = {{"schema", "tamis/ranking/1"},
                 {"version", TAMIS_VERSION},
                 {"method", choice.method->info.name},
                 {"options", options_json(choice.resolved)},
                 {"seed", seed_of(arguments)},
                 {"data", data_json(arguments, run.data)},
                 {"better", name_of(run.ranking.better)},
                 {"names", run.data.problem.feature_names},
                 {"scores", numbers(run.ranking.scores)},
                 {"order", run.ranking.order},
                 {"selected", or_null(run.selected)}};
  if (const auto& redundancy = run.ranking.redundancy)
    object["redundancy"] = redundancy_json(*redundancy);
  object["diagnostics"] = diagnostics_json(run.ranking.diagnostics);
  object["seconds"] = run.seconds;
  object["peak_memory_bytes"] = peak_memory_bytes();
  return json_line(object);
}

}  // namespace tamis::cli
