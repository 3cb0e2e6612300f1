#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/json.hpp"
#include "cli/terminal.hpp"
#include "tamis/core/options.hpp"

namespace tamis::cli {

/// What a clustering found, in every form in which the program writes it.
class ClusteringResult {
 public:
  virtual ~ClusteringResult() = default;

  virtual std::vector<std::string> warnings() const = 0;
  /// Lines for people.
  virtual std::vector<std::string> summary() const = 0;
  /// For a terminal; may be empty.
  virtual std::string picture(const Screen& screen) const = 0;
  /// One line per clustered row, after a header.
  virtual std::string csv() const = 0;
  /// Adds its members to the object of schema tamis/clustering/1.
  virtual void add_to(Json& object) const = 0;
  /// One row per cluster, the columns of the problem.
  virtual Table centers() const = 0;
};

/// A way to cluster rows.
struct Clusterer {
  std::string_view name;
  std::string_view title;
  std::vector<OptionInfo> options;
  /// Every option with the value it would have. @throws InvalidArgument for a wrong one
  std::function<NamedValues(const OptionTexts&)> resolve;
  /// Clusters the given rows. The result looks into the problem.
  std::function<std::unique_ptr<ClusteringResult>(const Problem&, std::vector<Index> rows,
                                                  const OptionTexts&)>
      run;
};

/// The only list of clusterings.
const std::vector<Clusterer>& clusterers();

Clusterer som_clusterer();

}  // namespace tamis::cli
