#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evaluation/friedman.hpp"
#include "evaluation/paired_tests.hpp"
#include "evaluation/results.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// Accuracy over the number of features: mean and standard deviation over the runs.
struct Curve {
  std::vector<Index> lengths = {};
  std::vector<double> mean = {};
  std::vector<double> deviation = {};
  Index runs = 0;
  /// The smallest number of features whose mean is within one standard error of the best.
  Index one_error_choice = 0;

  static constexpr auto fields() {
    using Self = Curve;
    return field_list(named("runs", &Self::runs), named("lengths", &Self::lengths),
                      named("mean_by_length", &Self::mean),
                      named("deviation_by_length", &Self::deviation),
                      named("one_error_choice", &Self::one_error_choice));
  }
};

/// Whether a method's accuracy differs from that of random features on one data set.
enum class Finding { better, worse, not_shown };
constexpr auto option_words(Finding) {
  return std::array{std::pair{std::string_view("better"), Finding::better},
                    std::pair{std::string_view("worse"), Finding::worse},
                    std::pair{std::string_view("not_shown"), Finding::not_shown}};
}

/// Over the runs that both finished, by the corrected t test of paired_tests.hpp at level 0.05.
struct AgainstRandom {
  Finding finding = Finding::not_shown;
  MeanDifference difference = {};
  double p_value = 1.0;
  Index runs = 0;

  static constexpr auto fields() {
    using Self = AgainstRandom;
    return field_list(named("finding", &Self::finding), named("difference", &Self::difference),
                      named("p_value", &Self::p_value), named("runs", &Self::runs));
  }
};

/// A metric over the number of features and over the runs.
struct MetricSummary {
  double mean = 0.0;  ///< over lengths and runs
  double deviation = 0.0;
  std::vector<double> mean_by_length = {};
  std::vector<double> deviation_by_length = {};

  static constexpr auto fields() {
    using Self = MetricSummary;
    return field_list(named("mean", &Self::mean), named("deviation", &Self::deviation),
                      named("mean_by_length", &Self::mean_by_length),
                      named("deviation_by_length", &Self::deviation_by_length));
  }
};

/// How well clusters of the test rows agree with their classes.
struct KmeansSummary {
  MetricSummary rand = {};
  MetricSummary adjusted_rand = {};
  MetricSummary nmi = {};

  static constexpr auto fields() {
    using Self = KmeansSummary;
    return field_list(named("rand", &Self::rand), named("adjusted_rand", &Self::adjusted_rand),
                      named("nmi", &Self::nmi));
  }
};

/// One method on one data set, with so many labels per class, in one view.
struct MethodSummary {
  std::string method;
  Curve curve = {};
  std::vector<double> per_run = {};  ///< mean over the lengths, one per run, ascending run
  double mean = 0.0;                 ///< of per_run; NaN if no run worked
  double deviation = 0.0;
  /// Of the first Curve::one_error_choice features, mean over the runs.
  double mean_correlation = 0.0;
  std::optional<Stability> stability = std::nullopt;  ///< of the same features
  double cpu_seconds = 0.0;  ///< mean of a ranking; NaN where there is none
  std::optional<std::int64_t> peak_memory_bytes = std::nullopt;  ///< largest, of a ranking
  Index failures = 0;
  std::optional<AgainstRandom> against_random = std::nullopt;  ///< with at least two runs
  std::optional<KmeansSummary> kmeans = std::nullopt;          ///< if rows were clustered

  bool beats_random() const { return against_random && against_random->finding == Finding::better; }

  static constexpr auto fields() {
    using Self = MethodSummary;
    const auto [runs, lengths, mean_by_length, deviation_by_length, one_error_choice] =
        nested_fields(&Self::curve);
    return field_list(
        named("method", &Self::method), runs, named("failures", &Self::failures),
        named("mean", &Self::mean), named("deviation", &Self::deviation),
        named("per_run", &Self::per_run), lengths, mean_by_length, deviation_by_length,
        one_error_choice, named("beats_random", &Self::beats_random),
        named("against_random", &Self::against_random),
        named("mean_correlation", &Self::mean_correlation), named("stability", &Self::stability),
        named("cpu_seconds", &Self::cpu_seconds),
        named("peak_memory_bytes", &Self::peak_memory_bytes),
        named("kmeans", &Self::kmeans, Form::if_set));
  }
};

struct DataSetSummary {
  std::string data_set;
  Index labels_per_class = 0;
  std::optional<Index> n_constraints = std::nullopt;  ///< that methods saw in place of labels
  Viewpoint view = Viewpoint::transfer;
  std::vector<MethodSummary> methods = {};  ///< in the order of the facts

  static constexpr auto fields() {
    using Self = DataSetSummary;
    return field_list(named("data_set", &Self::data_set),
                      named("labels_per_class", &Self::labels_per_class),
                      named("n_constraints", &Self::n_constraints, Form::if_set),
                      named("view", &Self::view), named("methods", &Self::methods));
  }
};

/// All data sets of one view and number of labels (and constraints) together.
struct Comparison {
  Index labels_per_class = 0;
  std::optional<Index> n_constraints = std::nullopt;
  Viewpoint view = Viewpoint::transfer;
  std::vector<std::string> methods = {};                ///< that have a result on every data set
  std::optional<FriedmanTest> friedman = std::nullopt;  ///< with at least two data sets
  /// Methods x methods, corrected paired t over the runs that all of them finished; empty if no
  /// data set has two such runs.
  std::vector<WinTieLoss> win_tie_loss = {};
  std::vector<SignTest> against_random = {};  ///< one per method; empty likewise

  static constexpr auto fields() {
    using Self = Comparison;
    return field_list(named("labels_per_class", &Self::labels_per_class),
                      named("n_constraints", &Self::n_constraints, Form::if_set),
                      named("view", &Self::view), named("methods", &Self::methods),
                      named("friedman", &Self::friedman),
                      named("win_tie_loss", &Self::win_tie_loss, Form::list),
                      named("against_random", &Self::against_random));
  }
};

struct Summary {
  std::vector<DataSetSummary> data_sets = {};
  std::vector<Comparison> comparisons = {};

  static constexpr auto fields() {
    using Self = Summary;
    return field_list(named("summary", &Self::data_sets), named("comparisons", &Self::comparisons));
  }
};

Summary summarize(const ExperimentResults& results);

/// Both as one object of schema tamis/summary/1.
std::string to_json_line(const ExperimentFacts& facts, const Summary& summary);

}  // namespace tamis
