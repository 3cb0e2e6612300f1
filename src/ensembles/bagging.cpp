#include "ensembles/bagging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "ensembles/place_intervals.hpp"
#include "ensembles/places.hpp"
#include "ensembles/stability.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kFewestDraws = 5;

/// The best 10 % of the features that have a score; maybe none.
std::vector<Index> best_of(std::span<const double> scores, Better better) {
  std::vector<Index> best = best_first(scores, better);
  const Index defined =
      std::ranges::count_if(scores, [](double score) { return !std::isnan(score); });
  best.resize(std::min(best_tenth(std::ssize(scores)), defined));
  return best;
}

void warn(std::string warning, const Run& run, Diagnostics& diagnostics) {
  if (run.warn_early) run.warn_early(warning);
  diagnostics.warnings.push_back(std::move(warning));
}

/// Adds members to an ensemble in the order of their numbers, whichever is ready first: nobody
/// waits for the others, and what they said is soon forgotten.
class InOrder {
 public:
  InOrder(Index first, Ensemble& ensemble) : next_(first), ensemble_(ensemble) {}

  void add(Index member, MemberScores said) {
    const std::scoped_lock lock(mutex_);
    early_.emplace(member, std::move(said));
    for (auto it = early_.begin(); it != early_.end() && it->first == next_; ++next_) {
      ensemble_.add(it->second);
      it = early_.erase(it);
    }
  }

 private:
  std::mutex mutex_;
  Index next_;
  std::map<Index, MemberScores> early_;
  Ensemble& ensemble_;
};

/// The members that failed, and what the first of them said.
class Failures {
 public:
  void note(Index member, const std::string& reason) {
    const std::scoped_lock lock(mutex_);
    if (count_ == 0 || member < first_) {
      first_ = member;
      reason_ = reason;
    }
    ++count_;
  }
  void report(Index n_members, Diagnostics& diagnostics) const {
    if (count_ == n_members) throw DataError(reason_);
    if (count_ > 0)
      diagnostics.warnings.push_back(
          fmt::format("{} of {} members could not rank what they drew; the first: {}", count_,
                      n_members, reason_));
  }

 private:
  std::mutex mutex_;
  Index count_ = 0;
  Index first_ = 0;
  std::string reason_;
};

}  // namespace

Ensemble::Ensemble(Index n_features, Combine combine)
    : whole_(n_features, combine), groups_(kGroups, VoteSums(n_features, combine)) {}

void Ensemble::add(const MemberScores& member) {
  const Ballot ballot = ballot_of(member, whole_.combine());
  groups_[whole_.members() % kGroups].add(ballot);
  whole_.add(ballot);
}

std::vector<double> Ensemble::combined() const {
  std::vector<double> scores = whole_.combined();
  if (whole_.combine() == Combine::literal) return scores;
  for (Index r = 0; r < std::ssize(scores); ++r)
    if (!whole_.has_score(r)) scores[r] = kUndefined;
  return scores;
}

Ranking Ensemble::ranking(std::vector<double> scores, Diagnostics diagnostics,
                          std::string_view why_all_undefined, const Run& run) const {
  Ranking result =
      rank_features(std::move(scores), whole_.better(), std::move(diagnostics), why_all_undefined);
  result.committee = committee(result, run);
  return result;
}

Committee Ensemble::committee(const Ranking& ranking, const Run& run) const {
  const std::size_t n_features = ranking.scores.size();
  Committee result = whole_.committee();
  result.place.resize(n_features);
  for (std::size_t s = 0; s < n_features; ++s)
    result.place[ranking.order[s]] = static_cast<Index>(s + 1);
  PlaceIntervals intervals{std::vector<double>(n_features, kUndefined),
                           std::vector<double>(n_features, kUndefined)};
  if (whole_.members() >= kFewestMembersForIntervals && whole_.combine() != Combine::robust_rank)
    intervals = place_intervals(std::span(groups_).first(std::min(whole_.members(), kGroups)),
                                ranking.scores, ranking.better, run);
  result.place_low = std::move(intervals.low);
  result.place_high = std::move(intervals.high);
  result.stability = stability();
  return result;
}

