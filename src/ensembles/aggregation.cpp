#include "ensembles/aggregation.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

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

std::vector<double> combined(std::span<const VoteSums> groups, std::span<const Index> times) {
  const Combine combine = groups.front().combine_;
  const Index n_features = std::ssize(groups.front().sums_);
  std::vector<double> scores(n_features);
  if (combine == Combine::robust_rank) {
    constexpr Index kFeaturesAtOnce = 64;
    parallel_for(n_features, kFeaturesAtOnce, [&](Index begin, Index end) {
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
  std::vector<double> counts(n_features);
  double members = 0.0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (times[g] == 0) continue;  // 0 times infinity would be undefined
    const auto weight = static_cast<double>(times[g]);
    members += weight * static_cast<double>(groups[g].members_);
    for (Index r = 0; r < n_features; ++r) {
      scores[r] += weight * groups[g].sums_[r];
      counts[r] += weight * groups[g].counts_[r];
    }
  }
  for (Index r = 0; r < n_features; ++r)  // 0 / 0 is undefined, as it should be
    scores[r] /= combine == Combine::literal ? members : counts[r];
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
  const Index once[] = {1};
  return tamis::combined({&sums_, 1}, once);
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
