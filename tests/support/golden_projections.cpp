#include "support/golden_projections.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/source_root.hpp"

namespace tamis::test {

std::vector<GoldenProjection> load_golden_projections(const std::string& name) {
  std::ifstream file(source_root() / "tests" / "data" / "golden" / (name + ".json"));
  const nlohmann::json json = nlohmann::json::parse(file);
  std::vector<GoldenProjection> all;
  for (const auto& item : json["projections"]) {
    GoldenProjection golden{.method = item["method"],
                            .options = {},
                            .eigenvalues = item["eigenvalues"],
                            .components = {},
                            .mean = item["mean"]};
    for (const auto& [option, value] : item["options"].items())
      golden.options[option] = value.is_string() ? value.get<std::string>() : value.dump();
    for (const auto& component : item["components"])
      for (const auto& entry : component) golden.components.push_back(entry);
    all.push_back(std::move(golden));
  }
  return all;
}

}  // namespace tamis::test
