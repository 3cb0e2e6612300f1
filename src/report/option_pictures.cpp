#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "report/experiment_pictures.hpp"
#include "report/line_picture.hpp"

namespace tamis {
namespace {

constexpr std::size_t kFewestValues = 3;

/// Methods that differ in the value of one option, by that value.
struct Family {
  std::string name;
  std::map<double, std::string> calls = {};
};

std::optional<double> number_in(const OptionValue& value) {
  if (const auto* const whole = std::get_if<Index>(&value)) return static_cast<double>(*whole);
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

std::string name_of_call(const std::string& call) { return call.substr(0, call.find(':')); }

/// All that a method is but for the value of one option.
std::string rest_of(const MethodFacts& method, std::string_view option) {
  std::string rest = name_of_call(method.method);
  for (const auto& [name, value] : method.options)
    if (name != option) rest += fmt::format(",{}={}", name, to_text(value));
  return rest;
}

/// The methods that differ in nothing but this option.
std::vector<Family> families_by(const ExperimentFacts& facts, const std::string& option) {
  std::map<std::string, Family> by_rest;
  for (const MethodFacts& method : facts.options)
    for (const auto& [name, value] : method.options) {
      const auto number = number_in(value);
      if (name != option || !number) continue;
      Family& family = by_rest[rest_of(method, option)];
      family.name = name_of_call(method.method);
      family.calls.emplace(*number, method.method);
    }
  std::vector<Family> families;
  for (auto& [rest, family] : by_rest)
    if (family.calls.size() >= kFewestValues) families.push_back(std::move(family));
  return families;
}

std::set<std::string> option_names(const ExperimentFacts& facts) {
  std::set<std::string> names;
  for (const MethodFacts& method : facts.options)
    for (const auto& [name, value] : method.options) names.insert(name);
  return names;
}

Picture option_picture(const std::string& option, const std::vector<Family>& families,
                       const DataSetSummary& summary) {
  LinePicture picture{
      .chart = {.description = fmt::format("Line chart: accuracy on {} against {}, {} view.",
                                           summary.data_set, option, word_of(summary.view)),
                .x_title = option,
                .y_title = "accuracy",
                .counts = false},
      .data = {.file = csv_name("accuracy-by-" + file_name_part(option), summary),
               .columns = {"method", option, "mean", "deviation", "runs"}}};
  for (const Family& family : families) {
    LineChart::Line line{.name = family.name};
    for (const auto& [value, call] : family.calls) {
      const auto method = std::ranges::find(summary.methods, call, &MethodSummary::method);
      if (method == summary.methods.end() || method->per_run.empty()) continue;
      line.marks.push_back({value, method->mean, method->deviation});
      picture.data.rows.push_back(
          {call, value, method->mean, method->deviation, method->curve.runs});
    }
    if (!line.marks.empty()) picture.add(std::move(line));
  }
  return picture.finished(
      fmt::format("Accuracy against {}, {} view", option, word_of(summary.view)),
      "Mean over all numbers of features and the runs, band of one standard "
      "deviation.");
}

}  // namespace

std::vector<Picture> option_pictures(const ExperimentFacts& facts, const DataSetSummary& summary) {
  std::vector<Picture> pictures;
  for (const std::string& option : option_names(facts))
    if (const std::vector<Family> families = families_by(facts, option); !families.empty())
      pictures.push_back(option_picture(option, families, summary));
  return pictures;
}

}  // namespace tamis
