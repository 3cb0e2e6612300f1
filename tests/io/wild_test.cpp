#include <nlohmann/json.hpp>

#include "files.hpp"

/// Text tables as people have them (tests/data/wild), and what each must be read as.
namespace tamis {
namespace {

using Json = nlohmann::json;

std::filesystem::path folder() { return source_root() / "tests/data/wild"; }

Json expectations() { return Json::parse(test::bytes_of((folder() / "expected.json").string())); }

ReadOptions options_of(const Json& wanted) {
  ReadOptions options;
  const Json& given = wanted.value("options", Json::object());
  if (given.contains("separator")) options.separator = given["separator"].get<std::string>()[0];
  if (given.contains("decimal")) options.decimal = given["decimal"].get<std::string>()[0];
  if (given.contains("drop")) options.drop = given["drop"].get<std::vector<std::string>>();
  return options;
}

Json values_of(const Table& table) {
  Json rows = Json::array();
  for (Index i = 0; i < table.rows(); ++i) {
    rows.push_back(Json::array());
    for (Index r = 0; r < table.cols(); ++r) {
      const double value = test::value_at(table, i, r);
      rows.back().push_back(std::isnan(value) ? Json(nullptr) : Json(value));
    }
  }
  return rows;
}

/// What was read, in the form of the expectation.
Json outcome_of(const std::string& name, const Json& wanted) {
  Json outcome = Json::object();
  if (wanted.contains("options")) outcome["options"] = wanted["options"];
  try {
    const Table table = read_table((folder() / name).string(), options_of(wanted));
    outcome["features"] = table.feature_names;
    outcome["values"] = values_of(table);
    if (!table.sample_ids.empty()) outcome["ids"] = table.sample_ids;
    if (!table.label_texts.empty()) outcome["labels"] = table.label_texts;
    outcome["notes"] = Json::array();
    for (const Note& note : table.notes) outcome["notes"].push_back(note.text);
  } catch (const DataError& error) {
    const std::string message = error.what();
    outcome["error"] = message.substr(message.find(name));
  }
  return outcome;
}

TEST(Wild, EveryTableIsReadAsExpected) {
  const Json expected = expectations();
  for (const auto& [name, wanted] : expected.items())
    EXPECT_EQ(outcome_of(name, wanted), wanted) << name;
}

TEST(Wild, EveryTableHasAnExpectation) {
  const Json expected = expectations();
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "expected.json" || expected.contains(name)) << name;
  }
}

}  // namespace
}  // namespace tamis
