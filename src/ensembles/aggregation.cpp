#include "ensembles/aggregation.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <numeric>

#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Positions best first: undefined last, ties in their order.
std::vector<Index> best_first(std::span<const double> scores, Better better) {
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto defined_end = std::stable_partition(order.begin(), order.end(),
                                                 [&](Index s) { return !std::isnan(scores[s]); });
  std::stable_sort(order.begin(), defined_end, [&](Index a, Index b) {
    return better == Better::lower ? scores[a] < scores[b] : scores[a] > scores[b];
  });
  return order;
}

/// Calls visit(begin, end) for each run of places whose scores are equal; undefined ones are.
template <class Visit>
void for_each_tie(std::span<const Index> order, std::span<const double> scores, Visit&& visit) {
  const auto are_equal = [&](Index a, Index b) {
    return scores[a] == scores[b] || (std::isnan(scores[a]) && std::isnan(scores[b]));
  };
  for (Index begin = 0, end = 0; begin < std::ssize(order); begin = end) {
    while (end < std::ssize(order) && are_equal(order[begin], order[end])) ++end;
    visit(begin, end);
  }
}

/// n min_k I_{r_(k)}(k, n - k + 1) over the sorted relative places r.
double robust_rank(std::span<const double> places) {
  std::vector<double> sorted(places.begin(), places.end());
  std::ranges::sort(sorted);
  const auto n = static_cast<double>(sorted.size());
  double smallest = 1.0;
  for (Index s = 0; s < std::ssize(sorted); ++s) {
    const auto k = static_cast<double>(s + 1);
    smallest = std::min(smallest, boost::math::ibeta(k, n - k + 1.0, sorted[s]));
  }
  return n * smallest;
}

}  // namespace

Tally::Tally(Index n_features, Combine combine) : combine_(combine), votes_(n_features) {
  if (combine == Combine::robust_rank) places_.resize(n_features);
}

void Tally::add(std::span<const Index> features, std::span<const double> scores, Better better,
                std::span<const Index> order) {
  ++members_;
  const Index size = std::ssize(features);
  std::vector<Index> by_score;
  if (order.empty()) order = by_score = best_first(scores, better);
  for (Index place = 0; place < size; ++place) {
    Votes& votes = votes_[features[order[place]]];
    const double score = scores[order[place]];
    ++votes.draws;
    votes.relative_places += static_cast<double>(place) / static_cast<double>(size);
    if (!places_.empty())
      places_[features[order[place]]].push_back(static_cast<double>(place + 1) /
                                                static_cast<double>(size));
    if (std::isnan(score)) continue;
    member_better_ = better;  // a member without any score may not know
    ++votes.defined;
    votes.among_best += place < best_tenth(size) ? 1 : 0;
    votes.sum += score;
    const double shift = score - votes.mean;
    votes.mean += shift / static_cast<double>(votes.defined);
    votes.squares += shift * (score - votes.mean);
  }
  for_each_tie(order, scores, [&](Index begin, Index end) {
    const auto beaten =
        static_cast<double>(size - end) + 0.5 * static_cast<double>(end - begin - 1);
    for (Index place = begin; place < end; ++place) votes_[features[order[place]]].beaten += beaten;
  });
}

double Tally::combined(const Votes& votes, std::span<const double> places) const {
  if (combine_ == Combine::literal) return votes.sum / static_cast<double>(members_);
  if (votes.draws == 0) return kUndefined;
  const auto draws = static_cast<double>(votes.draws);
  switch (combine_) {
    case Combine::mean:
      return votes.sum / static_cast<double>(votes.defined);  // 0 / 0 is undefined, as it should be
    case Combine::rank:
      return votes.relative_places / draws;
    case Combine::borda:
      return votes.beaten / draws;
    default:
      return robust_rank(places);
  }
}

std::vector<double> Tally::combined() const {
  constexpr Index kFeaturesAtOnce = 64;
  std::vector<double> scores(votes_.size());
  parallel_for(std::ssize(votes_), kFeaturesAtOnce, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r)
      scores[r] = combined(votes_[r], places_.empty() ? std::span<const double>() : places_[r]);
  });
  return scores;
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
  Committee result{.members = members_};
  for (const Votes& votes : votes_) {
    const auto defined = static_cast<double>(votes.defined);
    result.draws.push_back(votes.draws);
    result.mean.push_back(votes.defined > 0 ? votes.sum / defined : kUndefined);
    result.standard_error.push_back(
        votes.defined > 1 ? std::sqrt(votes.squares / (defined - 1.0) / defined) : kUndefined);
    result.best_share.push_back(votes.draws > 0 ? static_cast<double>(votes.among_best) /
                                                      static_cast<double>(votes.draws)
                                                : kUndefined);
  }
  return result;
}

}  // namespace tamis
