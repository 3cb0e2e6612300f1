#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/core/index.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {

enum class Better { lower, higher };

/// The score of a feature for which the formula has no value.
inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// What a method noticed on the way. Facts for the report, never a reason to throw.
struct Diagnostics {
  std::vector<Index> undefined = {};          ///< columns without a score (NaN); ranked last
  bool converged = true;                      ///< false: the iteration limit came first
  int iterations = 0;                         ///< 0 for closed-form methods
  std::optional<Index> edges = std::nullopt;  ///< of the graph, if there is one
  std::optional<double> effective_edges = std::nullopt;  ///< (sum w)^2 / sum w^2
  Index dropped_constraints = 0;
  std::vector<std::pair<std::string, double>> figures = {};  ///< what only this method knows
  std::vector<std::string> warnings = {};
};

/// Why a subset method left features out: a tree over the best features, joined where they
/// correlate most, along which each kept feature removes its neighbours.
struct Redundancy {
  struct Edge {
    Index first;
    Index second;
    double correlation;  ///< absolute value
  };
  struct Removal {
    Index feature;
    Index because_of;  ///< the kept feature that removed it
    double correlation;
  };
  std::vector<Edge> tree = {};
  std::vector<Removal> removed = {};
  double rate = 0.0;                  ///< RED of the subset: sum_{i>j} |rho_ij| / (h(h-1))
  double mean_abs_correlation = 0.0;  ///< twice that
};

/// What every method returns.
struct Ranking {
  std::vector<double> scores;  ///< one per column
  std::vector<Index> order;    ///< columns, best first
  Better better = Better::lower;
  std::optional<std::vector<Index>> subset = std::nullopt;  ///< of methods that choose one
  std::optional<Redundancy> redundancy = std::nullopt;      ///< of methods that prune
  Diagnostics diagnostics = {};
};

/// How anything that ranks is passed to code that knows no method by name.
using Ranker = std::function<Ranking(const Problem&)>;

/// The only place that orders features: undefined last, ties by column, so that equal scores give
/// equal orders. Lists the undefined columns in the diagnostics.
/// @throws DataError if every score is undefined, with `why_all_undefined` as the reason: a ranking
/// by column index must never look like a result.
Ranking rank_features(std::vector<double> scores, Better better, Diagnostics diagnostics,
                      std::string_view why_all_undefined);

std::string_view name_of(Better better);

}  // namespace tamis
