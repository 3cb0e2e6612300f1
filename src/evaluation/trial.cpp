#include "evaluation/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "core/random.hpp"
#include "evaluation/implied_pairs.hpp"
#include "evaluation/metrics.hpp"
#include "evaluation/prefix_judge.hpp"
#include "prepare/feature_groups.hpp"
#include "prepare/label_sample.hpp"
#include "prepare/subproblem.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Correlations of all pairs of more features than this would cost more than everything else.
constexpr Index kMostCorrelated = 200;

/// Rows that are scaled and projected at once.
constexpr Index kProjectedRows = 256;

/// A seed that also fits a signed number, as the program reads seeds.
std::uint64_t derived(std::uint64_t seed, std::uint64_t stream) {
  return RandomStream(seed, stream).bits() >> 1;
}

/// FNV-1a.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

void check_classes(const Problem& problem) {
  const auto classes = positions_by_class(problem.known.labels);
  if (classes.size() < 2)
    throw DataError(
        fmt::format("the labels name {}: features are judged by telling at least two classes apart",
                    classes.empty() ? "no class" : "a single class"));
  for (const auto& [label, rows] : classes)
    if (rows.size() == 1)
      throw DataError(fmt::format(
          "class {} has one labeled row, which cannot be both among the training and among the "
          "test rows: leave the class out or label more of its rows",
          class_name(problem.known, label)));
}

Split draw_split(const std::vector<Index>& labels, const Protocol& protocol, Index fold,
                 RandomStream random) {
  switch (protocol.split) {
    case SplitKind::fraction:
      return stratified_split(labels, protocol.train_share, random);
    case SplitKind::first_half:
      return leading_split(labels, 0.5);
    case SplitKind::k_fold:
      return stratified_k_fold(labels, protocol.folds, random)[fold];
  }
  return {};
}

/// So many labels in all, shared out evenly; the classes that get one more are random.
LabelSample share_out_labels(const Problem& problem, std::span<const Index> rows, Index count,
                             RandomStream& random) {
  std::vector<Index> row_labels;
  for (const Index row : rows) row_labels.push_back(problem.known.labels[row]);
  const auto classes = positions_by_class(row_labels);
  const Index n_classes = std::ssize(classes);
  std::vector<Index> quota(n_classes, count / n_classes);
  for (const Index c : random.sample(n_classes, count % n_classes)) ++quota[c];
  LabelSample all{.labels = std::vector<Index>(problem.known.labels.size(), kUnlabeled)};
  if (count < n_classes)
    all.warning = fmt::format("{} {} fewer than the {} classes: some have no labeled row", count,
                              count == 1 ? "label is" : "labels are", n_classes);
  Index c = 0;
  for (const auto& [label, positions] : classes) {
    const Index wanted = quota[c++];
    if (wanted == 0) continue;
    std::vector<Index> members;
    for (const Index s : positions) members.push_back(rows[s]);
    const LabelSample one =
        sample_labels(problem.known.labels, members, wanted, random, problem.known.class_names);
    for (const Index row : members) all.labels[row] = one.labels[row];
    if (!all.warning) all.warning = one.warning;
  }
  return all;
}

/// While it lives, time runs; then it is written into the result, whatever happened.
class CostNote {
 public:
  CostNote(RunResult& run, const std::function<Index()>& peak_memory)
      : run_(run), peak_memory_(peak_memory) {}
  ~CostNote() {
    const Cost cost = watch_.elapsed() + shared_;
    run_.cpu_seconds = cost.cpu_seconds;
    run_.wall_seconds = cost.wall_seconds;
    if (peak_memory_) run_.peak_memory_bytes = peak_memory_();
  }
  CostNote(const CostNote&) = delete;
  CostNote& operator=(const CostNote&) = delete;

  /// Of work that was done before, for others too.
  void add(const Cost& cost) { shared_ = shared_ + cost; }

 private:
  RunResult& run_;
  const std::function<Index()>& peak_memory_;
  CostWatch watch_;
  Cost shared_ = {};
};

/// The lengths that a list of features has, where longer ones mean all of it.
std::vector<Index> within(std::span<const Index> lengths, Index n_features) {
  std::vector<Index> possible;
  for (const Index length : lengths)
    if (const Index cut = std::min(length, n_features); possible.empty() || cut > possible.back())
      possible.push_back(cut);
  return possible;
}

/// One value per length from one per possible length: the last one stands for all longer ones.
void extend(std::vector<double>& values, std::size_t n_lengths) {
  values.resize(n_lengths, values.back());
}

