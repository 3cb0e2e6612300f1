#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/core/cluster_iteration.hpp"
#include "tamis/core/fields.hpp"
#include "tamis/core/index.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/run.hpp"

namespace tamis {

enum class Better { lower, higher };
constexpr auto option_words(Better) {
  return std::array{std::pair{std::string_view("lower"), Better::lower},
                    std::pair{std::string_view("higher"), Better::higher}};
}

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

  static constexpr auto fields() {
    using Self = Diagnostics;
    return field_list(
        named("undefined", &Self::undefined, Form::list), named("converged", &Self::converged),
        named("iterations", &Self::iterations), named("edges", &Self::edges),
        named("effective_edges", &Self::effective_edges),
        named("dropped_constraints", &Self::dropped_constraints),
        named("figures", &Self::figures, Form::object), named("warnings", &Self::warnings));
  }
};

/// Why a subset method left features out: a tree over the best features, joined where they
/// correlate most, along which each kept feature removes its neighbours.
struct Redundancy {
  struct Edge {
    Index first;
    Index second;
    double correlation;  ///< absolute value

    static constexpr auto fields() {
      using Self = Edge;
      return field_list(named("first", &Self::first), named("second", &Self::second),
                        named("correlation", &Self::correlation));
    }
  };
  struct Removal {
    Index feature;
    Index because_of;  ///< the kept feature that removed it
    double correlation;

    static constexpr auto fields() {
      using Self = Removal;
      return field_list(named("feature", &Self::feature), named("because_of", &Self::because_of),
                        named("correlation", &Self::correlation));
    }
  };
  std::vector<Edge> tree = {};
  std::vector<Removal> removed = {};
  double rate = 0.0;                  ///< RED of the subset: sum_{i>j} |rho_ij| / (h(h-1))
  double mean_abs_correlation = 0.0;  ///< twice that

  static constexpr auto fields() {
    using Self = Redundancy;
    return field_list(named("tree", &Self::tree, Form::list), named("removed", &Self::removed),
                      named("rate", &Self::rate),
                      named("mean_abs_correlation", &Self::mean_abs_correlation));
  }
};

/// How alike the feature sets of several rankings are; 1 is always the same set, 0 no better than
/// chance.
struct Stability {
  Index sets = 0;             ///< how many sets were compared
  Index set_size = 0;         ///< features in each
  double nogueira = 0.0;      ///< Nogueira, Sechidis, Brown, JMLR 18, 2018
  double nogueira_low = 0.0;  ///< its 95 % confidence interval
  double nogueira_high = 0.0;
  double kuncheva = 0.0;  ///< mean consistency index of all pairs of sets (Kuncheva 2007)

  static constexpr auto fields() {
    using Self = Stability;
    return field_list(
        named("sets", &Self::sets), named("set_size", &Self::set_size),
        named("nogueira", &Self::nogueira), named("nogueira_low", &Self::nogueira_low),
        named("nogueira_high", &Self::nogueira_high), named("kuncheva", &Self::kuncheva));
  }
};

/// How sure each feature's place is: what the members of an ensemble said, one entry per column.
struct Committee {
  Index members = 0;
  std::vector<Index> draws = {};        ///< members that ranked the feature
  std::vector<double> mean = {};        ///< of its defined scores; NaN if there is none
  std::vector<Index> place = {};        ///< in the ranking of the ensemble, from 1
  std::vector<double> place_low = {};   ///< 5th percentile of its place if members are resampled
  std::vector<double> place_high = {};  ///< 95th; both NaN without a score or with few members
  std::vector<double> best_share = {};  ///< of its draws that put it in the best 10 %; NaN undrawn
  std::optional<Stability> stability = std::nullopt;  ///< of at least two parts of the ensemble

  /// Whether it is known of any feature how sure its place is.
  bool has_intervals() const;

  static constexpr auto fields() {
    using Self = Committee;
    return field_list(named("members", &Self::members), named("draws", &Self::draws),
                      named("mean", &Self::mean), named("place", &Self::place),
                      named("place_low", &Self::place_low), named("place_high", &Self::place_high),
                      named("best_share", &Self::best_share), named("stability", &Self::stability));
  }
};

/// What a feature must have to do with to count: the labels alone, or also other columns.
enum class Null { automatic, labels, table };
constexpr auto option_words(Null) {
  return std::array{std::pair{std::string_view("auto"), Null::automatic},
                    std::pair{std::string_view("labels"), Null::labels},
                    std::pair{std::string_view("table"), Null::table}};
}

/// What a feature is worth: it adds what chance would not; it has to do with what is known; or
/// neither can be told.
enum class Part { backed, relevant, rest };
constexpr auto option_words(Part) {
  return std::array{std::pair{std::string_view("backed"), Part::backed},
                    std::pair{std::string_view("relevant"), Part::relevant},
                    std::pair{std::string_view("rest"), Part::rest}};
}

