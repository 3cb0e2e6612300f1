#include "ensembles/bagging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "ensembles/stability.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kFewestDraws = 5;

/// How many members score before they are added up: enough to keep threads busy, few enough that
/// their scores take little memory.
Index members_at_once(Index n_features) {
  constexpr Index kScoresAtOnce = 1 << 21;
  return std::clamp<Index>(kScoresAtOnce / n_features, 4 * max_threads(), 1024);
}

/// The best 10 % of a part's features that have a score.
std::vector<Index> best_of(const Tally& part) {
  const Ranking ranking = rank_features(part.combined(), part.better(), {}, "");
  const Index n_features = std::ssize(ranking.scores);
  const Index defined = n_features - std::ssize(ranking.diagnostics.undefined);
  const Index size = std::min(best_tenth(n_features), defined);
  return {ranking.order.begin(), ranking.order.begin() + size};
}

std::optional<Stability> stability_of(std::span<const Tally> parts, Index n_features) {
  std::vector<std::vector<Index>> sets;
  for (const Tally& part : parts) {
    if (part.members() == 0) continue;
    try {
      sets.push_back(best_of(part));
    } catch (const DataError&) {  // a part without any defined score chooses nothing
      sets.emplace_back();
    }
  }
  if (sets.size() < 2) return std::nullopt;
  return stability(sets, n_features);
}

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
    : whole_(n_features, combine), parts_(kParts, Tally(n_features, combine)) {}

void Ensemble::add(const MemberScores& member) {
  const Ballot ballot = ballot_of(member, whole_.combine());
  parts_[whole_.members() % kParts].add(ballot);
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
                          std::string_view why_all_undefined) const {
  Ranking result =
      rank_features(std::move(scores), whole_.better(), std::move(diagnostics), why_all_undefined);
  result.committee = whole_.committee();
  result.committee->stability = stability_of(parts_, std::ssize(result.scores));
  return result;
}

void add_members(Index n_features, Index first, Index last,
                 const std::function<MemberScores(Index)>& score, const Progress& progress,
                 Ensemble& ensemble) {
  Progress::Stage stage(progress, "members", last - first);
  const Index step = members_at_once(n_features);
  std::vector<MemberScores> said(std::min(step, last - first));
  for (Index begin = first; begin < last; begin += step) {
    const Index size = std::min(step, last - begin);
    const bool is_crowded = size >= 4 * max_threads();
    parallel_for(size, 1, [&](Index s, Index) {
      const SerialSection alone(is_crowded);
      said[s] = score(begin + s);
      stage.advance();
    });
    for (Index s = 0; s < size; ++s) ensemble.add(said[s]);
  }
}

void announce_members(const Resampling& resampling, Index n_features, Index n_members,
                      const Run& run, Diagnostics& diagnostics) {
  const bool sees_all = resampling.subspace_size() == n_features;
  std::vector<Index> draws(n_features, sees_all ? n_members : 0);
  if (run.trace.is_wanted())
    for (Index member = 0; member < n_members; ++member)
      record_draw(run.trace, resampling.draw(member));
  if (!sees_all)
    for (Index member = 0; member < n_members; ++member)
      for (const Index feature : resampling.draw_features(member)) ++draws[feature];
  const Index rare = std::ranges::count_if(draws, [](Index count) { return count < kFewestDraws; });
  if (rare == 0) return;
  diagnostics.warnings.push_back(fmt::format(
      "{} of {} features are drawn fewer than {} times by {} members ({} never): their places are "
      "unsure; take more members{}",
      rare, n_features, kFewestDraws, n_members, std::ranges::count(draws, 0),
      sees_all ? "" : " or a larger subspace"));
  if (run.warn_early) run.warn_early(diagnostics.warnings.back());
}

Ranking bagging(const Problem& problem, const BaggingOptions& options, const Ranker& ranker,
                const Run& run) {
  check_ranges("bagging", options);
  Diagnostics diagnostics;
  const Resampling resampling(problem, options.subspace_size.value_or(problem.cols()), run.seed);
  announce_members(resampling, problem.cols(), options.n_members, run, diagnostics);
  Ensemble ensemble(problem.cols(), options.combine);
  Failures failures;
  const auto score = [&](Index number) -> MemberScores {
    Draw draw = resampling.draw(number);
    const OwnedProblem member = member_problem(problem, resampling, draw);
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
  add_members(problem.cols(), 0, options.n_members, score, run.progress, ensemble);
  failures.report(options.n_members, diagnostics);
  return ensemble.ranking(ensemble.combined(), std::move(diagnostics),
                          "bagging: no member gave any feature a score");
}

}  // namespace tamis
