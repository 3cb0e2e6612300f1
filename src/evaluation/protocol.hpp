#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evaluation/results.hpp"
#include "learners/linear_svm.hpp"
#include "prepare/scale.hpp"
#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"

namespace tamis {

enum class SplitKind { fraction, first_half, k_fold };
constexpr auto option_words(SplitKind) {
  return std::array{std::pair{std::string_view("fraction"), SplitKind::fraction},
                    std::pair{std::string_view("first_half"), SplitKind::first_half},
                    std::pair{std::string_view("k_fold"), SplitKind::k_fold}};
}

enum class LabelBudget { per_class, in_all };
constexpr auto option_words(LabelBudget) {
  return std::array{std::pair{std::string_view("per_class"), LabelBudget::per_class},
                    std::pair{std::string_view("in_all"), LabelBudget::in_all}};
}

enum class Classifier { nearest_neighbor, svm, tree, naive_bayes };
constexpr auto option_words(Classifier) {
  return std::array{std::pair{std::string_view("nearest_neighbor"), Classifier::nearest_neighbor},
                    std::pair{std::string_view("svm"), Classifier::svm},
                    std::pair{std::string_view("tree"), Classifier::tree},
                    std::pair{std::string_view("naive_bayes"), Classifier::naive_bayes}};
}

enum class Viewpoints { transfer, realistic, both };
constexpr auto option_words(Viewpoints) {
  return std::array{std::pair{std::string_view("transfer"), Viewpoints::transfer},
                    std::pair{std::string_view("realistic"), Viewpoints::realistic},
                    std::pair{std::string_view("both"), Viewpoints::both}};
}

/// How rankings are judged: how rows are split, how few labels a method sees, and how well a
/// classifier does with the best features. The defaults are those of the protocol `tamis`.
struct Protocol {
  SplitKind split = SplitKind::fraction;
  double train_share = 2.0 / 3.0;
  Index folds = 5;
  Index runs = 20;
  std::string labels_per_class = "3,5";
  LabelBudget label_budget = LabelBudget::per_class;
  std::string top = "1:50";
  Classifier classifier = Classifier::nearest_neighbor;
  SvmSolver svm_solver = SvmSolver::libsvm;
  std::optional<double> cost = 1.0;
  Index cost_folds = 2;
  ScalingKind scaling = ScalingKind::standard;
  bool scaled_ranking = false;
  Viewpoints views = Viewpoints::both;
  Index random_draws = 10;
  std::string n_constraints = "none";
  bool kmeans = false;

  static constexpr auto fields() {
    using Self = Protocol;
    return field_list(
        field("split", &Self::split,
              "which rows train: a random share of each class, the first half of each class, or "
              "all but one fold in turn"),
        field("train_share", &Self::train_share, between(0.01, 0.99),
              "of each class, for split = fraction"),
        field("folds", &Self::folds, at_least(2), "for split = k_fold"),
        field("runs", &Self::runs, at_least(1), "how often everything is drawn anew"),
        field("labels_per_class", &Self::labels_per_class,
              "labels that methods see; several numbers (3,5) are several experiments"),
        field("label_budget", &Self::label_budget,
              "whether that many labels are of each class, or of all classes together, shared out "
              "evenly"),
        field("top", &Self::top,
              "numbers of best features to try: 1:20, 5:50:5, 50%, a list of those, or all"),
        field("classifier", &Self::classifier,
              "what learns from the best features: the nearest row, a linear support vector "
              "machine, a decision tree, or normal laws by class and column"),
        field("svm_solver", &Self::svm_solver, "for classifier = svm"),
        field("cost", &Self::cost, positive(),
              "C of the svm; auto: by cross-validation within the training rows"),
        field("cost_folds", &Self::cost_folds, at_least(2), "of that cross-validation"),
        field("scaling", &Self::scaling,
              "of the columns that the classifier sees, learned from the training rows"),
        field("scaled_ranking", &Self::scaled_ranking, "methods see the scaled columns, too"),
        field("views", &Self::views,
              "the classifier learns from all labels of the training rows (transfer), from those "
              "alone that the method saw (realistic), or both in turn"),
        field("random_draws", &Self::random_draws, at_least(1),
              "draws that the control `random` is the mean of"),
        field("n_constraints", &Self::n_constraints,
              "methods see so many of the pairs that their labels imply, and no label: 5:40:5, a "
              "list of those, all, or none for the labels themselves; needs a single number as "
              "top"),
        field("kmeans", &Self::kmeans,
              "also cluster the test rows by k-means on the best features, and compare the "
              "clusters with the classes"));
  }
};

/// A protocol that people know by its name.
struct Preset {
  std::string_view name;
  std::string_view source;  ///< where it was used
  Protocol protocol;
  /// Of the methods that have such an option, unless they are given another value.
  std::vector<OptionSetting> options = {};
};

/// The only list of them; the first is the default.
std::span<const Preset> presets();

/// @throws InvalidArgument for an unknown name, suggesting a near one
const Preset& find_preset(const std::string& name);

/// The protocol with some settings replaced by the given texts, checked.
/// @throws InvalidArgument for a malformed or forbidden value, and for a setting that would have no
/// effect, saying which other one it belongs to
Protocol with_settings(const Protocol& protocol, const OptionTexts& texts);

/// @throws InvalidArgument unless it is a list of different positive integers
std::vector<Index> label_counts(const Protocol& protocol);

/// The numbers of features to try on a table, ascending; just all of them if the table has fewer
/// than the least one.
/// @throws InvalidArgument naming the part that is no number or range
std::vector<Index> lengths_for(const Protocol& protocol, Index n_features);

/// How many of `n_pairs` pairs methods see, ascending, each an experiment of its own; just all if
/// there are fewer than the least number; empty if methods see labels.
/// @throws InvalidArgument naming the part that is no number or range
std::vector<Index> constraint_counts(const Protocol& protocol, Index n_pairs);

std::vector<Viewpoint> views_of(const Protocol& protocol);

/// Test rows for each training row: how much runs of an experiment with these settings have in
/// common (paired_tests.hpp). Settings that are not there have their default.
double test_rows_per_training_row(const NamedValues& settings);

}  // namespace tamis
