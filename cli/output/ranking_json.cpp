#include "cli/output/json.hpp"
#include "cli/output/ranking_output.hpp"
#include "core/peak_memory.hpp"

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

Json stability_json(const Stability& stability) {
  return {{"sets", stability.sets},
          {"set_size", stability.set_size},
          {"nogueira", number(stability.nogueira)},
          {"nogueira_low", number(stability.nogueira_low)},
          {"nogueira_high", number(stability.nogueira_high)},
          {"kuncheva", number(stability.kuncheva)}};
}

Json committee_json(const Committee& committee) {
  return {
      {"members", committee.members},
      {"draws", committee.draws},
      {"mean", numbers(committee.mean)},
      {"standard_error", numbers(committee.standard_error)},
      {"best_share", numbers(committee.best_share)},
      {"stability", committee.stability ? stability_json(*committee.stability) : Json(nullptr)}};
}

Json curve_json(const GainCurve& curve) {
  return {{"n_features", curve.n_features},
          {"gains", numbers(curve.gains)},
          {"shadow_gains", numbers(curve.shadow_gains)}};
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

std::string ranking_json(const Arguments& arguments, const RankingPlan& plan,
                         const RankingRun& run) {
  Json object = {{"schema", "tamis/ranking/1"}, {"version", TAMIS_VERSION}};
  object.update(run_json(arguments, plan, run.data));
  object["better"] = name_of(run.ranking.better);
  object["names"] = run.data.problem.feature_names;
  object["scores"] = numbers(run.ranking.scores);
  object["order"] = run.ranking.order;
  object["selected"] = or_null(run.selected);
  if (const auto& committee = run.ranking.committee)
    object["committee"] = committee_json(*committee);
  if (const auto& redundancy = run.ranking.redundancy)
    object["redundancy"] = redundancy_json(*redundancy);
  if (const auto& curve = run.ranking.curve) object["curve"] = curve_json(*curve);
  object["diagnostics"] = diagnostics_json(run.ranking.diagnostics);
  object["seconds"] = run.seconds;
  object["peak_memory_bytes"] = peak_memory_bytes();
  return json_line(object);
}

}  // namespace tamis::cli
