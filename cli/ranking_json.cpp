#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/ranking_output.hpp"

namespace tamis::cli {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no word for what is not finite: undefined is null, infinities are strings.
Json number(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json numbers(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number(value));
  return array;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json options_json(const NamedValues& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values)
    std::visit([&, key = name](const auto& v) { object[key] = v; }, value);
  return object;
}

Json data_json(const Arguments& arguments, const LoadedProblem& data) {
  const Problem& problem = data.problem;
  return {{"file", arguments.operands.front()},
          {"format", name_of(data.table.format)},
          {"rows", problem.rows()},
          {"features", problem.cols()},
          {"labeled", labeled_rows(problem).size()},
          {"classes", rows_by_class(problem).size()},
          {"must_link", data.must_link},
          {"cannot_link", data.cannot_link},
          {"sparse", problem.matrix.is_sparse()},
          {"precision", problem.matrix.is_single() ? "single" : "double"},
          {"scale", arguments.text("scale", "none")}};
}

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

}  // namespace

std::string ranking_json(const Arguments& arguments, const MethodChoice& choice,
                         const RankingRun& run) {
  const Json object = {{"schema", "tamis/ranking/1"},
                       {"version", TAMIS_VERSION},
                       {"method", choice.method->info.name},
                       {"options", options_json(choice.resolved)},
                       {"seed", seed_of(arguments)},
                       {"data", data_json(arguments, run.data)},
                       {"better", name_of(run.ranking.better)},
                       {"names", run.data.problem.feature_names},
                       {"scores", numbers(run.ranking.scores)},
                       {"order", run.ranking.order},
                       {"selected", or_null(run.selected)},
                       {"diagnostics", diagnostics_json(run.ranking.diagnostics)},
                       {"seconds", run.seconds},
                       {"peak_memory_bytes", peak_memory_bytes()}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tamis::cli