void add_share(std::vector<double>& sums, const std::vector<double>& values, double share) {
  sums.resize(values.size(), 0.0);
  for (std::size_t s = 0; s < values.size(); ++s) sums[s] += share * values[s];
}

}  // namespace

CompleteData::CompleteData(const DataSet& data, std::span<const Index> rows) : data_(data) {
  if (!fills_in(data.missing) || find_missing(data.problem.matrix).cells == 0) return;
  owned_ = imputed(data.problem, rows, data.missing, data.progress);
  filled_ = data;
  filled_->problem = owned_->problem();
}

Index n_runs(const Protocol& protocol) {
  return protocol.split == SplitKind::k_fold ? protocol.runs * protocol.folds : protocol.runs;
}

Trial draw_trial(const DataSet& data, const Protocol& protocol, std::uint64_t seed,
                 Index labels_per_class, Index run) {
  const Problem& problem = data.problem;
  check_classes(problem);
  const Index folds = protocol.split == SplitKind::k_fold ? protocol.folds : 1;
  const std::uint64_t repetition_seed = derived(derived(seed, hash_of(data.name)), run / folds);
  Trial trial{.labels_per_class = labels_per_class, .run = run};
  trial.seed = derived(derived(repetition_seed, 1 + run % folds), labels_per_class);
  trial.split =
      draw_split(problem.known.labels, protocol, run % folds, RandomStream(repetition_seed, 0));
  RandomStream random(trial.seed, 0);
  LabelSample sample = protocol.label_budget == LabelBudget::per_class
                           ? sample_labels(problem.known.labels, trial.split.train,
                                           labels_per_class, random, problem.known.class_names)
                           : share_out_labels(problem, trial.split.train, labels_per_class, random);
  trial.few_labels = std::move(sample.labels);
  trial.warning = std::move(sample.warning);
  return trial;
}

std::uint64_t method_seed(const Trial& trial) { return derived(trial.seed, 1); }
std::uint64_t random_features_seed(const Trial& trial) { return derived(trial.seed, 2); }
std::uint64_t constraints_seed(const Trial& trial) { return derived(trial.seed, 3); }
std::uint64_t kmeans_seed(const Trial& trial) { return derived(trial.seed, 4); }

struct TrialRunner::Parts {
  Parts(const DataSet& data_set, const Protocol& how, Trial drawn)
      : protocol(how),
        trial(std::move(drawn)),
        complete_data(data_set, trial.split.train),
        data(complete_data.data()),
        lengths(lengths_for(how, data.problem.cols())),
        scaling(fit_scaling(data.problem.matrix, trial.split.train, how.scaling)),
        judge(data, how, trial, scaling),
        method_run{.seed = method_seed(trial), .progress = data.progress},
        training(training_problem()) {
    if (how.scaled_ranking) scaled_training = scaled(seen(), trial.split.train, scaling);
  }

  /// The table with the few labels and nothing else that is known.
  Problem seen() const {
    const Knowledge& known = data.problem.known;
    return {.matrix = data.problem.matrix,
            .feature_names = data.problem.feature_names,
            .known = {.sample_ids = known.sample_ids,
                      .labels = trial.few_labels,
                      .class_names = known.class_names},
            .feature_groups = data.problem.feature_groups};
  }
  OwnedProblem training_problem() const {
    return subproblem(seen(), trial.split.train, all_indices(data.problem.cols()));
  }

  /// The same problem with some of the pairs that its labels imply in place of the labels.
  Problem with_pairs(Problem problem, Index count) const {
    Knowledge& known = problem.known;
    const Index n_classes = 1 + *std::ranges::max_element(data.problem.known.labels);
    known.pairs = implied_pairs(known.labels, count, constraints_seed(trial));
    for (Index c = std::ssize(known.class_names); c < n_classes; ++c)
      known.class_names.push_back(std::to_string(c));
    known.labels.clear();
    return problem;
  }

  /// What a method sees that is given a number of constraints.
  Problem seen_by(const Contestant& contestant, const Problem& problem,
                  std::optional<Index> n_constraints) const {
    return n_constraints && !contestant.needs_classes ? with_pairs(problem, *n_constraints)
                                                      : problem;
  }