/// How many features are worth choosing, and how sure that is.
struct Relevance {
  Null null = Null::table;
  double fdr = 0.1;  ///< the share of false discoveries that is accepted
  /// Per column: the probability that chance explains as much, the least fdr at which the column is
  /// relevant, and what follows; undefined for constant ones.
  std::vector<double> p = {};
  std::vector<double> q = {};
  std::vector<std::optional<Part>> part = {};
  std::vector<double> step_p = {};  ///< that chance adds as much as each choice, until it does
  Index n_backed = 0;               ///< features, the first of the order
  Index n_relevant = 0;             ///< with q <= fdr
  std::optional<double> label_p = std::nullopt;  ///< that random labels say as much of the columns

  static constexpr auto fields() {
    using Self = Relevance;
    return field_list(named("null", &Self::null), named("fdr", &Self::fdr), named("p", &Self::p),
                      named("q", &Self::q), named("part", &Self::part, Form::list),
                      named("step_p", &Self::step_p), named("n_backed", &Self::n_backed),
                      named("n_relevant", &Self::n_relevant), named("label_p", &Self::label_p));
  }
};

/// What a method did that chooses features one by one.
struct SelectionPath {
  std::vector<Index> features = {};    ///< as they were chosen
  std::vector<double> criterion = {};  ///< after each choice

  static constexpr auto fields() {
    using Self = SelectionPath;
    return field_list(named("features", &Self::features, Form::list),
                      named("criterion", &Self::criterion));
  }
};

/// Why features stand where they do that were put into an order of what each adds, one entry per
/// column; columns that were no candidates have none.
struct Diversity {
  std::vector<double> gain = {};  ///< what it added when it was chosen; NaN if it was not
  /// The feature chosen before it that it repeats most, and how much: the absolute correlation of
  /// their ranks; NaN without one.
  std::vector<std::optional<Index>> nearest = {};
  std::vector<double> correlation = {};

  static constexpr auto fields() {
    using Self = Diversity;
    return field_list(named("gain", &Self::gain), named("nearest", &Self::nearest, Form::list),
                      named("correlation", &Self::correlation));
  }
};

/// A part of the scores of a method that makes them of several, one value per column.
struct ScoreTerm {
  std::string name = {};
  std::vector<double> values = {};

  static constexpr auto fields() {
    using Self = ScoreTerm;
    return field_list(named("name", &Self::name), named("values", &Self::values));
  }
};

/// What every method returns.
struct Ranking {
  std::vector<double> scores;  ///< one per column
  std::vector<Index> order;    ///< columns, best first
  Better better = Better::lower;
  std::optional<std::vector<Index>> subset = std::nullopt;  ///< of methods that choose one
  std::optional<Redundancy> redundancy = std::nullopt;      ///< of methods that prune
  std::optional<Committee> committee = std::nullopt;        ///< of ensembles
  std::optional<Relevance> relevance = std::nullopt;        ///< of methods that judge features
  std::optional<SelectionPath> path = std::nullopt;         ///< of methods that choose one by one
  std::optional<Diversity> diversity = std::nullopt;        ///< of orders of what each adds
  std::optional<std::vector<ScoreTerm>> terms = std::nullopt;  ///< of scores made of several
  /// Of methods that cluster rows: what each iteration of their best run did.
  std::optional<std::vector<ClusterIteration>> iterations = std::nullopt;
  Diagnostics diagnostics = {};
  /// What each member of an ensemble ranks, best first, if they are to vote; never written.
  std::vector<std::vector<Index>> member_orders = {};

  static constexpr auto fields() {
    using Self = Ranking;
    return field_list(named("better", &Self::better), named("scores", &Self::scores),
                      named("order", &Self::order), named("subset", &Self::subset, Form::list),
                      named("committee", &Self::committee, Form::if_set),
                      named("redundancy", &Self::redundancy, Form::if_set),
                      named("relevance", &Self::relevance, Form::if_set),
                      named("path", &Self::path, Form::if_set),
                      named("diversity", &Self::diversity, Form::if_set),
                      named("terms", &Self::terms, Form::if_set),
                      named("iterations", &Self::iterations, Form::if_set),
                      named("diagnostics", &Self::diagnostics));
  }
};

/// How anything that ranks is passed to code that knows no method by name.
using Ranker = std::function<Ranking(const Problem&, const Run&)>;

/// Columns, best first: undefined last, ties by column.
std::vector<Index> best_first(std::span<const double> scores, Better better);

/// The only place that orders features: undefined last, ties by column, so that equal scores give
/// equal orders. Lists the undefined columns in the diagnostics.
/// @throws DataError if every score is undefined, with `why_all_undefined` as the reason: a ranking
/// by column index must never look like a result.
Ranking rank_features(std::vector<double> scores, Better better, Diagnostics diagnostics,
                      std::string_view why_all_undefined);

/// The ranking of a method that chooses features one by one: scores are places, 1 being the best.
/// Behind the features of the path come the others by `criteria`, one per column: what they were
/// worth when the last one was chosen. Those whose criterion is undefined have no place.
/// @throws DataError like rank_features
Ranking rank_path(SelectionPath path, std::span<const double> criteria, Better better,
                  Diagnostics diagnostics, std::string_view why_all_undefined);

/// Puts the given columns first, in their order, and leaves the others in theirs: for methods whose
/// order is not that of their scores.
void move_to_front(std::span<const Index> columns, std::vector<Index>& order);

}  // namespace tamis
