#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evaluation/protocol.hpp"
#include "evaluation/results.hpp"
#include "evaluation/shared_starts.hpp"
#include "evaluation/splits.hpp"
#include "prepare/missing.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/projections/projection.hpp"

/// One draw of everything that chance decides in an experiment, and what methods make of it.
namespace tamis {

/// A table of which all classes are known, for judging.
struct DataSet {
  std::string name;
  std::string file;
  Problem problem;
  Progress progress = {};             ///< hears of the work on it
  Missing missing = Missing::refuse;  ///< if values are missing, how training rows fill them in
};

/// A data set whose missing values, if it has any, are filled in by what the given rows say.
class CompleteData {
 public:
  CompleteData(const DataSet& data, std::span<const Index> rows);
  const DataSet& data() const { return filled_ ? *filled_ : data_; }

 private:
  const DataSet& data_;
  std::optional<OwnedProblem> owned_ = std::nullopt;
  std::optional<DataSet> filled_ = std::nullopt;
};

/// A method under a name of its own: it ranks the features, or projects the rows on new ones.
struct Contestant {
  std::string name;
  Ranker rank;
  bool sees_unscaled = false;   ///< columns as they are, even under a protocol with scaled_ranking
  Projector project = nullptr;  ///< if set, it stands in place of `rank`
  bool needs_classes = false;   ///< sees labels where others see pairs
  NamedValues options = {};     ///< every one, resolved
  /// The ranking that `rank` begins with, as Run::recall is asked for it, if others begin with the
  /// same.
  std::string shared_start = {};
};

/// Which rows train and which judge, and the few labels that methods see.
struct Trial {
  Index labels_per_class = 0;  ///< asked for (of all classes together: Protocol::label_budget)
  Index run = 0;
  Split split = {};
  std::vector<Index> few_labels = {};  ///< one per row of the table; training rows only
  std::optional<std::string> warning = std::nullopt;  ///< if there were not that many
  std::uint64_t seed = 0;                             ///< of methods and random features
};

/// How many runs a data set has: as the protocol says, each fold being one.
Index n_runs(const Protocol& protocol);

/// Draws run 0 .. n_runs - 1 of a data set. With derived(s, i) the first number of RandomStream(s,
/// i): the data set has the seed d = derived(seed, hash of its name), repetition r the seed e =
/// derived(d, r), and its rows are split by RandomStream(e, 0), whatever the number of labels. Fold
/// f (0 without folds) with l labels has the seed g = derived(derived(e, 1 + f), l): labels come
/// from RandomStream(g, 0), methods get the seed derived(g, 1), the i-th set of random features
/// comes from RandomStream(derived(g, 2), i), the pairs that the labels imply are put in order by
/// RandomStream(derived(g, 3), 0), and k-means gets the seed derived(g, 4).
/// @throws DataError for a class with a single row, fewer rows than folds, or fewer than two
/// classes
Trial draw_trial(const DataSet& data, const Protocol& protocol, std::uint64_t seed,
                 Index labels_per_class, Index run);

/// The seeds that a trial gives.
std::uint64_t method_seed(const Trial& trial);
std::uint64_t random_features_seed(const Trial& trial);
std::uint64_t constraints_seed(const Trial& trial);
std::uint64_t kmeans_seed(const Trial& trial);

/// What methods and classifiers see of a trial. Methods see a problem made of the training rows
/// and their few labels, so that nothing about the test rows can reach a ranking. Knows data set
/// and protocol by reference.
class TrialRunner {
 public:
  TrialRunner(const DataSet& data, const Protocol& protocol, Trial trial);
  TrialRunner(const TrialRunner&) = delete;
  TrialRunner& operator=(const TrialRunner&) = delete;
  ~TrialRunner();

  /// Ranks and judges; of a projection, as many components as features of a ranking, fitted to the
  /// training rows whose columns are scaled as the protocol says. Runs on this thread alone, so
  /// that its time is its own. What throws has a failure in place of a result. `peak_memory` says
  /// how much the process has used so far. With a number of constraints the method sees so many of
  /// the pairs that the labels imply, or all if they are fewer, and no label; not if it needs
  /// classes, whose number and names are known in any case. A start that it shares with others is
  /// made once, and its cost is that of each of them.
  RunResult run(const Contestant& contestant, const std::function<Index()>& peak_memory,
                std::optional<Index> n_constraints = std::nullopt);

  /// The controls that rank nothing.
  RunResult all_features() const;
  RunResult random_features() const;

 private:
  struct Parts;
  RunResult run_projection(const Contestant& contestant, const std::function<Index()>& peak_memory,
                           std::optional<Index> n_constraints) const;

  std::unique_ptr<const Parts> parts_;
  SharedStarts starts_;
};

}  // namespace tamis
