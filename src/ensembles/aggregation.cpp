#include "ensembles/aggregation.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "core/lanes.hpp"
#include "ensembles/places.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Whether an order is that of the scores, whatever it does with ties.
bool is_by_score(std::span<const Index> order, std::span<const double> scores, Better better) {
  return std::ranges::is_sorted(order, [&](Index a, Index b) {
    return better == Better::lower ? scores[a] < scores[b] : scores[a] > scores[b];
  });
}

/// The place of each position, from 0; the mean of those that tie.
std::vector<double> shared_places(const MemberScores& member, std::span<const Index> order) {
  const std::span<const double> scores = member.scores;
  const bool may_tie = is_by_score(order, scores, member.better);
  const auto are_tied = [&](Index a, Index b) {
    return (may_tie && scores[a] == scores[b]) || (std::isnan(scores[a]) && std::isnan(scores[b]));
  };
  std::vector<double> places(order.size());
  for_each_tie(order, are_tied, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s)
      places[order[s]] = 0.5 * static_cast<double>(begin + end - 1);
  });
  return places;
}

/// What the combination counts of a place from 0 among `size`.
double value_of(double place, double size, Combine combine) {
  switch (combine) {
    case Combine::borda:
      return size - 1.0 - place;
    case Combine::robust_rank:
      return (place + 1.0) / size;
    default:
      return place / size;
  }
}

/// What a group of members says of some features, and how much it counts.
struct GroupVotes {
  const double* sums;
  const double* counts;
  double weight;
};

/// Adds up what groups say of `width` features from `at` on, one group after the other.
template <Index width, class Cpu>
TAMIS_INLINE void add_votes(std::span<const GroupVotes> groups, Index at, double* scores,
                            double* counts) {
  using Features = Lanes<double, width, Cpu>;
  Features score{};
  Features count{};
  for (const GroupVotes& group : groups) {
    score += group.weight * Features::load(group.sums + at);
    count += group.weight * Features::load(group.counts + at);
  }
  score.store(scores + at);
  count.store(counts + at);
}

void add_all_votes(std::span<const GroupVotes> groups, Index n_features, double* scores,
                   double* counts) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    constexpr Index kWidth = 4 * kRegisterLanes<double, Cpu>;
    Index at = 0;
    for (; at + kWidth <= n_features; at += kWidth)
      add_votes<kWidth, Cpu>(groups, at, scores, counts);
    for (; at < n_features; ++at) add_votes<1, Cpu>(groups, at, scores, counts);
  });
}

/// n min_k I_{r_(k)}(k, n - k + 1) over the relative places r.
double robust_rank(std::vector<double> places) {
  if (places.empty()) return kUndefined;
  std::ranges::sort(places);
  const auto n = static_cast<double>(places.size());
  double smallest = 1.0;
  for (Index s = 0; s < std::ssize(places); ++s) {
    const auto k = static_cast<double>(s + 1);
    smallest = std::min(smallest, boost::math::ibeta(k, n - k + 1.0, places[s]));
  }
  return n * smallest;
}

}  // namespace

Ballot ballot_of(const MemberScores& member, Combine combine) {
  Ballot ballot{.member = member, .order = member.order, .values = member.scores};
  if (ballot.order.empty()) ballot.order = best_first(member.scores, member.better);
  const bool is_silent = std::ranges::all_of(member.scores, [](double x) { return std::isnan(x); });
  if (is_silent || combine == Combine::mean || combine == Combine::literal) return ballot;
  ballot.values = shared_places(member, ballot.order);
  for (double& value : ballot.values)
    value = value_of(value, static_cast<double>(ballot.values.size()), combine);
  return ballot;
}

VoteSums::VoteSums(Index n_features, Combine combine) : combine_(combine) {
  sums_.resize(n_features);
  counts_.resize(n_features);
  if (combine == Combine::robust_rank) places_.resize(n_features);
}

void VoteSums::add(const Ballot& ballot) {
  ++members_;
  for (std::size_t s = 0; s < ballot.values.size(); ++s) {
    const double value = ballot.values[s];
    if (std::isnan(value)) continue;
    const Index feature = ballot.member.features[s];
    sums_[feature] += value;
    counts_[feature] += 1.0;
    if (!places_.empty()) places_[feature].push_back(value);
  }
}

