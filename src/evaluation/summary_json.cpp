#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "evaluation/summary.hpp"

namespace tamis {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return json_number<Json>(value); }
Json numbers(const std::vector<double>& values) { return json_numbers<Json>(values); }

Json stability_json(const std::optional<Stability>& stability) {
  if (!stability) return nullptr;
  return {{"sets", stability->sets},
          {"set_size", stability->set_size},
          {"nogueira", number(stability->nogueira)},
          {"nogueira_low", number(stability->nogueira_low)},
          {"nogueira_high", number(stability->nogueira_high)},
          {"kuncheva", number(stability->kuncheva)}};
}

Json method_json(const MethodSummary& method) {
  return {{"method", method.method},
          {"runs", method.curve.runs},
          {"failures", method.failures},
          {"mean", number(method.mean)},
          {"deviation", number(method.deviation)},
          {"per_run", numbers(method.per_run)},
          {"lengths", method.curve.lengths},
          {"mean_by_length", numbers(method.curve.mean)},
          {"deviation_by_length", numbers(method.curve.deviation)},
          {"one_error_choice", method.curve.one_error_choice},
          {"beats_random", method.beats_random},
          {"mean_correlation", number(method.mean_correlation)},
          {"stability", stability_json(method.stability)},
          {"cpu_seconds", number(method.cpu_seconds)},
          {"peak_memory_bytes", method.peak_memory_bytes}};
}

Json data_set_json(const DataSetSummary& data) {
  Json methods = Json::array();
  for (const MethodSummary& method : data.methods) methods.push_back(method_json(method));
  return {{"data_set", data.data_set},
          {"labels_per_class", data.labels_per_class},
          {"view", word_of(data.view)},
          {"methods", std::move(methods)}};
}

Json friedman_json(const Comparison& comparison) {
  if (!comparison.friedman) return nullptr;
  const FriedmanTest& test = *comparison.friedman;
  return {{"data_sets", test.data_sets},
          {"average_ranks", numbers(test.average_ranks)},
          {"chi_square", number(test.chi_square)},
          {"chi_square_p", number(test.chi_square_p)},
          {"f", number(test.f)},
          {"f_p", number(test.f_p)},
          {"critical_difference_05", number(comparison.critical_difference_05)},
          {"critical_difference_10", number(comparison.critical_difference_10)}};
}

Json comparison_json(const Comparison& comparison) {
  Json counts = Json::array();
  for (const auto& [wins, ties, losses] : comparison.win_tie_loss)
    counts.push_back(Json::array({wins, ties, losses}));
  Json against_random = Json::array();
  for (const SignTest& test : comparison.against_random)
    against_random.push_back({{"wins", test.wins},
                              {"comparisons", test.comparisons},
                              {"p_better", number(test.p_better)},
                              {"p_value", number(test.p_value)}});
  return {{"labels_per_class", comparison.labels_per_class},
          {"view", word_of(comparison.view)},
          {"methods", comparison.methods},
          {"friedman", friedman_json(comparison)},
          {"win_tie_loss", std::move(counts)},
          {"against_random", std::move(against_random)}};
}

}  // namespace

std::string to_json_line(const ExperimentFacts& facts, const Summary& summary) {
  Json object = Json::parse(to_json_line(facts));
  object["schema"] = "tamis/summary/1";
  object["summary"] = Json::array();
  for (const DataSetSummary& data : summary.data_sets)
    object["summary"].push_back(data_set_json(data));
  object["comparisons"] = Json::array();
  for (const Comparison& comparison : summary.comparisons)
    object["comparisons"].push_back(comparison_json(comparison));
  return json_line(object);
}

}  // namespace tamis
