#include "support/golden.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "support/source_root.hpp"

namespace tamis::test {
namespace {

namespace fs = std::filesystem;
const fs::path kSourceRoot = source_root();

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',')
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

std::vector<RowPair> pairs_of(const nlohmann::json& list) {
  std::vector<RowPair> pairs;
  for (const auto& pair : list) pairs.push_back({pair[0].get<Index>(), pair[1].get<Index>()});
  return pairs;
}

/// A null is NaN.
std::vector<double> numbers_of(const nlohmann::json& list) {
  std::vector<double> numbers;
  for (const auto& value : list)
    numbers.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                      : value.get<double>());
  return numbers;
}

OptionTexts options_of(const nlohmann::json& item) {
  OptionTexts options;
  for (const auto& [option, value] : item["options"].items())
    options[option] = value.is_string() ? value.get<std::string>() : value.dump();
  return options;
}

GoldenCase case_of(const nlohmann::json& item) {
  return {item["method"], options_of(item), item["better"], numbers_of(item["scores"])};
}

GoldenPath path_of(const nlohmann::json& item) {
  GoldenPath result{{item["method"], options_of(item), "lower", numbers_of(item["places"])},
                    {item["path"], numbers_of(item["criterion"])},
                    std::nullopt};
  if (!item["selected"].is_null()) result.selected = item["selected"].get<std::vector<Index>>();
  return result;
}

GoldenTarget target_of(const nlohmann::json& item) {
  return {{"relieff",
           {{"n_neighbors", item["n_neighbors"].dump()}, {"rank_decay", item["rank_decay"].dump()}},
           item["better"],
           numbers_of(item["scores"])},
          numbers_of(item["target"])};
}

}  // namespace

Sample read_small_csv(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::string line;
  std::getline(file, line);
  const Index cols = std::ssize(split(line)) - 1;
  std::vector<double> values;
  std::vector<Index> labels;
  std::map<std::string, Index> number_of{{"", kUnlabeled}};
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line);
    if (std::ssize(cells) != cols + 1) continue;
    for (Index r = 0; r < cols; ++r) values.push_back(std::stod(cells[r]));
    labels.push_back(number_of.emplace(cells[cols], std::ssize(number_of) - 1).first->second);
  }
  Sample sample{Dense(std::ssize(labels), cols), labels};
  sample.x.values = std::move(values);
  return sample;
}

Golden load_golden(const std::string& name) {
  const fs::path folder = kSourceRoot / "tests" / "data" / "golden";
  std::ifstream file(folder / (name + ".json"));
  const nlohmann::json json = nlohmann::json::parse(file);
  Golden golden{.sample = read_small_csv(folder / (name + ".csv")),
                .cases = {},
                .paths = {},
                .rrelieff = target_of(json["rrelieff"]),
                .must_link = pairs_of(json["must_link"]),
                .cannot_link = pairs_of(json["cannot_link"])};
  for (const auto& item : json["scores"]) golden.cases.push_back(case_of(item));
  for (const auto& item : json["greedy"]) golden.paths.push_back(path_of(item));
  return golden;
}

std::string find_data(const std::string& file) {
  const char* const folder = std::getenv("TAMIS_DATA");
  const fs::path path = (folder ? fs::path(folder) : kSourceRoot / ".." / "shared" / "data") / file;
  return fs::exists(path) ? path.string() : "";
}

}  // namespace tamis::test
