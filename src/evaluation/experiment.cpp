#include "evaluation/experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <set>

#include "core/option_texts.hpp"
#include "evaluation/data_set_facts.hpp"
#include "evaluation/implied_pairs.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

void check_splits(const Experiment& experiment, const DataSet& data) {
  try {
    for (const Index labels : label_counts(experiment.protocol))
      draw_trial(data, experiment.protocol, experiment.seed, labels, 0);
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", data.file, error.what()));
  }
}

void check_names(std::vector<std::string> names, std::string_view what) {
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end())
    throw InvalidArgument(fmt::format("evaluate: {} '{}' is there twice", what, *twice));
}

/// Of all that compete, controls last.
std::vector<std::string> method_names(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const Contestant& method : experiment.methods) names.push_back(method.name);
  for (const std::string_view control : {kVarianceControl, kRandomFeatures, kAllFeatures})
    names.emplace_back(control);
  return names;
}

/// One trial of one data set; all its numbers of constraints, or one unset for labels.
struct Task {
  const DataSet* data;
  Index labels_per_class;
  std::span<const std::optional<Index>> constraints;
  Index run;
};

/// How many constraints methods see in turn: numbers of the pairs that the labels of the first run
/// imply, or just labels.
std::vector<std::optional<Index>> constraints_of(const Experiment& experiment, const DataSet& data,
                                                 Index labels) {
  const Trial first = draw_trial(data, experiment.protocol, experiment.seed, labels, 0);
  std::vector<std::optional<Index>> all;
  for (const Index count :
       constraint_counts(experiment.protocol, n_implied_pairs(first.few_labels)))
    all.emplace_back(count);
  if (all.empty()) all.emplace_back(std::nullopt);
  return all;
}

class ExperimentRun {
 public:
  ExperimentRun(const Experiment& experiment, std::span<const RunResult> earlier,
                const ExperimentListener& listener)
      : experiment_(experiment), listener_(listener), methods_(method_names(experiment)) {
    for (const RunResult& run : earlier) done_.insert(key_of(run));
    for (const DataSet& data : experiment.data_sets)
      for (const Index labels : label_counts(experiment.protocol)) {
        const auto& constraints =
            constraints_.emplace_back(constraints_of(experiment, data, labels));
        for (Index run = 0; run < n_runs(experiment.protocol); ++run)
          if (const Task task{&data, labels, constraints, run}; n_missing(task) > 0) {
            tasks_.push_back(task);
            total_ += n_missing(task);
          }
      }
  }

  void operator()() {
    Progress::Stage stage(listener_.progress, "evaluating runs", total_);
    // Each worker takes the next task: results come nearly in order, and few wait for their turn.
    parallel_for(max_threads(), 1, [&](Index, Index) {
      const SerialSection alone;
      try {
        for (Index task = next_++; task < std::ssize(tasks_); task = next_++)
          finish(task, results_of(tasks_[task], stage));
      } catch (...) {
        next_ = std::ssize(tasks_);
        throw;
      }
    });
  }

 private:
  struct Finished {
    std::vector<RunResult> results = {};
    std::optional<std::string> warning = std::nullopt;
  };

  bool is_missing(const Task& task, std::optional<Index> constraints,
                  const std::string& method) const {
    return !done_.contains({task.data->name, task.labels_per_class, constraints, task.run, method});
  }
  Index n_missing(const Task& task) const {
    Index missing = 0;
    for (const std::optional<Index>& constraints : task.constraints)
      for (const std::string& method : methods_)
        missing += is_missing(task, constraints, method) ? 1 : 0;
    return missing;
  }

  const Contestant* contestant(const std::string& method) const {
    const auto found = std::ranges::find(experiment_.methods, method, &Contestant::name);
    return found == experiment_.methods.end() ? nullptr : &*found;
  }

  RunResult result_of(TrialRunner& runner, const std::string& method,
                      std::optional<Index> constraints) const {
    if (method == kAllFeatures) return runner.all_features();
    if (method == kRandomFeatures) return runner.random_features();
    if (method == kVarianceControl)
      return runner.run({method, experiment_.variance, /*sees_unscaled=*/true},
                        listener_.peak_memory);
    return runner.run(*contestant(method), listener_.peak_memory, constraints);
  }

  /// Controls, and methods that see labels all the same, are the same for every number.
  bool is_level(const std::string& method) const {
    return is_control(method) || contestant(method)->needs_classes;
  }

  Finished results_of(const Task& task, Progress::Stage& stage) const {
    Trial trial = draw_trial(*task.data, experiment_.protocol, experiment_.seed,
                             task.labels_per_class, task.run);
    Finished finished{.warning = trial.warning};
    TrialRunner runner(*task.data, experiment_.protocol, std::move(trial));
    std::map<std::string, RunResult> levels;
    for (const std::optional<Index>& constraints : task.constraints)
      for (const std::string& method : methods_) {
        if (!is_missing(task, constraints, method)) continue;
        const auto level = levels.find(method);
        RunResult result =
            level == levels.end() ? result_of(runner, method, constraints) : level->second;
        result.n_constraints = constraints;
        if (is_level(method)) levels.try_emplace(method, result);
        finished.results.push_back(std::move(result));
        stage.advance();
      }
    return finished;
  }

