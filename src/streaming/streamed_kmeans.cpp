#include "streaming/streamed_kmeans.hpp"

#include <algorithm>
#include <utility>

#include "clustering/kmeans/lloyd.hpp"
#include "streaming/chosen_rows.hpp"
#include "streaming/rows_to_begin_at.hpp"

namespace tamis {

StreamedKmeans::StreamedKmeans(StreamedProblem problem, const KmeansPlan& plan, ClusterGiven given,
                               std::uint64_t seed)
    : problem_(std::move(problem)),
      plan_(plan),
      given_(std::move(given)),
      seed_(seed),
      setting_(settle(plan_, problem_.known, problem_.rows, problem_.cols, given_)),
      draws_(!given_.start && setting_.n_seeds(plan_) < setting_.n_clusters) {
  if (draws_)
    sample_ = rows_to_begin_at(problem_, setting_.n_clusters, seed_);
  else if (!given_.start)
    sample_ = known_rows(problem_.known);
  if (plan_.classes == ClassUse::binding)
    for (const Index row : known_rows(problem_.known))
      if (setting_.links.has_class(row)) bound_.push_back({row, setting_.links.group_of(row)});
}

bool StreamedKmeans::settled() const {
  return ranges_ && std::ranges::all_of(restarts_, &Restart::is_done);
}

std::vector<PassPlan> StreamedKmeans::passes() const {
  const Index n_clusters = setting_.n_clusters;
  const Index links = 4 * problem_.rows * Index{sizeof(Index)};
  // places before and after, and clusters of one restart before and after, and of the best one
  const Index of_rows =
      problem_.rows * (2 * RowPlaces::bytes_per_row(n_clusters, n_restarts()) + 3 * sizeof(Index));
  const Index centers =
      2 * CenterSumsState::bytes(n_restarts(), n_clusters, problem_.cols);  // and starts
  std::vector<PassPlan> all{
      {std::string(ChosenRowsState::kKind), links + 3 * problem_.bytes_of(std::ssize(sample_))}};
  const std::size_t placings = std::max<std::size_t>(passes_done_, 1) + (settled() ? 0 : 1);
  all.resize(placings, {std::string(CenterSumsState::kKind), links + of_rows + centers});
  return all;
}

Index StreamedKmeans::result_bytes() const {
  constexpr Index kBytesPerRow = 100;  // of what is written of it, too
  return passes().back().bytes + kBytesPerRow * problem_.rows;
}

std::optional<Pass> StreamedKmeans::next_pass() {
  if (!ranges_) return ChosenRowsState::pass(sample_, problem_.cols);
  if (settled()) return std::nullopt;
  CenterSumsState::Question question{
      .sets = {}, .ranges = *ranges_, .bound = bound_, .keeps_places = true};
  for (const Restart& restart : restarts_)
    if (!restart.is_done) question.sets.emplace_back(restart.found.centroids);
  return CenterSumsState::pass(question);
}

void StreamedKmeans::begin(PassState& state) {
  auto& answer = static_cast<ChosenRowsState&>(state);
  ranges_ = answer.ranges();
  refuse_bad_values(ranges_->bad_values(), problem_);
  const OwnedTable sample = answer.take_table().value_or(DenseTable<double>{});
  const MatrixView view = view_of(sample);
  std::vector<std::vector<Index>> seeds(static_cast<std::size_t>(setting_.n_seeds(plan_)));
  std::vector<Index> free_places;
  for (Index s = 0; s < std::ssize(sample_); ++s) {
    if (setting_.is_free(plan_, sample_[s]))
      free_places.push_back(s);
    else
      seeds[setting_.links.group_of(sample_[s])].push_back(s);
  }
  ClusterStart known = given_.start.value_or(ClusterStart{});
  if (!given_.start)
    for (const std::vector<Index>& places : seeds) {
      const std::vector<double> mean = mean_of_rows(view, places);
      known.centroids.insert(known.centroids.end(), mean.begin(), mean.end());
    }
  for (Index r = 0; r < n_restarts(); ++r) {
    Restart& restart = restarts_.emplace_back(Restart{.start = known});
    RandomStream random(seed_, static_cast<std::uint64_t>(r));
    if (draws_)
      draw_centroids(view, free_places, plan_.start, setting_.n_clusters, random,
                     restart.start.centroids);
    restart.found.centroids = restart.start.centroids;
    restart.found.run = r;
  }
}

void StreamedKmeans::accept(std::unique_ptr<PassState> state) {
  ++passes_done_;
  if (!ranges_) return begin(*state);
  auto& answer = static_cast<CenterSumsState&>(*state);
  RowPlaces places = answer.take_places();
  Index set = 0;
  for (Restart& restart : restarts_) {
    if (restart.is_done) continue;
    std::vector<Index> clusters = places.of_set(set);
    const Index changed =
        places_ ? count_changes(places_->of_set(restart.set), clusters) : problem_.rows;
    restart.set = set++;
    restart.found.iterations.push_back({.changed = changed});
    go_on(restart, answer, std::move(clusters));
  }
  places_ = std::move(places);
}

/// As lloyd() does.
void StreamedKmeans::go_on(Restart& restart, const CenterSumsState& answer,
                           std::vector<Index> clusters) {
  Clustering& found = restart.found;
  const Violations broken = violations(setting_.links, clusters);
  ClusterIteration& iteration = found.iterations.back();
  iteration.objective = found.objective = answer.sum_of_squares(restart.set);
  iteration.must_link_violations = broken.must_link;
  iteration.cannot_link_violations = broken.cannot_link;
  found.converged = iteration.changed == 0;
  restart.is_done = found.converged || std::ssize(found.iterations) > plan_.max_iter;
  if (!restart.is_done) return move_centroids(restart, answer);
  const auto rank = [](const Clustering& run) { return std::pair(run.objective, run.run); };
  if (best_ && rank(best_->found) < rank(found)) return;
  for (Restart& other : restarts_) other.found.clusters = {};
  found.clusters = std::move(clusters);
  best_ = &restart;
}

void StreamedKmeans::move_centroids(Restart& restart, const CenterSumsState& answer) const {
  for (Index q = 0; q < setting_.n_clusters; ++q)
    if (answer.count(restart.set, q) > 0)
      for (Index r = 0; r < problem_.cols; ++r)
        restart.found.centroids[q * problem_.cols + r] = answer.mean(restart.set, q, r);
}

Clustering StreamedKmeans::result(const Run& run) {
  for (const Restart& restart : restarts_) {
    record_start(run.trace, restart.found.run, restart.start, problem_.cols);
    record_iterations(run.trace, restart.found);
  }
  Clustering best = best_->found;
  best.warnings = setting_.warnings;
  return best;
}

}  // namespace tamis
