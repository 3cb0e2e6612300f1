#include "ensembles/place_intervals.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "ensembles/bagging.hpp"
#include "support/sample.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Combine kSums[] = {Combine::mean, Combine::literal, Combine::rank, Combine::borda};

Ranking ranking_of(const std::vector<MemberScores>& members, Index n_features, Combine combine,
                   std::uint64_t seed = 0) {
  Ensemble ensemble(n_features, combine);
  for (const MemberScores& member : members) ensemble.add(member);
  return ensemble.ranking(ensemble.combined(), {}, "", {.seed = seed});
}

/// What a member adds to the score of its feature at position s, from the definitions alone; lower
/// scores are better.
double naive_value(const MemberScores& member, std::size_t s, Combine combine) {
  const auto is_better = [](double a, double b) {
    return !std::isnan(a) && (std::isnan(b) || a < b);
  };
  if (combine == Combine::mean || combine == Combine::literal) return member.scores[s];
  double before = 0.0;
  double after = 0.0;
  bool is_silent = true;
  for (const double score : member.scores) {
    before += is_better(score, member.scores[s]) ? 1.0 : 0.0;
    after += is_better(member.scores[s], score) ? 1.0 : 0.0;
    is_silent = is_silent && std::isnan(score);
  }
  if (is_silent) return kUndefined;
  const auto size = static_cast<double>(member.scores.size());
  const double place = before + 0.5 * (size - before - after - 1.0);
  return combine == Combine::rank ? place / size : size - 1.0 - place;
}

/// The combined score if the members of group g count times[g] times.
std::vector<double> naive_scores(const std::vector<MemberScores>& members, Index n_features,
                                 Combine combine, const std::vector<Index>& times) {
  const Index n_groups = std::ssize(times);
  std::vector<double> scores(n_features);
  for (Index r = 0; r < n_features; ++r) {
    double sum = 0.0;
    double count = 0.0;
    for (Index g = 0; g < n_groups; ++g) {
      double of_group = 0.0;
      double votes = 0.0;
      for (Index b = g; b < std::ssize(members); b += n_groups) {
        const auto found = std::ranges::find(members[b].features, r);
        const auto s = static_cast<std::size_t>(found - members[b].features.begin());
        const bool is_drawn = found != members[b].features.end();
        const double value = is_drawn ? naive_value(members[b], s, combine) : kUndefined;
        of_group += std::isnan(value) ? 0.0 : value;
        votes += combine == Combine::literal || !std::isnan(value) ? 1.0 : 0.0;
      }
      if (times[g] > 0) sum += static_cast<double>(times[g]) * of_group;
      count += static_cast<double>(times[g]) * votes;
    }
    scores[r] = sum / count;
  }
  return scores;
}

/// 1 + the features that are better, and all that are not worse; undefined ones are worst.
std::pair<double, double> naive_place(const std::vector<double>& scores, Index r, bool is_higher) {
  const auto key = [&](double score) {
    return std::isnan(score) ? std::pair(1, 0.0) : std::pair(0, is_higher ? -score : score);
  };
  double better = 0.0;
  double equal = 0.0;
  for (const double score : scores) {
    better += key(score) < key(scores[r]) ? 1.0 : 0.0;
    equal += key(score) == key(scores[r]) ? 1.0 : 0.0;
  }
  return {better + 1.0, better + equal};
}

/// Compares with a hundred resamples of the groups, all of whose places are kept and sorted.
void expect_naive_intervals(const std::vector<MemberScores>& members, const Ranking& ranking,
                            Combine combine, std::uint64_t seed) {
  const Index n_features = std::ssize(ranking.scores);
  const Index n_groups = std::min<Index>(40, std::ssize(members));
  RandomStream random(seed, std::numeric_limits<std::uint64_t>::max());
  std::vector<std::vector<double>> resampled;
  for (int b = 0; b < 100; ++b) {
    std::vector<Index> times(n_groups, 0);
    for (Index draw = 0; draw < n_groups; ++draw) ++times[random.below(n_groups)];
    resampled.push_back(naive_scores(members, n_features, combine, times));
  }
  const bool is_higher = combine == Combine::borda;
  for (Index r = 0; r < n_features; ++r) {
    SCOPED_TRACE("feature " + std::to_string(r));
    if (std::isnan(ranking.scores[r])) {
      EXPECT_TRUE(std::isnan(ranking.committee->place_low[r]));
      EXPECT_TRUE(std::isnan(ranking.committee->place_high[r]));
      continue;
    }
    std::vector<double> best;
    std::vector<double> worst;
    for (const std::vector<double>& scores : resampled) {
      const auto [low, high] = naive_place(scores, r, is_higher);
      best.push_back(low);
      worst.push_back(high);
    }
    std::ranges::sort(best);
    std::ranges::sort(worst);
    const auto [low, high] = naive_place(ranking.scores, r, is_higher);
    EXPECT_EQ(ranking.committee->place_low[r], std::min(low, best[4]));
    EXPECT_EQ(ranking.committee->place_high[r], std::max(high, worst[95]));
  }
}