  /// What work(result) makes of an empty result; its failure, if it throws. On this thread alone.
  template <class Work>
  RunResult attempt(const std::string& method, std::optional<Index> n_constraints,
                    Work&& work) const {
    const SerialSection alone;
    RunResult run{.data_set = data.name,
                  .labels_per_class = trial.labels_per_class,
                  .n_constraints = n_constraints,
                  .run = trial.run,
                  .method = method};
    try {
      work(run);
    } catch (const Interrupted&) {
      throw;
    } catch (const std::bad_alloc&) {
      empty_for_failure(run, "not enough memory");
    } catch (const std::exception& error) {
      empty_for_failure(run, error.what());
    }
    return run;
  }
  static void empty_for_failure(RunResult& run, const char* why) {
    run.failure = why;
    run.lengths.clear();
    run.features.clear();
    run.views.clear();
    run.kmeans.reset();
    run.mean_correlation.clear();
  }

  /// Fills in how good the features are.
  void assess(std::span<const Index> features, RunResult& run) const {
    const std::vector<Index> possible = within(lengths, std::ssize(features));
    judge_columns(judge.columns_of(features), possible, run);
    complete(training.problem().matrix, features, possible, run);
  }

  /// The same of an ensemble whose members vote; its own ranking says which features those are.
  void assess_votes(const Ranking& ranking, RunResult& run) const {
    const std::vector<Index> possible = within(lengths, std::ssize(run.features));
    run.views = judge.judge_votes(ranking.member_orders, possible);
    const Buffer<double> values = judge.columns_of(run.features);
    run.kmeans = judge.cluster(table_of(values), possible);
    complete(training.problem().matrix, run.features, possible, run);
  }

  /// The same of the rows of a table along directions, columns of which are new features.
  void assess(const Projection& projection, RunResult& run) const {
    const Index n_components = projection.components.rows;
    const std::vector<Index> possible = within(lengths, n_components);
    const Buffer<double> values = projected(projection);
    judge_columns(values, possible, run);
    const DenseView<double> of_training(values.data(), std::ssize(trial.split.train), n_components);
    complete(of_training, all_indices(n_components), possible, run);
  }

  /// Values as columns, with a row for each that is judged.
  DenseView<double> table_of(const Buffer<double>& values) const {
    const Index n_rows = std::ssize(judge.rows());
    return {values.data(), n_rows, std::ssize(values) / n_rows};
  }

  /// What classifiers and clusters make of columns.
  void judge_columns(const Buffer<double>& values, const std::vector<Index>& possible,
                     RunResult& run) const {
    run.views = judge.judge(table_of(values), possible);
    run.kmeans = judge.cluster(table_of(values), possible);
  }

  /// What the views leave to be filled in: `columns` of the training rows, how they correlate.
  void complete(const MatrixView& columns, std::span<const Index> features,
                const std::vector<Index>& possible, RunResult& run) const {
    run.lengths = lengths;
    for (ViewpointResult& view : run.views) {
      extend(view.accuracy, lengths.size());
      extend(view.balanced_accuracy, lengths.size());
    }
    if (run.kmeans)
      for (auto* const values : {&run.kmeans->rand, &run.kmeans->adjusted_rand, &run.kmeans->nmi})
        extend(*values, lengths.size());
    const Index known =
        std::ranges::count_if(possible, [](Index length) { return length <= kMostCorrelated; });
    run.mean_correlation =
        mean_correlations_by_prefix(columns, features, std::span(possible).first(known));
    run.mean_correlation.resize(possible.size(), kUndefined);
    extend(run.mean_correlation, lengths.size());
  }

  /// The rows that are judged, along the components; scaled, a block at a time.
  Buffer<double> projected(const Projection& projection) const {
    const std::vector<Index> columns = all_indices(data.problem.cols());
    const Index n_rows = std::ssize(judge.rows());
    Buffer<double> values;
    for (Index from = 0; from < n_rows; from += kProjectedRows) {
      const auto rows = judge.rows().subspan(from, std::min(kProjectedRows, n_rows - from));
      const Buffer<double> block = scaled_columns(data.problem.matrix, rows, columns, scaling);
      const DenseView<double> view(block.data(), std::ssize(rows), data.problem.cols());
      const auto found = projected_rows(view, projection.mean, projection.components);
      values.insert(values.end(), found.values.begin(), found.values.end());
    }
    return values;
  }

  const Protocol& protocol;
  Trial trial;
  CompleteData complete_data;
  const DataSet& data;
  std::vector<Index> lengths;
  Scaling scaling;
  PrefixJudge judge;
  Run method_run;
  OwnedProblem training;
  std::optional<OwnedProblem> scaled_training = std::nullopt;
};

