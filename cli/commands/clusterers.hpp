#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/load.hpp"
#include "cli/console/terminal.hpp"
#include "results/json.hpp"
#include "tamis/registry/clusterings.hpp"

namespace tamis::cli {

/// What a clustering found, in every form in which the program writes it.
class ClusteringResult {
 public:
  virtual ~ClusteringResult() = default;

  virtual std::vector<std::string> warnings() const = 0;
  /// Lines for people, and those for people who asked for details.
  virtual std::vector<std::string> summary() const = 0;
  virtual std::vector<std::string> details() const { return {}; }
  /// For a terminal; may be empty.
  virtual std::string picture(const Screen& screen) const = 0;
  /// One line per clustered row, after a header.
  virtual std::string csv() const = 0;
  /// Adds its members to the object of schema tamis/clustering/1.
  virtual void add_to(Json& object) const = 0;
  /// One row per cluster, the columns of the problem.
  virtual Table centers() const = 0;
};

/// What a clustering is to do.
struct ClusterTask {
  const LoadedProblem& data;
  std::vector<Index> rows;  ///< all of them, unless the clustering knows --rows
  OptionTexts texts = {};
  ClusterGiven given = {};
  std::optional<Index> n_local = std::nullopt;  ///< features that --local lists for each cluster
  bool lists_violations = false;
};

/// A way to cluster rows.
struct Clusterer {
  ClustererInfo info;
  Learns learns = Learns::nothing;
  std::vector<OptionInfo> options;
  /// Of the command's flags that not every clustering knows, those that this one knows.
  std::vector<std::string> flags;
  /// Every option with the value it would have. @throws InvalidArgument for a wrong one
  std::function<NamedValues(const OptionTexts&)> resolve;
  /// The result looks into the task's data.
  std::function<std::unique_ptr<ClusteringResult>(const ClusterTask&)> run;
};

/// The map, and what registry/clusterings.hpp lists.
const std::vector<Clusterer>& clusterers();
const Clusterer& find_clusterer(const std::string& name);

/// @throws InvalidArgument for a flag that only other clusterings know, naming them
void refuse_foreign_flags(const Arguments& arguments, const Clusterer& clusterer);

Clusterer som_clusterer();

/// A table with a row of `values` for each cluster.
Table table_of_centers(const Problem& problem, const std::vector<double>& values);

}  // namespace tamis::cli
