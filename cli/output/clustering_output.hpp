#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/console/terminal.hpp"
#include "results/json.hpp"
#include "tamis/core/knowledge.hpp"
#include "tamis/registry/clusterings.hpp"

namespace tamis::cli {

/// A table whose rows are clustered, wherever its values are. Looks into what was read.
struct ClusteredTable {
  Index rows;
  Index cols;
  const std::vector<std::string>& feature_names;
  const Knowledge& known;
  const std::vector<Index>& true_labels;  ///< as read, those too that --labels-per-class hid
};

/// What a clustering found, and what is to be said about it.
struct ClusteringOutcome {
  ClusteredTable table;
  std::vector<Index> rows;  ///< that were clustered
  Learns learned = Learns::nothing;
  ClusteringRun run = {};
  std::optional<Index> n_local = std::nullopt;  ///< features that --local lists for each cluster
  bool lists_violations = false;
};

/// An outcome in every form in which the program writes it.
class ClusteringResult {
 public:
  virtual ~ClusteringResult() = default;

  /// Lines for people, and those for people who asked for details.
  virtual std::vector<std::string> summary() const = 0;
  virtual std::vector<std::string> details() const { return {}; }
  /// For a terminal; may be empty.
  virtual std::string picture(const Screen& screen) const = 0;
  /// One line per clustered row, after a header.
  virtual std::string csv() const = 0;
  /// Adds its members to the object of schema tamis/clustering/1.
  virtual void add_to(Json& object) const = 0;
};

/// A list of lists of `width` numbers each.
Json lines_json(const std::vector<double>& values, Index width);

/// The results look into the outcome: keep it.
std::unique_ptr<ClusteringResult> map_result(const ClusteringOutcome& outcome);
std::unique_ptr<ClusteringResult> partition_result(const ClusteringOutcome& outcome);

}  // namespace tamis::cli
