#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

enum class WrappedClassifier { nearest, naive_bayes };
constexpr auto option_words(WrappedClassifier) {
  return std::array{std::pair{std::string_view("nearest"), WrappedClassifier::nearest},
                    std::pair{std::string_view("naive_bayes"), WrappedClassifier::naive_bayes}};
}

struct FwSemifsOptions {
  Index size = 50;
  Index start = 5;
  Index step = 5;
  double sampling_rate = 50.0;
  Index sampling_times = 10;
  Index max_iter = 100;
  WrappedClassifier classifier = WrappedClassifier::nearest;
  bool floating = false;
  bool stop_early = false;

  static constexpr MethodInfo info{
      .name = "fw_semifs",
      .title = "Forward semi-supervised feature selection (FW-SemiFS)",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::classes,
      .reference =
          "Ren, Qiu, Fan, Cheng, Yu, Forward semi-supervised feature selection, PAKDD 2008",
      .measures_distances = true,
      .draws = true,
      .length_option = "size"};
  static constexpr auto fields() {
    using Self = FwSemifsOptions;
    return field_list(
        field("size", &Self::size, at_least(1),
              "features to choose one by one; the rest follow by how often samples chose them"),
        field("start", &Self::start, at_least(1),
              "features that forward selection on the labeled rows begins with"),
        field("step", &Self::step, at_least(1),
              "features that forward selection takes on each sample"),
        field("sampling_rate", &Self::sampling_rate, Range{0.0, 100.0, true},
              "percentage of the unlabeled rows that a sample draws"),
        field("sampling_times", &Self::sampling_times, between(1, 1'000'000),
              "samples in each iteration"),
        field("max_iter", &Self::max_iter, between(0, 1'000'000), "iterations at most"),
        field("classifier", &Self::classifier,
              "what predicts each row from the others: the nearest row, or normal laws by class "
              "and column"),
        field("floating", &Self::floating,
              "forward selection also removes features again where that is better"),
        field("stop_early", &Self::stop_early,
              "forward selection ends when no further feature is better"));
  }
};

/// Chooses features one by one by how well a classifier does with them (algorithm 7 of Hindawi's
/// thesis): first `start` by forward selection on the labeled rows. Then, in each iteration, the
/// classifier predicts the classes of all unlabeled rows from the labeled ones by the features so
/// far; `sampling_times` times, forward selection takes `step` features on the labeled rows and a
/// sample of these; and the feature that is taken most often and not yet in is added. Forward
/// selection adds the column with the highest leave-one-out accuracy. Scores are places; the rest
/// follow by how often they were taken in all. `path` has the choices, without a criterion; the
/// trace has every sample.
///
/// Deterministic for a seed and any number of threads; O(iterations x sampling_times x step x
/// (rows of a sample)^2 x m), less where columns cannot win any more. Distances within 1e-10
/// (relative) tie: the lower row is nearer; accuracies tie exactly: the lower column wins. A
/// constant column is undefined. Warns if there are no unlabeled rows.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if fewer than two classes have labeled rows, every column is constant, or the
/// cost is above 10^13
Ranking fw_semifs(const Problem& problem, const FwSemifsOptions& options = {}, const Run& run = {});

}  // namespace tamis
