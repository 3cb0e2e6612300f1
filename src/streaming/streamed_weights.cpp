#include "streaming/streamed_weights.hpp"

#include <algorithm>

#include "clustering/kmeans/lloyd.hpp"
#include "clustering/weighted/link_costs.hpp"
#include "methods/preconditions.hpp"
#include "streaming/chosen_rows.hpp"
#include "streaming/rows_to_begin_at.hpp"

namespace tamis {
namespace {

/// The places of some rows in an ascending list that has them all.
std::vector<Index> places_in(std::span<const Index> list, std::span<const Index> rows) {
  std::vector<Index> places;
  for (const Index row : rows) places.push_back(std::ranges::lower_bound(list, row) - list.begin());
  return places;
}

/// Those of ascending rows that an order of all rows has, in that order.
std::vector<Index> in_order(std::span<const Index> rows, std::span<const Index> order) {
  std::vector<Index> found;
  for (const Index row : order)
    if (std::ranges::binary_search(rows, row)) found.push_back(row);
  return found;
}

/// Passes everything on to what is asked, and takes from it what its Base ends with.
template <class Base>
class Asking : public Base {
 public:
  explicit Asking(std::unique_ptr<StreamedWeights> asked) : asked_(std::move(asked)) {}

  std::vector<PassPlan> passes() const override { return asked_->passes(); }
  bool is_open_ended() const override { return asked_->is_open_ended(); }
  Index result_bytes() const override { return asked_->result_bytes(); }
  std::optional<Pass> next_pass() override { return asked_->next_pass(); }
  void accept(std::unique_ptr<PassState> state) override { asked_->accept(std::move(state)); }

 protected:
  StreamedWeights& asked() { return *asked_; }

 private:
  std::unique_ptr<StreamedWeights> asked_;
};

class WeightedClustering : public Asking<ClusteringConversation> {
 public:
  using Asking::Asking;
  Clustering result(const Run& run) override { return asked().clustering(run); }
};

class WeightedRanking : public Asking<RankingConversation> {
 public:
  using Asking::Asking;

 private:
  Ranking ranked(const Run& run) override { return asked().ranking(run); }
};

}  // namespace

StreamedWeights::StreamedWeights(StreamedProblem problem, WeightedPlan plan, ClusterGiven given,
                                 std::uint64_t seed, For what)
    : problem_(std::move(problem)),
      plan_(std::move(plan)),
      given_(std::move(given)),
      run_{.seed = seed},
      what_(what),
      linked_(linked_rows(Links(problem_.known, problem_.rows), known_rows(problem_.known))),
      sample_(given_.start ? linked_ : rows_to_begin_at(problem_, plan_.n_clusters, seed)) {}

std::vector<Index> StreamedWeights::running() const {
  std::vector<Index> runs;
  for (Index r = 0; r < std::ssize(runs_); ++r)
    if (!is_done(r)) runs.push_back(r);
  return runs;
}

bool StreamedWeights::settled() const { return ranges_ && running().empty(); }

std::vector<PassPlan> StreamedWeights::passes() const {
  const Index links = 4 * problem_.rows * Index{sizeof(Index)};
  // places before and after, those that each run keeps, and clusters of one before and after
  const Index of_rows = problem_.rows * (3 * RowPlaces::bytes_per_row(plan_.n_clusters, n_runs()) +
                                         2 * Index{sizeof(Index)});
  const Index sets = n_runs() * weighted_set_bytes(plan_.n_clusters, problem_.cols);
  const Index kept = 2 * problem_.bytes_of(std::ssize(linked_));
  std::vector<PassPlan> all{
      {std::string(ChosenRowsState::kKind), links + 3 * problem_.bytes_of(std::ssize(sample_))}};
  const std::size_t placings = std::max<std::size_t>(passes_done_, 1) + (settled() ? 0 : 1);
  all.resize(placings, {std::string(kind()), of_rows + sets + kept});
  return all;
}

Index StreamedWeights::result_bytes() const {
  constexpr Index kBytesPerRow = 100;  // of what is written of it, too
  return passes().back().bytes + (what_ == For::clusters ? kBytesPerRow * problem_.rows : 0);
}

std::optional<Pass> StreamedWeights::next_pass() {
  if (!ranges_) return ChosenRowsState::pass(sample_, problem_.cols);
  if (settled()) return std::nullopt;
  return question(running());
}

void StreamedWeights::begin(PassState& state) {
  auto& answer = static_cast<ChosenRowsState&>(state);
  ranges_ = answer.ranges();
  refuse_bad_values(ranges_->bad_values(), problem_);
  ColumnUnits units = units_of(*ranges_);
  if (what_ == For::ranking) require_rankable(plan_.method, units.varies);
  const OwnedTable sample =
      answer.take_table().value_or(DenseTable<double>{.rows = 0, .cols = problem_.cols});
  OwnedTable kept = empty_like(view_of(sample));
  append_rows(kept, view_of(sample), places_in(sample_, linked_));
  linked_rows_.emplace(std::move(kept), problem_.feature_names,
                       known_about(problem_.known, linked_), std::vector<Index>{});
  setting_.emplace(linked_rows_->problem(), plan_.n_clusters, plan_.beta,
                   places_in(linked_, in_order(linked_, given_.order)), run_, std::move(units));
  setting_->learns_weights = plan_.learns_weights;
  for (Index r = 0; r < n_runs(); ++r) {
    runs_.push_back({.start = start_of_run(plan_, given_, view_of(sample), run_.seed, r)});
    begin_run(runs_.back().start, r);
  }
}

void StreamedWeights::accept(std::unique_ptr<PassState> state) {
  ++passes_done_;
  if (!ranges_) return begin(*state);
  RowPlaces places = places_of(*state);
  Index set = 0;
  for (const Index r : running()) {
    const std::vector<Index> clusters = places.of_set(set);
    const Index changed = places_ ? count_changes(places_->of_set(runs_[r].set), clusters)
                                  : std::ssize(clusters) - std::ranges::count(clusters, kNoCluster);
    runs_[r].set = set;
    const bool counts = go_on(r, *state, set, clusters, changed);
    if (counts && what_ == For::clusters) runs_[r].clusters = places.only(set);
    ++set;
  }
  places_ = std::move(places);
}

Diagnostics StreamedWeights::begin_diagnostics() const {
  Diagnostics diagnostics;
  warn_if_unsupervised(plan_.method, problem_.known, diagnostics);
  return diagnostics;
}

std::vector<Index> StreamedWeights::clusters_of(Index run, std::span<const Index> linked) const {
  std::vector<Index> clusters = runs_[run].clusters.value().of_set(0);
  for (std::size_t s = 0; s < linked_.size(); ++s) clusters[linked_[s]] = linked[s];
  return clusters;
}

std::unique_ptr<ClusteringConversation> for_clusters(std::unique_ptr<StreamedWeights> asked) {
  return std::make_unique<WeightedClustering>(std::move(asked));
}

std::unique_ptr<RankingConversation> for_ranking(std::unique_ptr<StreamedWeights> asked) {
  return std::make_unique<WeightedRanking>(std::move(asked));
}

}  // namespace tamis
