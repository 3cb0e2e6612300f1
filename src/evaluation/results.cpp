#include "evaluation/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <set>

#include "results/json_fields.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::string_view kSchemaFamily = "tamis/results/";
constexpr std::string_view kSchema = "tamis/results/1";

/// @throws DataError unless low <= value <= high; a NaN is outside
template <class T>
void check_number(const std::string& field, T value, T low, T high) {
  if (!(value >= low && value <= high))
    throw DataError(fmt::format("{} = {} is not within {} and {}", field, value, low, high));
}

template <class T>
void check_numbers(const std::string& field, const std::vector<T>& values, T low, T high) {
  for (std::size_t i = 0; i < values.size(); ++i)
    check_number(fmt::format("{}[{}]", field, i), values[i], low, high);
}

void check_size(const std::string& field, std::size_t size, std::size_t wanted) {
  if (size != wanted)
    throw DataError(
        fmt::format("{} has {} entries for {} numbers of features", field, size, wanted));
}

constexpr Index kAnyCount = std::numeric_limits<Index>::max();

void check_facts(const ExperimentFacts& facts) {
  for (const DataSetFacts& data : facts.data_sets) {
    check_number("rows of " + data.name, data.rows, Index{1}, kAnyCount);
    check_number("features of " + data.name, data.features, Index{1}, kAnyCount);
    for (const auto& [name, rows] : data.classes)
      check_number(fmt::format("rows of class {} of {}", name, data.name), rows, Index{0},
                   data.rows);
  }
}

ExperimentFacts facts_of(const Json& object) {
  const auto schema = object.value("schema", std::string());
  if (schema != kSchema)
    throw DataError(schema.starts_with(kSchemaFamily)
                        ? fmt::format("schema {} is of another version of tamis; this one reads {}",
                                      schema, kSchema)
                        : "this is no results file of tamis evaluate");
  ExperimentFacts facts = read_json<ExperimentFacts>(object);
  check_facts(facts);
  return facts;
}

/// Refuses what the facts do not know, numbers that cannot be, what is there twice and lists that
/// do not fit: whoever reads results may rely on them.
class RunCheck {
 public:
  explicit RunCheck(const ExperimentFacts& facts) : facts_(facts) {}

  void operator()(const RunResult& run) {
    const auto data = std::ranges::find(facts_.data_sets, run.data_set, &DataSetFacts::name);
    if (data == facts_.data_sets.end())
      throw DataError(fmt::format("the first line has no data set '{}'", run.data_set));
    if (std::ranges::find(facts_.methods, run.method) == facts_.methods.end())
      throw DataError(fmt::format("the first line has no method '{}'", run.method));
    check_number("labels_per_class", run.labels_per_class, Index{0}, data->rows);
    check_number("run", run.run, Index{0}, kAnyCount);
    if (run.n_constraints) check_number("n_constraints", *run.n_constraints, Index{0}, kAnyCount);
    check_features(run, data->features);
    for (const ViewpointResult& view : run.views) check_view(view, run.lengths.size());
    if (run.kmeans) check_kmeans(*run.kmeans, run.lengths.size());
    check_costs(run);
    if (!seen_.insert(key_of(run)).second)
      throw DataError(fmt::format(
          "run {} of {} on {} with {} labels per class{} is there a second time", run.run,
          run.method, run.data_set, run.labels_per_class,
          run.n_constraints ? fmt::format(" and {} constraints", *run.n_constraints) : ""));
  }

 private:
  static void check_features(const RunResult& run, Index n_features) {
    check_numbers("lengths", run.lengths, Index{1}, n_features);
    if (std::ranges::adjacent_find(run.lengths, std::greater_equal{}) != run.lengths.end())
      throw DataError("lengths do not ascend");
    check_numbers("features", run.features, Index{0}, n_features - 1);
    if (std::set(run.features.begin(), run.features.end()).size() != run.features.size())
      throw DataError("features names a feature twice");
    if (run.mean_correlation.empty()) return;
    check_size("mean_correlation", run.mean_correlation.size(), run.lengths.size());
    for (const double rho : run.mean_correlation)
      if (!std::isnan(rho)) check_number("mean_correlation", rho, 0.0, kAlmostOne);
  }

  static void check_view(const ViewpointResult& view, std::size_t n_lengths) {
    check_size("accuracy", view.accuracy.size(), n_lengths);
    check_size("balanced_accuracy", view.balanced_accuracy.size(), n_lengths);
    check_numbers("accuracy", view.accuracy, 0.0, kAlmostOne);
    check_numbers("balanced_accuracy", view.balanced_accuracy, 0.0, kAlmostOne);
  }

  static void check_kmeans(const KmeansResult& kmeans, std::size_t n_lengths) {
    check_size("rand", kmeans.rand.size(), n_lengths);
    check_size("adjusted_rand", kmeans.adjusted_rand.size(), n_lengths);
    check_size("nmi", kmeans.nmi.size(), n_lengths);
    check_numbers("rand", kmeans.rand, 0.0, kAlmostOne);
    check_numbers("adjusted_rand", kmeans.adjusted_rand, -kAlmostOne, kAlmostOne);
    check_numbers("nmi", kmeans.nmi, 0.0, kAlmostOne);
  }

  static void check_costs(const RunResult& run) {
    constexpr double kLongest = 1e12;
    check_number("wall_seconds", run.wall_seconds, 0.0, kLongest);
    check_number("cpu_seconds", run.cpu_seconds, 0.0, kLongest);
    check_number("peak_memory_bytes", run.peak_memory_bytes, std::int64_t{0},
                 std::numeric_limits<std::int64_t>::max());
  }

  static constexpr double kAlmostOne = 1.0 + 1e-9;  // means of several draws are rounded

  const ExperimentFacts& facts_;
  std::set<RunKey> seen_ = {};
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

namespace {

/// @param start of the first line, which has no end
[[noreturn]] void refuse_without_lines(const std::string& name, std::string_view start) {
  const std::string opening = fmt::format(R"({{"schema":"{})", kSchemaFamily);
  const bool is_ours =
      !start.empty() && start.substr(0, opening.size()) == opening.substr(0, start.size());
  throw DataError(fmt::format("{}: {}", name,
                              is_ours ? "is cut off within its first line and holds no result: "
                                        "remove it and begin anew"
                                      : "there is no whole line of results"));
}

}  // namespace

ResultsFile read_results(std::istream& stream, const std::string& name) {
  ResultsFile file;
  RunCheck check(file.results.facts);
  std::int64_t offset = 0;
  Index number = 0;
  std::string line;
  while (std::getline(stream, line)) {
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
  if (number == 0) refuse_without_lines(name, line);
  return file;
}

}  // namespace tamis