TrialRunner::TrialRunner(const DataSet& data, const Protocol& protocol, Trial trial)
    : parts_(std::make_unique<const Parts>(data, protocol, std::move(trial))) {}
TrialRunner::~TrialRunner() = default;

RunResult TrialRunner::run(const Contestant& contestant, const std::function<Index()>& peak_memory,
                           std::optional<Index> n_constraints) {
  if (contestant.project) return run_projection(contestant, peak_memory, n_constraints);
  const bool sees_scaled = parts_->scaled_training && !contestant.sees_unscaled;
  const OwnedProblem& training = sees_scaled ? *parts_->scaled_training : parts_->training;
  const Problem problem = parts_->seen_by(contestant, training.problem(), n_constraints);
  return parts_->attempt(contestant.name, n_constraints, [&](RunResult& run) {
    Ranking ranking;
    {
      CostNote cost(run, peak_memory);
      Run method_run = parts_->method_run;
      if (!contestant.shared_start.empty())
        method_run.recall = [&](const std::string& words, const std::function<Ranking()>& rank) {
          if (words != contestant.shared_start) return rank();
          const auto pairs = problem.known.pairs ? n_constraints : std::nullopt;
          return starts_.ranking({words, sees_scaled, pairs}, rank,
                                 [&](const Cost& earlier) { cost.add(earlier); });
        };
      ranking = by_groups(contestant.rank(problem, method_run), problem.feature_groups);
    }
    run.warnings = std::move(ranking.diagnostics.warnings);
    run.features = ranking.subset ? *ranking.subset : ranking.order;
    if (run.features.empty()) throw DataError("no feature was kept");
    run.features.resize(
        std::min(run.features.size(), static_cast<std::size_t>(parts_->lengths.back())));
    if (ranking.member_orders.empty())
      parts_->assess(run.features, run);
    else
      parts_->assess_votes(ranking, run);
  });
}

RunResult TrialRunner::run_projection(const Contestant& contestant,
                                      const std::function<Index()>& peak_memory,
                                      std::optional<Index> n_constraints) const {
  return parts_->attempt(contestant.name, n_constraints, [&](RunResult& run) {
    std::optional<OwnedProblem> scaled_rows;
    if (parts_->protocol.scaling != ScalingKind::none)
      scaled_rows = scaled(parts_->seen(), parts_->trial.split.train, parts_->scaling);
    const Problem problem = parts_->seen_by(
        contestant, scaled_rows ? scaled_rows->problem() : parts_->training.problem(),
        n_constraints);
    Projection projection;
    {
      const CostNote cost(run, peak_memory);
      projection = contestant.project(problem, parts_->lengths.back(), parts_->method_run);
    }
    run.warnings = std::move(projection.warnings);
    parts_->assess(projection, run);
  });
}

RunResult TrialRunner::all_features() const {
  return parts_->attempt(std::string(kAllFeatures), std::nullopt, [&](RunResult& run) {
    run.lengths = {parts_->data.problem.cols()};
    parts_->judge_columns(parts_->judge.columns_of(all_indices(parts_->data.problem.cols())),
                          run.lengths, run);
    run.mean_correlation = {kUndefined};
  });
}

RunResult TrialRunner::random_features() const {
  const std::uint64_t seed = random_features_seed(parts_->trial);
  const double share = 1.0 / static_cast<double>(parts_->protocol.random_draws);
  return parts_->attempt(std::string(kRandomFeatures), std::nullopt, [&](RunResult& mean) {
    for (Index draw = 0; draw < parts_->protocol.random_draws; ++draw) {
      RunResult one;
      parts_->assess(
          RandomStream(seed, draw).sample(parts_->data.problem.cols(), parts_->lengths.back()),
          one);
      mean.lengths = one.lengths;
      mean.views.resize(one.views.size());
      for (std::size_t v = 0; v < one.views.size(); ++v) {
        mean.views[v].view = one.views[v].view;
        add_share(mean.views[v].accuracy, one.views[v].accuracy, share);
        add_share(mean.views[v].balanced_accuracy, one.views[v].balanced_accuracy, share);
      }
      add_share(mean.mean_correlation, one.mean_correlation, share);
      if (one.kmeans) {
        if (!mean.kmeans) mean.kmeans.emplace();
        add_share(mean.kmeans->rand, one.kmeans->rand, share);
        add_share(mean.kmeans->adjusted_rand, one.kmeans->adjusted_rand, share);
        add_share(mean.kmeans->nmi, one.kmeans->nmi, share);
      }
    }
  });
}

}  // namespace tamis