std::vector<double> combined_places(std::span<const VoteSums> groups,
                                    std::span<const Index> times) {
  constexpr Index kFeaturesAtOnce = 64;
  std::vector<double> scores(groups.front().places_.size());
  parallel_for(std::ssize(scores), kFeaturesAtOnce, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      std::vector<double> places;
      for (std::size_t g = 0; g < groups.size(); ++g)
        for (Index t = 0; t < times[g]; ++t)
          places.insert(places.end(), groups[g].places_[r].begin(), groups[g].places_[r].end());
      scores[r] = robust_rank(std::move(places));
    }
  });
  return scores;
}

std::vector<std::vector<double>> combined(std::span<const VoteSums> groups,
                                          std::span<const std::vector<Index>> times) {
  // So few features that what the groups say of them stays in cache while all of it is counted.
  constexpr Index kFeaturesAtOnce = 256;
  const Combine combine = groups.front().combine_;
  const Index n_features = std::ssize(groups.front().sums_);
  std::vector<std::vector<double>> scores;
  if (combine == Combine::robust_rank) {
    for (const std::vector<Index>& once : times) scores.push_back(combined_places(groups, once));
    return scores;
  }
  scores.assign(times.size(), std::vector<double>(n_features));
  std::vector<double> members(times.size());
  for (std::size_t t = 0; t < times.size(); ++t)
    for (std::size_t g = 0; g < groups.size(); ++g)
      members[t] += static_cast<double>(times[t][g]) * static_cast<double>(groups[g].members_);
  std::vector<double> counts(kFeaturesAtOnce);
  std::vector<GroupVotes> votes;
  for (Index begin = 0; begin < n_features; begin += kFeaturesAtOnce)
    for (std::size_t t = 0; t < times.size(); ++t) {
      const std::span own =
          std::span(scores[t]).subspan(begin, std::min(kFeaturesAtOnce, n_features - begin));
      votes.clear();
      for (std::size_t g = 0; g < groups.size(); ++g)
        if (times[t][g] > 0)  // 0 times infinity would be undefined
          votes.push_back({&groups[g].sums_[begin], &groups[g].counts_[begin],
                           static_cast<double>(times[t][g])});
      add_all_votes(votes, std::ssize(own), own.data(), counts.data());
      for (std::size_t r = 0; r < own.size(); ++r)  // 0 / 0 is undefined, as it should be
        own[r] /= combine == Combine::literal ? members[t] : counts[r];
    }
  return scores;
}

Tally::Tally(Index n_features, Combine combine)
    : combine_(combine), sums_(n_features, combine), votes_(n_features) {}

void Tally::add(const Ballot& ballot) {
  sums_.add(ballot);
  const auto& [features, scores, better, own_order] = ballot.member;
  const Index size = std::ssize(features);
  for (Index place = 0; place < size; ++place) {
    Votes& votes = votes_[features[ballot.order[place]]];
    const double score = scores[ballot.order[place]];
    ++votes.draws;
    if (std::isnan(score)) continue;
    member_better_ = better;  // a member without any score may not know
    ++votes.defined;
    votes.among_best += place < best_tenth(size) ? 1 : 0;
    votes.sum += score;
  }
}

std::vector<double> Tally::combined() const {
  const std::vector<Index> once[] = {{1}};
  return std::move(tamis::combined({&sums_, 1}, once).front());
}

Better Tally::better() const {
  switch (combine_) {
    case Combine::mean:
    case Combine::literal:
      return member_better_;
    case Combine::borda:
      return Better::higher;
    default:
      return Better::lower;
  }
}

Committee Tally::committee() const {
  Committee result{.members = members()};
  for (const Votes& votes : votes_) {
    result.draws.push_back(votes.draws);
    result.mean.push_back(votes.defined > 0 ? votes.sum / static_cast<double>(votes.defined)
                                            : kUndefined);
    result.best_share.push_back(votes.draws > 0 ? static_cast<double>(votes.among_best) /
                                                      static_cast<double>(votes.draws)
                                                : kUndefined);
  }
  return result;
}

}  // namespace tamis
