#include "streaming/streamed_weighted_kmeans.hpp"

#include <deque>

#include "methods/l2gfs_run.hpp"
#include "methods/wckm_run.hpp"
#include "streaming/member_sums.hpp"
#include "streaming/membership_sums.hpp"

namespace tamis {
namespace {

/// The runs of a method, as `All` gathers them, with the questions of `State`.
template <class All, class State>
class StreamedRuns : public StreamedWeights {
 public:
  using Options = typename All::Options;

  StreamedRuns(StreamedProblem problem, const Options& options, WeightedPlan plan,
               ClusterGiven given, std::uint64_t seed, For what)
      : StreamedWeights(std::move(problem), std::move(plan), std::move(given), seed, what),
        options_(options) {}

  Clustering clustering(const Run& run) override {
    All all = all_runs(run);
    Clustering best = std::move(all.runs.best.clustering);
    best.clusters = clusters_of(best.run, best.clusters);
    best.warnings = std::move(all.warnings);
    return best;
  }
  Ranking ranking(const Run& run) override {
    return ranking_of(all_runs(run), setting(), options_, begin_diagnostics());
  }

 protected:
  const Options& options() const { return options_; }
  typename All::OneRun& run(Index number) { return runs_[number]; }

 private:
  std::string_view kind() const override { return State::kKind; }
  void begin_run(ClusterStart start, Index number) override {
    runs_.emplace_back(setting(), options_, std::move(start), number);
  }
  bool is_done(Index number) const override { return runs_[number].is_done(); }
  RowPlaces places_of(PassState& state) override {
    return static_cast<State&>(state).take_places();
  }

  All all_runs(const Run& run) const {
    All all;
    all.warnings = plan().warnings;
    for (const auto& one : runs_) {
      auto result = one.result();
      const Index number = result.clustering.run;
      record_start(run.trace, number, start_of(number), problem().cols);
      record_iterations(run.trace, result.clustering);
      all.add(std::move(result));
    }
    all.finish(setting(), options_);
    return all;
  }

  Options options_;
  std::deque<typename All::OneRun> runs_;
};

class StreamedWckm : public StreamedRuns<Wckm, MembershipSumsState> {
 public:
  using StreamedRuns::StreamedRuns;

 private:
  Pass question(const std::vector<Index>& runs) override {
    MembershipSumsState::Question question{.sets = {},
                                           .ranges = ranges(),
                                           .beta = options().beta,
                                           .membership = options().membership,
                                           .left_out = linked()};
    for (const Index r : runs)
      question.sets.push_back({&run(r).now().now(), run(r).now().near_before()});
    return MembershipSumsState::pass(question);
  }

  bool go_on(Index number, PassState& state, Index set, const std::vector<Index>& /*clusters*/,
             Index changed) override {
    FuzzyRun::FreeRows free = static_cast<MembershipSumsState&>(state).free_rows(set);
    free.changes.rows = changed;
    run(number).step(std::move(free));
    return run(number).is_done();
  }
};

class StreamedL2gfs : public StreamedRuns<L2gfs, MemberSumsState> {
 public:
  using StreamedRuns::StreamedRuns;

 private:
  Pass question(const std::vector<Index>& runs) override {
    MemberSumsState::Question question{
        .sets = {}, .ranges = ranges(), .beta = options().beta, .bound = linked()};
    for (const Index r : runs) {
      question.sets.push_back(&run(r).now().now());
      question.bound_to.push_back(run(r).now().linked_clusters());
    }
    return MemberSumsState::pass(question);
  }

  bool go_on(Index number, PassState& state, Index set, const std::vector<Index>& clusters,
             Index changed) override {
    std::vector<Index> of_linked;
    for (const Index row : linked()) of_linked.push_back(clusters[row]);
    run(number).step(std::move(of_linked), changed,
                     static_cast<MemberSumsState&>(state).moments(set), clusters);
    return run(number).is_at_best();
  }
};

template <class Streamed, class Options>
std::unique_ptr<StreamedWeights> begin(const Options& options, StreamedProblem problem,
                                       ClusterGiven given, std::uint64_t seed,
                                       StreamedWeights::For what) {
  const DenseView<double> no_values(nullptr, 0, problem.cols);
  check_needs(options.info, Problem{.matrix = no_values, .known = problem.known});
  WeightedPlan plan = plan_of(options, problem.known, problem.rows, problem.cols, given);
  return std::make_unique<Streamed>(std::move(problem), options, std::move(plan), std::move(given),
                                    seed, what);
}

}  // namespace

std::unique_ptr<StreamedWeights> streamed_weights(const WckmOptions& options,
                                                  StreamedProblem problem, ClusterGiven given,
                                                  std::uint64_t seed, StreamedWeights::For what) {
  if (what == StreamedWeights::For::ranking) check_rankable(options);
  return begin<StreamedWckm>(options, std::move(problem), std::move(given), seed, what);
}

std::unique_ptr<StreamedWeights> streamed_weights(const L2gfsOptions& options,
                                                  StreamedProblem problem, ClusterGiven given,
                                                  std::uint64_t seed, StreamedWeights::For what) {
  return begin<StreamedL2gfs>(options, std::move(problem), std::move(given), seed, what);
}

}  // namespace tamis
