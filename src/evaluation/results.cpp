#include "evaluation/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "core/json_values.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchemaFamily = "tamis/results/";
constexpr std::string_view kSchema = "tamis/results/1";

std::vector<double> numbers_of(const Json& array) {
  std::vector<double> values;
  for (const Json& value : array)
    values.push_back(value.is_null() ? kUndefined : value.get<double>());
  return values;
}

Json json_of(const DataSetFacts& data) {
  return {{"name", data.name},      {"file", data.file},         {"hash", data.hash},
          {"rows", data.rows},      {"features", data.features}, {"labeled", data.labeled()},
          {"classes", data.classes}};
}

DataSetFacts data_set_of(const Json& object) {
  return {.name = object.at("name"),
          .file = object.at("file"),
          .hash = object.at("hash"),
          .rows = object.at("rows"),
          .features = object.at("features"),
          .classes = object.at("classes").get<std::vector<std::pair<std::string, Index>>>()};
}

OptionValue setting_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<Index>();
  if (value.is_number()) return value.get<double>();
  return value.get<std::string>();
}

View view_of(const std::string& word) {
  for (const auto& [name, view] : option_words(View{}))
    if (name == word) return view;
  throw DataError(fmt::format("there is no view '{}'", word));
}

ExperimentFacts facts_of(const Json& object) {
  const auto schema = object.value("schema", std::string());
  if (schema != kSchema)
    throw DataError(schema.starts_with(kSchemaFamily)
                        ? fmt::format("schema {} is of another version of tamis; this one reads {}",
                                      schema, kSchema)
                        : "this is no results file of tamis evaluate");
  ExperimentFacts facts{.version = object.at("version"),
                        .command = object.at("command"),
                        .seed = object.at("seed"),
                        .protocol = object.at("protocol"),
                        .methods = object.at("methods").get<std::vector<std::string>>()};
  for (const auto& [name, value] : object.at("settings").items())
    facts.settings.emplace_back(name, setting_of(value));
  for (const Json& data : object.at("data_sets")) facts.data_sets.push_back(data_set_of(data));
  return facts;
}

RunResult run_of(const Json& object) {
  RunResult run{.data_set = object.at("data_set"),
                .labels_per_class = object.at("labels_per_class"),
                .run = object.at("run"),
                .method = object.at("method"),
                .lengths = object.at("lengths").get<std::vector<Index>>(),
                .features = object.at("features").get<std::vector<Index>>(),
                .mean_correlation = numbers_of(object.at("mean_correlation")),
                .wall_seconds = object.at("wall_seconds"),
                .cpu_seconds = object.at("cpu_seconds"),
                .peak_memory_bytes = object.at("peak_memory_bytes"),
                .warnings = object.at("warnings").get<std::vector<std::string>>()};
  for (const Json& view : object.at("views"))
    run.views.push_back({.view = view_of(view.at("view")),
                         .accuracy = numbers_of(view.at("accuracy")),
                         .balanced_accuracy = numbers_of(view.at("balanced_accuracy"))});
  if (!object.at("failure").is_null()) run.failure = object.at("failure").get<std::string>();
  return run;
}

/// Refuses what the facts do not know, what is there twice and lists that do not fit.
class RunCheck {
 public:
  explicit RunCheck(const ExperimentFacts& facts) : facts_(facts) {}

  void operator()(const RunResult& run) {
    if (std::ranges::find(facts_.data_sets, run.data_set, &DataSetFacts::name) ==
        facts_.data_sets.end())
      throw DataError(fmt::format("the first line has no data set '{}'", run.data_set));
    if (std::ranges::find(facts_.methods, run.method) == facts_.methods.end())
      throw DataError(fmt::format("the first line has no method '{}'", run.method));
    for (const ViewResult& view : run.views)
      if (view.accuracy.size() != run.lengths.size() ||
          view.balanced_accuracy.size() != run.lengths.size())
        throw DataError(fmt::format("{} numbers of features have {} and {} accuracies",
                                    run.lengths.size(), view.accuracy.size(),
                                    view.balanced_accuracy.size()));
    if (!seen_.emplace(run.data_set, run.labels_per_class, run.run, run.method).second)
      throw DataError(
          fmt::format("run {} of {} on {} with {} labels per class is there a second time", run.run,
                      run.method, run.data_set, run.labels_per_class));
  }

 private:
  const ExperimentFacts& facts_;
  std::set<std::tuple<std::string, Index, Index, std::string>> seen_ = {};
};

}  // namespace

Index DataSetFacts::labeled() const {
  Index sum = 0;
  for (const auto& entry : classes) sum += entry.second;
  return sum;
}

std::string to_json_line(const ExperimentFacts& facts) {
  Json settings = Json::object();
  for (const auto& [name, value] : facts.settings)
    std::visit([&, key = name](const auto& v) { settings[key] = v; }, value);
  Json data_sets = Json::array();
  for (const DataSetFacts& data : facts.data_sets) data_sets.push_back(json_of(data));
  return json_line(Json{{"schema", kSchema},
                        {"version", facts.version},
                        {"command", facts.command},
                        {"seed", facts.seed},
                        {"protocol", facts.protocol},
                        {"settings", std::move(settings)},
                        {"methods", facts.methods},
                        {"data_sets", std::move(data_sets)}});
}

std::string to_json_line(const RunResult& run) {
  Json views = Json::array();
  for (const ViewResult& view : run.views)
    views.push_back({{"view", word_of(view.view)},
                     {"accuracy", json_numbers<Json>(view.accuracy)},
                     {"balanced_accuracy", json_numbers<Json>(view.balanced_accuracy)}});
  return json_line(Json{{"data_set", run.data_set},
                        {"labels_per_class", run.labels_per_class},
                        {"run", run.run},
                        {"method", run.method},
                        {"lengths", run.lengths},
                        {"features", run.features},
                        {"views", std::move(views)},
                        {"mean_correlation", json_numbers<Json>(run.mean_correlation)},
                        {"wall_seconds", run.wall_seconds},
                        {"cpu_seconds", run.cpu_seconds},
                        {"peak_memory_bytes", run.peak_memory_bytes},
                        {"warnings", run.warnings},
                        {"failure", run.failure ? Json(*run.failure) : Json(nullptr)}});
}

ResultsFile read_results(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
  return read_results(stream, path);
}

ResultsFile read_results(std::istream& stream, const std::string& name) {
  ResultsFile file;
  RunCheck check(file.results.facts);
  std::int64_t offset = 0;
  Index number = 0;
  for (std::string line; std::getline(stream, line);) {
    if (stream.eof()) {
      file.incomplete_from = offset;
      break;
    }
    offset += std::ssize(line) + 1;
    ++number;
    try {
      const Json object = Json::parse(line);
      if (number == 1) {
        file.results.facts = facts_of(object);
      } else {
        file.results.runs.push_back(run_of(object));
        check(file.results.runs.back());
      }
    } catch (const DataError& error) {
      throw DataError(fmt::format("{}:{}: {}", name, number, error.what()));
    } catch (const Json::exception&) {
      throw DataError(fmt::format("{}:{}: this is no {} of a results file", name, number,
                                  number == 1 ? "first line" : "run"));
    }
  }
  if (stream.bad()) throw IoError(fmt::format("{}: {}", name, std::strerror(errno)));
  if (number == 0) throw DataError(fmt::format("{}: there is no whole line of results", name));
  return file;
}

}  // namespace tamis