/// Members that draw `size` of the features; feature r has the score r plus noise.
std::vector<MemberScores> noisy_members(Index count, Index n_features, Index size, double noise,
                                        std::uint64_t seed) {
  std::vector<MemberScores> members;
  for (Index b = 0; b < count; ++b) {
    RandomStream random(seed, static_cast<std::uint64_t>(b));
    MemberScores member{random.sample(n_features, size), {}, Better::lower};
    std::ranges::sort(member.features);
    for (const Index r : member.features)
      member.scores.push_back(static_cast<double>(r) + noise * random.normal());
    members.push_back(std::move(member));
  }
  return members;
}

/// The same with ties, undefined scores, an infinite one, a feature that nobody can score, a member
/// that scores nothing, and a last feature that nobody draws.
std::vector<MemberScores> nasty_members(Index count, Index n_features) {
  std::vector<MemberScores> members =
      noisy_members(count, n_features - 1, n_features - 4, 2.0, /*seed=*/3);
  for (Index b = 0; b < count; ++b)
    for (std::size_t s = 0; s < members[b].scores.size(); ++s) {
      double& score = members[b].scores[s];
      const Index r = members[b].features[s];
      score = std::round(score);
      if (r == 2 || (r == 5 && b % 3 == 0) || b == 4) score = kUndefined;
      if (r == 7 && b == 11) score = HUGE_VAL;
    }
  return members;
}

TEST(PlaceIntervals, AreThoseOfResampledGroups) {
  for (const Combine combine : kSums)
    for (const Index count : {10, 39, 40, 97}) {
      SCOPED_TRACE(fmt::format("{} of {}", word_of(combine), count));
      for (const auto& members :
           {noisy_members(count, 12, 12, 4.0, /*seed=*/1), nasty_members(count, 12)})
        expect_naive_intervals(members, ranking_of(members, 12, combine, /*seed=*/7), combine, 7);
    }
}

TEST(PlaceIntervals, CanBeRecomputedFromTheTraceOfAnyEnsemble) {
  const test::Sample sample = test::blobs(30, 12, 4, /*seed=*/1);
  const test::StoredSample stored(sample);
  const auto column_means = [](const test::Dense& x, const std::vector<Index>& rows,
                               const std::vector<Index>& columns) {
    std::vector<double> means(columns.size(), 0.0);
    for (std::size_t s = 0; s < columns.size(); ++s)
      for (const Index row : rows) means[s] += x(row, columns[s]);
    return means;
  };
  std::vector<MemberScores> members;
  tamis::Run run{.seed = 5};
  run.trace = Trace([&](const TraceEvent& event) {
    const auto& features = std::get<std::vector<Index>>(event.fields[1].second);
    const auto& rows = std::get<std::vector<Index>>(event.fields[2].second);
    members.push_back({features, column_means(sample.x, rows, features), Better::lower});
  });
  const auto ranker = [&](const Problem& part, const tamis::Run& /*run*/) {
    const std::vector<Index> rows = labeled_rows(part.known);
    test::Dense x(std::ssize(rows), part.cols());
    copy_columns(part.matrix, rows, 0, part.cols(), x.values.data());
    return rank_features(column_means(x, all_indices(x.rows), all_indices(x.cols)), Better::lower,
                         {}, "");
  };
  const Ranking ranking =
      bagging(stored.problem(), {.n_members = 60, .subspace_size = 5}, ranker, run);
  ASSERT_EQ(members.size(), 60u);
  expect_naive_intervals(members, ranking, Combine::rank, 5);
}

TEST(PlaceIntervals, HoldTheirPlaceAndWhatIsClear) {
  for (const Combine combine : kSums) {
    const Committee committee =
        *ranking_of(noisy_members(60, 20, 20, 3.0, /*seed=*/2), 20, combine).committee;
    for (Index r = 0; r < 20; ++r) {
      EXPECT_LE(1.0, committee.place_low[r]);
      EXPECT_LE(committee.place_low[r], static_cast<double>(committee.place[r]));
      EXPECT_LE(static_cast<double>(committee.place[r]), committee.place_high[r]);
      EXPECT_LE(committee.place_high[r], 20.0);
    }
    const Committee sure =
        *ranking_of(noisy_members(60, 20, 20, 1e-3, /*seed=*/2), 20, combine).committee;
    for (Index r = 0; r < 20; ++r) {
      EXPECT_EQ(sure.place_low[r], static_cast<double>(r + 1));
      EXPECT_EQ(sure.place_high[r], static_cast<double>(r + 1));
    }
  }
}

