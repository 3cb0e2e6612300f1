#include "support/golden_clustering.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/golden.hpp"
#include "support/source_root.hpp"

namespace tamis::test {
namespace {

/// The numbers of a list, or of a list of lists; none if it is not there.
std::vector<double> numbers_at(const nlohmann::json& json, const char* key) {
  std::vector<double> numbers;
  if (!json.contains(key)) return numbers;
  for (const auto& item : json[key]) {
    if (item.is_array())
      for (const auto& inner : item) numbers.push_back(inner.get<double>());
    else
      numbers.push_back(item.get<double>());
  }
  return numbers;
}

}  // namespace

GoldenClustering load_golden_clustering(const std::string& name, const std::string& method) {
  std::ifstream file(source_root() / "tests/data/golden" / (name + ".json"));
  const nlohmann::json json = nlohmann::json::parse(file)[method];
  GoldenClustering golden{.sample = load_golden(name).sample,
                          .beta = json["beta"],
                          .centroids = numbers_at(json, "centroids"),
                          .weights = numbers_at(json, "weights"),
                          .objectives = numbers_at(json, "objective"),
                          .final_weights = numbers_at(json, "final_weights"),
                          .local_weights = numbers_at(json, "local_weights"),
                          .memberships = numbers_at(json, "memberships")};
  for (const double cluster : numbers_at(json, "assignment"))
    golden.assignment.push_back(static_cast<Index>(cluster));
  return golden;
}

}  // namespace tamis::test