  /// Hands over what is complete, in order.
  void finish(Index task, Finished finished) {
    const std::scoped_lock lock(mutex_);
    if (has_ended_) return;
    waiting_[task] = std::move(finished);
    has_ended_ = true;  // if the listener throws: other workers must not call it again
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == handed_over_;
         first = waiting_.erase(first), ++handed_over_) {
      warn_once(tasks_[first->first], first->second);
      for (const RunResult& run : first->second.results) listener_.done(run);
    }
    has_ended_ = false;
  }

  void warn_once(const Task& task, const Finished& finished) {
    if (finished.warning && listener_.warn &&
        warned_.emplace(task.data->name, task.labels_per_class).second)
      listener_.warn(fmt::format("{}: {}", task.data->name, *finished.warning));
  }

  const Experiment& experiment_;
  const ExperimentListener& listener_;
  std::vector<std::string> methods_;
  std::set<RunKey> done_ = {};
  std::deque<std::vector<std::optional<Index>>> constraints_ = {};  // which tasks look into
  std::vector<Task> tasks_ = {};
  Index total_ = 0;
  std::atomic<Index> next_ = 0;
  std::mutex mutex_ = {};
  std::map<Index, Finished> waiting_ = {};
  Index handed_over_ = 0;
  bool has_ended_ = false;
  std::set<std::pair<std::string, Index>> warned_ = {};
};

/// What a method begins with is worth keeping if another begins alike.
void forget_single_starts(std::vector<Contestant>& methods) {
  std::map<std::string, Index> count;
  for (const Contestant& method : methods) ++count[method.shared_start];
  for (Contestant& method : methods)
    if (count[method.shared_start] == 1) method.shared_start.clear();
}

template <class T>
std::string other(std::string_view what, const T& there, const T& here) {
  return fmt::format("its {} is {}, not {}", what, there, here);
}

}  // namespace

Experiment experiment_of(const ExperimentTexts& texts, const CallReaders& readers) {
  const Preset& preset = find_preset(texts.protocol);
  Experiment experiment{.variance = readers.ranker_of(std::string(kVarianceControl)),
                        .protocol_name = std::string(preset.name),
                        .seed = texts.seed};
  for (const std::string& text : texts.methods) {
    if (is_control(text)) continue;
    const std::string call = readers.with_options(text, preset.options);
    Contestant contestant{.name = call, .rank = nullptr, .project = readers.projector_of(call)};
    if (!contestant.project) contestant.rank = readers.ranker_of(call);
    contestant.needs_classes = readers.needs_classes(call);
    contestant.options = readers.options_of(call);
    contestant.shared_start = readers.first_ranking_of(call);
    experiment.methods.push_back(std::move(contestant));
  }
  forget_single_starts(experiment.methods);
  experiment.protocol = with_settings(preset.protocol, texts.settings);
  return experiment;
}

ExperimentFacts facts_of(const Experiment& experiment) {
  ExperimentFacts facts{.version = "",
                        .command = "",
                        .seed = experiment.seed,
                        .protocol = experiment.protocol_name,
                        .settings = resolved_values(experiment.protocol),
                        .methods = method_names(experiment)};
  for (const Contestant& method : experiment.methods)
    facts.options.push_back({.method = method.name, .options = method.options});
  if (experiment.data_sets.empty()) throw InvalidArgument("evaluate: there is no data set");
  check_names(facts.methods, "method");
  std::vector<std::string> names;
  for (const DataSet& data : experiment.data_sets) {
    check_splits(experiment, data);
    const CompleteData complete(data, all_indices(data.problem.rows()));
    facts.data_sets.push_back(data_set_facts(data.name, data.file, complete.data().problem));
    names.push_back(data.name);
  }
  check_names(std::move(names), "data set");
  return facts;
}

void run_experiment(const Experiment& experiment, std::span<const RunResult> earlier,
                    const ExperimentListener& listener) {
  ExperimentRun(experiment, earlier, listener)();
}

std::string difference(const ExperimentFacts& earlier, const ExperimentFacts& now) {
  if (earlier.version != now.version) return other("version", earlier.version, now.version);
  if (earlier.seed != now.seed) return other("seed", earlier.seed, now.seed);
  if (earlier.methods != now.methods)
    return other("list of methods", fmt::format("{}", fmt::join(earlier.methods, " ")),
                 fmt::format("{}", fmt::join(now.methods, " ")));
  for (const auto& [name, value] : now.settings) {
    const auto there =
        std::ranges::find(earlier.settings, name, [](const auto& entry) { return entry.first; });
    const std::string text = there == earlier.settings.end() ? "missing" : to_text(there->second);
    if (text != to_text(value)) return other(name, text, to_text(value));
  }
  if (earlier.data_sets.size() != now.data_sets.size())
    return other("number of data sets", earlier.data_sets.size(), now.data_sets.size());
  for (std::size_t s = 0; s < now.data_sets.size(); ++s) {
    const DataSetFacts& there = earlier.data_sets[s];
    const DataSetFacts& here = now.data_sets[s];
    if (there.name != here.name)
      return other(fmt::format("data set {}", s + 1), there.name, here.name);
    if (there.hash != here.hash) return fmt::format("{} has other content now", here.name);
  }
  return "";
}

}  // namespace tamis