std::optional<Stability> Ensemble::stability() const {
  const Index n_parts = std::min(whole_.members(), kParts);
  if (n_parts < 2) return std::nullopt;
  std::vector<std::vector<Index>> parts(n_parts, std::vector<Index>(kGroups, 0));
  for (Index part = 0; part < n_parts; ++part)
    for (Index g = part; g < kGroups; g += kParts) parts[part][g] = 1;
  const std::vector<std::vector<double>> scores = tamis::combined(groups_, parts);
  std::vector<std::vector<Index>> sets(n_parts);
  parallel_for(n_parts, 1,
               [&](Index part, Index) { sets[part] = best_of(scores[part], whole_.better()); });
  return tamis::stability(sets, std::ssize(scores.front()));
}

void add_members(Index first, Index last, const std::function<MemberScores(Index)>& score,
                 const Progress& progress, Ensemble& ensemble) {
  Progress::Stage stage(progress, "members", last - first);
  const bool are_many = last - first >= 4 * max_threads();
  InOrder in_order(first, ensemble);
  std::atomic<Index> next = first;
  // One piece per thread, which take members by their numbers: few are ready before their turn.
  parallel_for(std::min(max_threads(), last - first), 1, [&](Index, Index) {
    const SerialSection alone(are_many);
    try {
      for (Index member = next++; member < last; member = next++) {
        in_order.add(member, score(member));
        stage.advance();
      }
    } catch (...) {
      next = last;
      throw;
    }
  });
}

void warn_of_few_members(Index n_members, const Run& run, Diagnostics& diagnostics) {
  if (n_members >= kFewestMembersForIntervals) return;
  warn(fmt::format("{} too few to tell how sure places are; take at least {}",
                   n_members == 1 ? "1 member is" : fmt::format("{} members are", n_members),
                   kFewestMembersForIntervals),
       run, diagnostics);
}

void warn_of_few_draws(const Resampling& resampling, Index n_features, Index n_members,
                       const Run& run, Diagnostics& diagnostics) {
  warn_of_few_members(n_members, run, diagnostics);
  if (resampling.subspace_size() == n_features) return;
  std::vector<Index> draws(n_features, 0);
  for (Index member = 0; member < n_members; ++member)
    for (const Index feature : resampling.draw_features(member)) ++draws[feature];
  const Index rare = std::ranges::count_if(draws, [](Index count) { return count < kFewestDraws; });
  if (rare == 0) return;
  warn(fmt::format("{} of {} features are drawn fewer than {} times by {} members ({} never): "
                   "their places are unsure; take more members or a larger subspace",
                   rare, n_features, kFewestDraws, n_members, std::ranges::count(draws, 0)),
       run, diagnostics);
}

Ranking bagging(const Problem& problem, const BaggingOptions& options, const Ranker& ranker,
                const Run& run) {
  check_ranges("bagging", options);
  Diagnostics diagnostics;
  const Resampling resampling(problem, options.subspace_size.value_or(problem.cols()), run.seed);
  if (run.trace.is_wanted())
    for (Index member = 0; member < options.n_members; ++member)
      record_draw(run.trace, resampling.draw(member));
  warn_of_few_draws(resampling, problem.cols(), options.n_members, run, diagnostics);
  const GatherSource table(problem.matrix, resampling.subspace_size(), options.n_members);
  Ensemble ensemble(problem.cols(), options.combine);
  Failures failures;
  const auto score = [&](Index number) -> MemberScores {
    Draw draw = resampling.draw(number);
    const OwnedProblem member = member_problem(problem, table, resampling, draw);
    try {
      Ranking ranking = ranker(member.problem(), {.seed = draw.seed});
      return {std::move(draw.features), std::move(ranking.scores), ranking.better,
              std::move(ranking.order)};
    } catch (const DataError& error) {
      failures.note(number, error.what());
      std::vector<double> undefined(draw.features.size(), kUndefined);
      return {std::move(draw.features), std::move(undefined), Better::lower, {}};
    }
  };
  add_members(0, options.n_members, score, run.progress, ensemble);
  failures.report(options.n_members, diagnostics);
  return ensemble.ranking(ensemble.combined(), std::move(diagnostics),
                          "bagging: no member gave any feature a score", run);
}

}  // namespace tamis
