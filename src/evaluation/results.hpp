#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tamis/core/options.hpp"

namespace tamis {

/// A data set of an experiment.
struct DataSetFacts {
  std::string name;  ///< unique within the experiment
  std::string file;
  std::string hash;  ///< of table and labels, 16 hexadecimal digits
  Index rows = 0;
  Index features = 0;
  std::vector<std::pair<std::string, Index>> classes = {};  ///< name, rows

  Index labeled() const;  ///< rows that have a class

  static constexpr auto fields() {
    using Self = DataSetFacts;
    return field_list(named("name", &Self::name), named("file", &Self::file),
                      named("hash", &Self::hash), named("rows", &Self::rows),
                      named("features", &Self::features), named("labeled", &Self::labeled),
                      named("classes", &Self::classes));
  }
};

/// A method as it competed.
struct MethodFacts {
  std::string method;        ///< the call
  NamedValues options = {};  ///< every one, resolved

  static constexpr auto fields() {
    using Self = MethodFacts;
    return field_list(named("method", &Self::method),
                      named("options", &Self::options, Form::object));
  }
};

/// What was compared, and how: enough to run it again.
struct ExperimentFacts {
  std::string version;
  std::string command;  ///< as typed
  std::uint64_t seed = 0;
  std::string protocol;
  NamedValues settings = {};              ///< every setting of the protocol, resolved
  std::vector<std::string> methods = {};  ///< as calls ("cls:n_neighbors=5"), controls included
  std::vector<MethodFacts> options = {};  ///< of the methods; controls and older files have none
  std::vector<DataSetFacts> data_sets = {};

  static constexpr auto fields() {
    using Self = ExperimentFacts;
    return field_list(
        named("version", &Self::version), named("command", &Self::command),
        named("seed", &Self::seed), named("protocol", &Self::protocol),
        named("settings", &Self::settings, Form::object), named("methods", &Self::methods),
        named("options", &Self::options, Form::if_set), named("data_sets", &Self::data_sets));
  }
};

/// Which labels a classifier sees: all of the training rows, or only the few that the method saw.
enum class Viewpoint { transfer, realistic };
constexpr auto option_words(Viewpoint) {
  return std::array{std::pair{std::string_view("transfer"), Viewpoint::transfer},
                    std::pair{std::string_view("realistic"), Viewpoint::realistic}};
}

/// How well the first 1, 2, ... features of a ranking served in one view.
struct ViewpointResult {
  Viewpoint view = Viewpoint::transfer;
  std::vector<double> accuracy = {};  ///< one per entry of RunResult::lengths
  std::vector<double> balanced_accuracy = {};

  static constexpr auto fields() {
    using Self = ViewpointResult;
    return field_list(named("view", &Self::view), named("accuracy", &Self::accuracy),
                      named("balanced_accuracy", &Self::balanced_accuracy));
  }
};

/// How well clusters that k-means makes of the test rows agree with their classes, by length.
struct KmeansResult {
  std::vector<double> rand = {};
  std::vector<double> adjusted_rand = {};
  std::vector<double> nmi = {};

  static constexpr auto fields() {
    using Self = KmeansResult;
    return field_list(named("rand", &Self::rand), named("adjusted_rand", &Self::adjusted_rand),
                      named("nmi", &Self::nmi));
  }
};

/// One method on one split of one data set. A method that keeps fewer features than a length asks
/// for serves with all that it kept.
struct RunResult {
  std::string data_set;
  Index labels_per_class = 0;
  /// If methods see pairs and no labels: how many of those that the labels imply.
  std::optional<Index> n_constraints = std::nullopt;
  Index run = 0;
  std::string method;
  std::vector<Index> lengths = {};  ///< numbers of features, ascending
  /// Best first, as many as the last length at most; empty for all and for random features.
  std::vector<Index> features = {};
  std::vector<ViewpointResult> views = {};
  std::optional<KmeansResult> kmeans = std::nullopt;
  /// Mean |rho| of the features in the training rows, by length; NaN where it would cost too much.
  std::vector<double> mean_correlation = {};
  double wall_seconds = 0.0;  ///< of the ranking
  double cpu_seconds = 0.0;
  std::int64_t peak_memory_bytes = 0;  ///< of the process so far
  std::vector<std::string> warnings = {};
  std::optional<std::string> failure = std::nullopt;  ///< why there is no ranking

  static constexpr auto fields() {
    using Self = RunResult;
    return field_list(
        named("data_set", &Self::data_set), named("labels_per_class", &Self::labels_per_class),
        named("n_constraints", &Self::n_constraints, Form::if_set), named("run", &Self::run),
        named("method", &Self::method), named("lengths", &Self::lengths),
        named("features", &Self::features), named("views", &Self::views),
        named("kmeans", &Self::kmeans, Form::if_set),
        named("mean_correlation", &Self::mean_correlation),
        named("wall_seconds", &Self::wall_seconds), named("cpu_seconds", &Self::cpu_seconds),
        named("peak_memory_bytes", &Self::peak_memory_bytes), named("warnings", &Self::warnings),
        named("failure", &Self::failure));
  }
};

/// By what a run is known.
using RunKey = std::tuple<std::string, Index, std::optional<Index>, Index, std::string>;
inline RunKey key_of(const RunResult& run) {
  return {run.data_set, run.labels_per_class, run.n_constraints, run.run, run.method};
}

struct ExperimentResults {
  ExperimentFacts facts = {};
  std::vector<RunResult> runs = {};
};

/// Names of the controls, which every experiment has: all features, random features (the mean of
/// several draws), and the method `variance`.
inline constexpr std::string_view kAllFeatures = "all";
inline constexpr std::string_view kRandomFeatures = "random";
inline constexpr std::string_view kVarianceControl = "variance";

/// All features and random features are judged without a ranking.
constexpr bool is_ranked(std::string_view method) {
  return method != kAllFeatures && method != kRandomFeatures;
}
constexpr bool is_control(std::string_view method) {
  return !is_ranked(method) || method == kVarianceControl;
}

/// A results file is JSON lines: the facts, then one run per line. Whole lines only: an interrupted
/// experiment leaves a file that can be read and continued.
std::string to_json_line(const ExperimentFacts& facts);
std::string to_json_line(const RunResult& run);

/// Reads a results file; a last line without its end is left out and its place reported.
/// @throws DataError naming the file and line for anything that is no results file of this version
struct ResultsFile {
  ExperimentResults results = {};
  std::optional<std::int64_t> incomplete_from = std::nullopt;  ///< byte where a cut line begins
};
ResultsFile read_results(const std::string& path);
ResultsFile read_results(std::istream& stream, const std::string& name);

}  // namespace tamis
