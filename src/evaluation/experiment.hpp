#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "evaluation/trial.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {

/// Methods to be compared on data sets.
struct Experiment {
  std::vector<DataSet> data_sets = {};   ///< with different names
  std::vector<Contestant> methods = {};  ///< with different names, none of a control
  Ranker variance = nullptr;             ///< the control of that name; sees unscaled columns
  std::string protocol_name = "tamis";
  Protocol protocol = {};
  std::uint64_t seed = 0;
};

/// An experiment as people write it.
struct ExperimentTexts {
  std::vector<std::string> methods = {};  ///< calls; the controls, always there, are left out
  std::string protocol = "tamis";
  OptionTexts settings = {};  ///< that differ from the protocol's
  std::uint64_t seed = 0;
};

/// What a call means.
struct CallReaders {
  std::function<Ranker(const std::string& call)> ranker_of;
  /// Empty if the call names no projection.
  std::function<Projector(const std::string& call)> projector_of = [](const std::string&) {
    return Projector();
  };
  /// Every option of what the call names, with its value.
  std::function<NamedValues(const std::string& call)> options_of = [](const std::string&) {
    return NamedValues();
  };
  /// Whether it cannot do with pairs alone.
  std::function<bool(const std::string& call)> needs_classes = [](const std::string&) {
    return false;
  };
  /// The ranking that it begins with, in words that are the same for all that begin alike.
  std::function<std::string(const std::string& call)> first_ranking_of = [](const std::string&) {
    return std::string();
  };
  /// The call with those of the options that it could have and does not give.
  std::function<std::string(const std::string& call, std::span<const OptionSetting>)> with_options =
      [](const std::string& call, std::span<const OptionSetting>) { return call; };
};

/// The experiment, which still needs data sets.
/// @throws InvalidArgument for an unknown protocol or setting or a forbidden value, and what the
/// readers throw
Experiment experiment_of(const ExperimentTexts& texts, const CallReaders& readers);

/// What there is to say about it before it runs; version and command are for the caller to add.
/// The controls come after the methods: variance, random, all.
/// @throws InvalidArgument if there is no data set or a name is there twice
/// @throws DataError naming the file if a data set cannot be split as the protocol says
ExperimentFacts facts_of(const Experiment& experiment);

/// What a caller hears of a running experiment. All calls are made one at a time.
struct ExperimentListener {
  std::function<void(const RunResult&)> done;         ///< may throw, which ends the experiment
  std::function<void(const std::string&)> warn = {};  ///< of few labels, once for each data set
  std::function<Index()> peak_memory = {};
  Progress progress = {};
};

/// Runs every method on every trial, but for those among the earlier results. Results come in the
/// order of data sets, numbers of labels, runs, numbers of constraints and methods, and are, times
/// and memory apart, the same for any number of threads and wherever earlier results end. Trials
/// run in parallel, each on one thread with a copy of its training rows. A method that throws has a
/// failure as its result.
void run_experiment(const Experiment& experiment, std::span<const RunResult> earlier,
                    const ExperimentListener& listener);

/// Why results under one description cannot be continued under another, or nothing: whatever
/// results depend on must be the same; command, protocol name and file names may differ.
std::string difference(const ExperimentFacts& earlier, const ExperimentFacts& now);

}  // namespace tamis
