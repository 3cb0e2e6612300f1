#include "evaluation/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <tuple>

#include "results/json_fields.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::string_view kSchemaFamily = "tamis/results/";
constexpr std::string_view kSchema = "tamis/results/1";

ExperimentFacts facts_of(const Json& object) {
  const auto schema = object.value("schema", std::string());
  if (schema != kSchema)
    throw DataError(schema.starts_with(kSchemaFamily)
                        ? fmt::format("schema {} is of another version of tamis; this one reads {}",
                                      schema, kSchema)
                        : "this is no results file of tamis evaluate");
  return read_json<ExperimentFacts>(object);
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
  Json object = {{"schema", kSchema}};
  object.update(json_of(facts));
  return json_line(object);
}

std::string to_json_line(const RunResult& run) { return json_line(json_of(run)); }

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
        file.results.runs.push_back(read_json<RunResult>(object));
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
