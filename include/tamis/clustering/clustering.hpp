#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/core/cluster_iteration.hpp"
#include "tamis/core/fields.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/run.hpp"

namespace tamis {

/// The weights of columns that a clustering learns.
enum class Learns { nothing, weights, weights_of_clusters };
std::string_view name_of(Learns learns);

/// What there is to say about a clustering besides its options. Its options struct holds one as
/// `clusterer`, or as `info` if it is no method too. The defaults are those of the k-means family.
struct ClustererInfo {
  std::string_view name;  ///< = function = file
  std::string_view title;
  std::string_view reference;
  Learns learns = Learns::nothing;
  bool counts_clusters = true;    ///< makes as many as its option n_clusters says
  bool takes_constraints = true;  ///< heeds pairs, or at least counts those that it breaks
  bool takes_start = true;        ///< heeds ClusterGiven::start
  bool takes_rows = false;        ///< heeds ClusterGiven::rows
  bool draws = true;              ///< chance decides something: its results depend on the seed
  bool hard_pairs_only = false;   ///< refuses pairs whose weight is not 1
  bool streams = false;           ///< also of tables of which a run of rows is in memory at a time
};

/// Whether a row shares itself among clusters.
enum class Membership { fuzzy, hard };
constexpr auto option_words(Membership) {
  return std::array{std::pair{std::string_view("fuzzy"), Membership::fuzzy},
                    std::pair{std::string_view("hard"), Membership::hard}};
}

/// What features are ranked by where weights are learned while clustering.
enum class RankBy { weight, distance_weight };
constexpr auto option_words(RankBy) {
  return std::array{std::pair{std::string_view("weight"), RankBy::weight},
                    std::pair{std::string_view("distance_weight"), RankBy::distance_weight}};
}

/// From where a run of the k-means family begins.
struct ClusterStart {
  std::vector<double> centroids = {};  ///< clusters x columns
  /// Of the columns: empty, one for each, or one for each cluster and column.
  std::vector<double> weights = {};
};

/// What is given to a clustering instead of being left to it.
struct ClusterGiven {
  std::optional<ClusterStart> start = std::nullopt;  ///< then there is one run, whatever restarts
  /// All rows, each once, in the order in which those with constraints are placed; empty: as they
  /// come. Where no row waits for another it changes nothing.
  std::vector<Index> order = {};
  std::optional<std::vector<Index>> rows = std::nullopt;  ///< to be clustered; unset: all
};

/// Rows in clusters: what every clustering of the k-means family gives. Others fill what they have.
struct Clustering {
  std::vector<double> centroids = {};  ///< clusters x columns
  std::vector<Index> clusters = {};    ///< of each row that was clustered
  /// Of the columns, as in ClusterStart; empty if the method learns none.
  std::vector<double> weights = {};
  /// Rows x clusters, each row summing to 1; empty if rows belong to one cluster.
  std::vector<double> memberships = {};
  double objective = 0.0;
  std::vector<ClusterIteration> iterations = {};
  Index run = 0;  ///< the restart that gave it
  bool converged = false;
  std::vector<std::string> warnings = {};

  static constexpr auto fields() {
    using Self = Clustering;
    return field_list(named("clusters", &Self::clusters), named("centroids", &Self::centroids),
                      named("weights", &Self::weights), named("memberships", &Self::memberships),
                      named("objective", &Self::objective), named("run", &Self::run),
                      named("converged", &Self::converged), named("iterations", &Self::iterations),
                      named("warnings", &Self::warnings));
  }
};

/// The number of clusters where nothing tells how many there are: that of scikit-learn.
inline constexpr Index kUsualClusters = 8;

/// The number of clusters: what is wanted, else the number of classes among the labels, with a
/// warning that classes without a label are not counted, else that of the classes whose names are
/// known, else kUsualClusters (or one for each row), with a warning.
/// @throws DataError if there are fewer rows than clusters, or fewer clusters than labeled classes
Index cluster_count(std::string_view method, const Knowledge& known, Index n_rows,
                    std::optional<Index> wanted, std::vector<std::string>& warnings);

/// @throws DataError for more clusters than rows
void check_cluster_rows(std::string_view method, Index n_clusters, Index n_rows);

/// @throws DataError if the start does not fit the table, the number of clusters or the method,
/// saying which shape it should have
void check_start(std::string_view method, const ClusterStart& start, Index n_clusters,
                 Index n_cols);

/// @throws DataError if something is given that the clustering has no use for, if the start does
/// not fit, or if the order does not hold each row once
void check_given(const ClustererInfo& clusterer, const ClusterGiven& given, Index n_clusters,
                 Index n_rows, Index n_cols);

/// Write a start and an iteration to the trace, if it is wanted. Runs and iterations are numbered
/// from 0.
void record_start(const Trace& trace, Index run, const ClusterStart& start, Index n_cols);
/// The order in which a run places rows; a run that failed tries another one.
void record_order(const Trace& trace, Index run, Index number_of_try, std::span<const Index> rows);
void record_iteration(const Trace& trace, Index run, Index number,
                      const ClusterIteration& iteration);
/// All iterations of the run that a clustering is of.
void record_iterations(const Trace& trace, const Clustering& clustering);

}  // namespace tamis
