#pragma once

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "support/golden.hpp"
#include "support/source_root.hpp"

namespace tamis::test {

/// What a golden file says of a method whose draws it gives, and its table with classes numbered by
/// their names.
struct GoldenDraws {
  Sample sample;
  nlohmann::json values;
};

inline GoldenDraws load_golden_draws(const std::string& name, const std::string& method) {
  const auto folder = source_root() / "tests" / "data" / "golden";
  GoldenDraws golden{load_golden(name).sample, {}};
  std::ifstream json(folder / (name + ".json"));
  golden.values = nlohmann::json::parse(json)[method];
  std::ifstream csv(folder / (name + ".csv"));
  std::string line;
  std::getline(csv, line);
  std::map<std::string, Index> by_name;
  std::vector<std::string> classes;
  while (std::getline(csv, line)) {
    classes.push_back(line.substr(line.rfind(',') + 1));
    if (!classes.back().empty()) by_name.emplace(classes.back(), 0);
  }
  Index number = 0;
  for (auto& [class_name, label] : by_name) label = number++;
  for (std::size_t i = 0; i < golden.sample.labels.size(); ++i)
    if (golden.sample.labels[i] != kUnlabeled) golden.sample.labels[i] = by_name.at(classes[i]);
  return golden;
}

}  // namespace tamis::test
