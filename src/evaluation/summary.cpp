#include "evaluation/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "ensembles/stability.hpp"
#include "evaluation/protocol.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr double kLevel = 0.05;

double mean_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? kUndefined : sum / static_cast<double>(values.size());
}

/// Of a sample: divided by n - 1; 0 for a single value.
double deviation_of(std::span<const double> values) {
  if (values.size() < 2) return values.empty() ? kUndefined : 0.0;
  const double mean = mean_of(values);
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

const ViewpointResult* seen_in(const RunResult& run, Viewpoint view) {
  const auto found = std::ranges::find(run.views, view, &ViewpointResult::view);
  return found == run.views.end() ? nullptr : &*found;
}

Index one_error_choice(const Curve& curve) {
  if (curve.mean.empty()) return 0;
  const auto best = std::ranges::max_element(curve.mean) - curve.mean.begin();
  const double error = curve.deviation[best] / std::sqrt(static_cast<double>(curve.runs));
  const auto first = std::ranges::find_if(
      curve.mean, [&](double mean) { return mean >= curve.mean[best] - error; });
  return curve.lengths[first - curve.mean.begin()];
}

/// The runs of one method on one data set with so many labels, ascending.
using Runs = std::vector<const RunResult*>;

Curve curve_of(const Runs& runs, Viewpoint view) {
  Curve curve{.lengths = runs.empty() ? std::vector<Index>{} : runs.front()->lengths,
              .runs = std::ssize(runs)};
  for (std::size_t place = 0; place < curve.lengths.size(); ++place) {
    std::vector<double> values;
    for (const RunResult* const run : runs) values.push_back(seen_in(*run, view)->accuracy[place]);
    curve.mean.push_back(mean_of(values));
    curve.deviation.push_back(deviation_of(values));
  }
  curve.one_error_choice = one_error_choice(curve);
  return curve;
}

MetricSummary metric_of(const Runs& runs, std::vector<double> KmeansResult::*metric) {
  MetricSummary summary;
  std::vector<double> per_run;
  for (const RunResult* const run : runs) per_run.push_back(mean_of((*run->kmeans).*metric));
  summary.mean = mean_of(per_run);
  summary.deviation = deviation_of(per_run);
  for (std::size_t place = 0; place < runs.front()->lengths.size(); ++place) {
    std::vector<double> values;
    for (const RunResult* const run : runs) values.push_back(((*run->kmeans).*metric)[place]);
    summary.mean_by_length.push_back(mean_of(values));
    summary.deviation_by_length.push_back(deviation_of(values));
  }
  return summary;
}

/// Of the runs whose rows were clustered.
std::optional<KmeansSummary> kmeans_of(Runs runs) {
  std::erase_if(runs, [](const RunResult* run) { return !run->kmeans; });
  if (runs.empty()) return std::nullopt;
  return KmeansSummary{.rand = metric_of(runs, &KmeansResult::rand),
                       .adjusted_rand = metric_of(runs, &KmeansResult::adjusted_rand),
                       .nmi = metric_of(runs, &KmeansResult::nmi)};
}

/// Of the best `chosen` features of each run, or of all that it kept.
std::optional<Stability> stability_of(const Runs& runs, Index chosen, Index n_features) {
  std::vector<std::vector<Index>> sets;
  for (const RunResult* const run : runs) {
    const std::span<const Index> features = run->features;
    const auto best = features.first(std::min<std::size_t>(features.size(), chosen));
    if (!best.empty()) sets.emplace_back(best.begin(), best.end());
  }
  if (sets.size() < 2) return std::nullopt;
  return stability(sets, n_features);
}

/// Of the best `chosen` features; not known for very many.
double mean_correlation_of(const Runs& runs, Index chosen) {
  std::vector<double> known;
  for (const RunResult* const run : runs) {
    const auto place = std::ranges::find(run->lengths, chosen) - run->lengths.begin();
    if (place < std::ssize(run->mean_correlation) && !std::isnan(run->mean_correlation[place]))
      known.push_back(run->mean_correlation[place]);
  }
  return mean_of(known);
}

double cpu_seconds_of(const Runs& runs) {
  std::vector<double> seconds;
  for (const RunResult* const run : runs) seconds.push_back(run->cpu_seconds);
  return mean_of(seconds);
}

/// What the runs of a comparison have in common.
struct Setting {
  Index labels = 0;
  std::optional<Index> constraints = std::nullopt;
  Viewpoint view = Viewpoint::transfer;
  friend auto operator<=>(const Setting&, const Setting&) = default;
};

/// Accuracies of one method, by run.
using ByRun = std::map<Index, double>;

class Summarizer {
 public:
  explicit Summarizer(const ExperimentResults& results)
      : facts_(results.facts), overlap_(test_rows_per_training_row(results.facts.settings)) {
    for (const RunResult& run : results.runs) {
      runs_[{run.data_set, run.labels_per_class, run.n_constraints, run.method}].push_back(&run);
      for (const ViewpointResult& view : run.views)
        settings_.insert({run.labels_per_class, run.n_constraints, view.view});
    }
    for (auto& [key, runs] : runs_) {
      std::ranges::sort(runs, {}, &RunResult::run);
      check_lengths(runs);
    }
  }

  Summary run() const {
    Summary summary;
    for (const DataSetFacts& data : facts_.data_sets)
      for (const Setting& setting : settings_) {
        DataSetSummary one = data_set(data, setting);
        if (!one.methods.empty()) summary.data_sets.push_back(std::move(one));
      }
    for (const Setting& setting : settings_) summary.comparisons.push_back(comparison(setting));
    return summary;
  }

 private:
  using Key = std::tuple<std::string, Index, std::optional<Index>, std::string>;

  static void check_lengths(const Runs& runs) {
    const RunResult* first = nullptr;
    for (const RunResult* const run : runs) {
      if (run->failure) continue;
      if (first == nullptr) first = run;
      if (run->lengths != first->lengths)
        throw DataError(
            fmt::format("runs {} and {} of {} on {} tried different numbers of features",
                        first->run, run->run, run->method, run->data_set));
    }
  }

  /// All that a method did on a data set, if it did anything.
  const Runs* all_runs(const DataSetFacts& data, const Setting& setting,
                       const std::string& method) const {
    const auto found = runs_.find({data.name, setting.labels, setting.constraints, method});
    return found == runs_.end() ? nullptr : &found->second;
  }

  /// Those that worked.
  Runs done(const DataSetFacts& data, const Setting& setting, const std::string& method) const {
    const Runs* const all = all_runs(data, setting, method);
    Runs runs = all == nullptr ? Runs{} : *all;
    std::erase_if(runs, [view = setting.view](const RunResult* run) {
      return seen_in(*run, view) == nullptr;
    });
    return runs;
  }

  ByRun accuracies(const DataSetFacts& data, const Setting& setting,
                   const std::string& method) const {
    ByRun means;
    for (const RunResult* const run : done(data, setting, method))
      means[run->run] = mean_of(seen_in(*run, setting.view)->accuracy);
    return means;
  }

  std::optional<AgainstRandom> against_random(const ByRun& one, const ByRun& random) const {
    std::vector<double> a;
    std::vector<double> b;
    for (const auto& [run, value] : one)
      if (const auto found = random.find(run); found != random.end()) {
        a.push_back(value);
        b.push_back(found->second);
      }
    if (a.size() < 2) return std::nullopt;
    const PairedTest test = paired_t_test(a, b, overlap_);
    return AgainstRandom{.finding = test.p_value > kLevel ? Finding::not_shown
                                    : test.sign > 0       ? Finding::better
                                                          : Finding::worse,
                         .difference = mean_difference(a, b, overlap_),
                         .p_value = test.p_value,
                         .runs = std::ssize(a)};
  }

  DataSetSummary data_set(const DataSetFacts& data, const Setting& setting) const {
    DataSetSummary summary{.data_set = data.name,
                           .labels_per_class = setting.labels,
                           .n_constraints = setting.constraints,
                           .view = setting.view};
    const ByRun random = accuracies(data, setting, std::string(kRandomFeatures));
    for (const std::string& method : facts_.methods) {
      const Runs* const all = all_runs(data, setting, method);
      if (all == nullptr) continue;
      const Runs runs = done(data, setting, method);
      const ByRun by_run = accuracies(data, setting, method);
      MethodSummary one{.method = method,
                        .curve = curve_of(runs, setting.view),
                        .cpu_seconds = is_ranked(method) ? cpu_seconds_of(runs) : kUndefined,
                        .failures = std::ssize(*all) - std::ssize(runs),
                        .kmeans = kmeans_of(runs)};
      one.mean_correlation = mean_correlation_of(runs, one.curve.one_error_choice);
      one.stability = stability_of(runs, one.curve.one_error_choice, data.features);
      if (method != kRandomFeatures) one.against_random = against_random(by_run, random);
      for (const auto& [run, value] : by_run) one.per_run.push_back(value);
      one.mean = mean_of(one.per_run);
      one.deviation = deviation_of(one.per_run);
      for (const RunResult* const run : *all)
        if (is_ranked(method))
          one.peak_memory_bytes =
              std::max(one.peak_memory_bytes.value_or(0), run->peak_memory_bytes);
      summary.methods.push_back(std::move(one));
    }
    return summary;
  }

  /// Of the data sets on which anything worked, the accuracies of each method.
  std::vector<std::vector<ByRun>> tables(const Setting& setting) const {
    std::vector<std::vector<ByRun>> all;
    for (const DataSetFacts& data : facts_.data_sets) {
      std::vector<ByRun> table;
      for (const std::string& method : facts_.methods)
        table.push_back(accuracies(data, setting, method));
      if (std::ranges::any_of(table, [](const ByRun& runs) { return !runs.empty(); }))
        all.push_back(std::move(table));
    }
    return all;
  }

  Comparison comparison(const Setting& setting) const;

  const ExperimentFacts& facts_;
  double overlap_;
  std::map<Key, Runs> runs_ = {};
  std::set<Setting> settings_ = {};
};

/// Runs x methods, row-major: the runs that all methods finished.
std::vector<double> common_runs(const std::vector<ByRun>& methods) {
  std::vector<double> table;
  for (const auto& [run, unused] : methods.front()) {
    if (!std::ranges::all_of(methods, [key = run](const ByRun& m) { return m.contains(key); }))
      continue;
    for (const ByRun& method : methods) table.push_back(method.at(run));
  }
  return table;
}

double mean_over_runs(const ByRun& runs) {
  std::vector<double> values;
  for (const auto& [run, value] : runs) values.push_back(value);
  return mean_of(values);
}

void compare_pairs(const std::vector<std::vector<ByRun>>& data_sets, double overlap,
                   Comparison& comparison) {
  const Index n_methods = std::ssize(comparison.methods);
  std::vector<std::vector<double>> tables;
  for (const std::vector<ByRun>& methods : data_sets) {
    std::vector<double> table = common_runs(methods);
    if (std::ssize(table) >= 2 * n_methods) tables.push_back(std::move(table));
  }
  if (tables.empty()) return;
  comparison.win_tie_loss =
      win_tie_loss(tables, n_methods, kLevel, PairedTestKind::t, Better::higher, overlap);
  const auto random = std::ranges::find(comparison.methods, kRandomFeatures);
  if (random == comparison.methods.end()) return;
  const Index column = random - comparison.methods.begin();
  for (Index method = 0; method < n_methods; ++method)
    comparison.against_random.push_back(
        sign_test(comparison.win_tie_loss[method * n_methods + column]));
}

Comparison Summarizer::comparison(const Setting& setting) const {
  Comparison comparison{.labels_per_class = setting.labels,
                        .n_constraints = setting.constraints,
                        .view = setting.view};
  const auto everything = tables(setting);
  std::vector<std::vector<ByRun>> data_sets(everything.size());
  for (std::size_t place = 0; place < facts_.methods.size(); ++place) {
    if (std::ranges::any_of(everything, [&](const auto& table) { return table[place].empty(); }))
      continue;
    comparison.methods.push_back(facts_.methods[place]);
    for (std::size_t data = 0; data < everything.size(); ++data)
      data_sets[data].push_back(everything[data][place]);
  }
  const Index n_methods = std::ssize(comparison.methods);
  if (n_methods < 2) return comparison;
  compare_pairs(data_sets, overlap_, comparison);
  if (data_sets.size() < 2) return comparison;

  std::vector<double> scores;
  for (const std::vector<ByRun>& methods : data_sets)
    for (const ByRun& method : methods) scores.push_back(mean_over_runs(method));
  comparison.friedman = friedman_test(scores, n_methods);
  return comparison;
}

}  // namespace

Summary summarize(const ExperimentResults& results) { return Summarizer(results).run(); }

}  // namespace tamis