TEST(PlaceIntervals, AreTheSameForCopiesAndHoldThePlacesOfAll) {
  for (const Combine combine : kSums) {
    std::vector<MemberScores> members = noisy_members(50, 8, 8, 2.0, /*seed=*/4);
    for (MemberScores& member : members) member.scores[6] = member.scores[1];
    const Committee committee = *ranking_of(members, 8, combine).committee;
    EXPECT_EQ(committee.place_low[1], committee.place_low[6]);
    EXPECT_EQ(committee.place_high[1], committee.place_high[6]);
    EXPECT_LE(committee.place_low[6], static_cast<double>(committee.place[1]));
    EXPECT_GE(committee.place_high[1], static_cast<double>(committee.place[6]));
  }
}

double mean_width(const Committee& committee) {
  double sum = 0.0;
  for (std::size_t r = 0; r < committee.place.size(); ++r)
    sum += committee.place_high[r] - committee.place_low[r];
  return sum / static_cast<double>(committee.place.size());
}

TEST(PlaceIntervals, AreNarrowerTheMoreMembersThereAre) {
  double before = HUGE_VAL;
  for (const Index count : {12, 50, 200, 800}) {
    const double width =
        mean_width(*ranking_of(noisy_members(count, 30, 30, 12.0, 5), 30, Combine::rank).committee);
    EXPECT_LT(width, 0.75 * before);
    before = width;
  }
}

/// The place that infinitely many members would give is in the interval about nine times of ten.
TEST(PlaceIntervals, HoldTheTruePlaceAsOftenAsTheySay) {
  for (const Combine combine : {Combine::mean, Combine::rank}) {
    int held = 0;
    constexpr int kEnsembles = 60;
    constexpr Index kFeatures = 20;
    for (int e = 0; e < kEnsembles; ++e) {
      const Committee committee =
          *ranking_of(noisy_members(80, kFeatures, kFeatures, 8.0, 100 + e), kFeatures, combine, e)
               .committee;
      for (Index r = 0; r < kFeatures; ++r) {
        const auto truth = static_cast<double>(r + 1);
        held += committee.place_low[r] <= truth && truth <= committee.place_high[r] ? 1 : 0;
      }
    }
    const double share = held / static_cast<double>(kEnsembles * kFeatures);
    EXPECT_GT(share, 0.87);
    EXPECT_LT(share, 0.99);
  }
}

TEST(PlaceIntervals, ReachTheEndForAFeatureThatResamplesMiss) {
  std::vector<MemberScores> members = noisy_members(40, 9, 9, 0.1, /*seed=*/6);
  for (std::size_t b = 0; b < members.size(); ++b)
    if (b != 3) {
      members[b].features.erase(members[b].features.begin());
      members[b].scores.erase(members[b].scores.begin());
    }
  const Ranking ranking = ranking_of(members, 9, Combine::rank);
  EXPECT_EQ(ranking.order.front(), 0) << "the only member that drew it puts it first";
  EXPECT_EQ(ranking.committee->place_low[0], 1.0);
  EXPECT_EQ(ranking.committee->place_high[0], 9.0) << "a third of the resamples lack that member";
}

TEST(PlaceIntervals, NeedTenMembersAndSums) {
  const auto committee_of = [](Index count, Combine combine) {
    return *ranking_of(noisy_members(count, 5, 5, 1.0, 1), 5, combine).committee;
  };
  EXPECT_FALSE(committee_of(9, Combine::rank).has_intervals());
  EXPECT_TRUE(committee_of(10, Combine::rank).has_intervals());
  EXPECT_FALSE(committee_of(50, Combine::robust_rank).has_intervals());
  const Committee few = committee_of(9, Combine::rank);
  test::expect_scores_near(few.place_low, std::vector<double>(5, kUndefined), 0.0);
  test::expect_scores_near(few.place_high, std::vector<double>(5, kUndefined), 0.0);
  EXPECT_EQ(few.place.size(), 5u);
}

TEST(PlaceIntervals, DependOnTheSeedAndNotOnThreads) {
  const std::vector<MemberScores> members = noisy_members(80, 3000, 3000, 2000.0, /*seed=*/8);
  const auto committee_of = [&](int threads, std::uint64_t seed) {
    const ThreadLimit limit(threads);
    return *ranking_of(members, 3000, Combine::rank, seed).committee;
  };
  const Committee one = committee_of(1, 1);
  const Committee three = committee_of(3, 1);
  EXPECT_EQ(one.place_low, three.place_low);
  EXPECT_EQ(one.place_high, three.place_high);
  EXPECT_NE(one.place_low, committee_of(1, 2).place_low);
}

}  // namespace
}  // namespace tamis
