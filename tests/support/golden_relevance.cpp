#include "support/golden_relevance.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/golden.hpp"
#include "support/source_root.hpp"

namespace tamis::test {
namespace {

nlohmann::json relevance_json(const std::string& name) {
  const std::filesystem::path root = source_root();
  std::ifstream file(root / "tests" / "data" / "golden" / (name + ".json"));
  return nlohmann::json::parse(file)["relevance"];
}

std::vector<double> numbers(const nlohmann::json& list) {
  std::vector<double> values;
  for (const auto& item : list) values.push_back(item.is_null() ? kUndefined : item.get<double>());
  return values;
}

std::vector<std::optional<Part>> parts(const nlohmann::json& list) {
  std::vector<std::optional<Part>> values;
  for (const auto& item : list) {
    auto& part = values.emplace_back();
    for (const auto& [word, value] : option_words(Part{}))
      if (item == word) part = value;
  }
  return values;
}

}  // namespace

std::vector<GoldenRelevance> load_golden_relevance(const std::string& name) {
  const nlohmann::json json = relevance_json(name);
  std::vector<Index> folds;
  for (const auto& fold : json["folds"]) folds.push_back(fold.is_null() ? -1 : fold.get<Index>());
  const Golden golden = load_golden(name);
  std::vector<GoldenRelevance> cases;
  for (const auto& item : json["cases"]) {
    GoldenRelevance golden_case{.sample = golden.sample, .folds = folds};
    const std::string known = item["known"];
    if (known != "labels") golden_case.sample.labels.clear();
    if (known == "pairs")
      golden_case.sample.pairs =
          PairConstraints{.must_link = golden.must_link, .cannot_link = golden.cannot_link};
    golden_case.title = name + ", " + known + ", null " + item["null"].get<std::string>() +
                        ", fdr " + item["fdr"].dump();
    golden_case.relevance = {.null = item["null"] == "labels" ? Null::labels : Null::table,
                             .fdr = item["fdr"],
                             .p = numbers(item["p"]),
                             .q = numbers(item["q"]),
                             .part = parts(item["part"]),
                             .step_p = numbers(item["step_p"]),
                             .n_backed = item["n_backed"],
                             .n_relevant = item["n_relevant"]};
    golden_case.order = item["order"].get<std::vector<Index>>();
    golden_case.gains = numbers(item["gains"]);
    cases.push_back(std::move(golden_case));
  }
  return cases;
}

GoldenTail load_golden_tail(const std::string& name) {
  const nlohmann::json json = relevance_json(name)["log_tail"];
  return {.eigenvalues = json["eigenvalues"],
          .dimension = json["dimension"],
          .x = json["x"],
          .log_p = json["log_p"]};
}

}  // namespace tamis::test
