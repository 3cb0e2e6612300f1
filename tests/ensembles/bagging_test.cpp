#include "ensembles/bagging.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <set>
#include <thread>

#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// A ranker that knows nothing of the library: the mean of a column over labeled rows.
Ranking mean_of_labeled(const Problem& problem, const tamis::Run& /*run*/ = {}) {
  std::vector<double> scores(problem.cols(), 0.0);
  const std::vector<Index> rows = labeled_rows(problem.known);
  std::vector<double> values(rows.size() * scores.size());
  copy_columns(problem.matrix, rows, 0, problem.cols(), values.data());
  for (std::size_t s = 0; s < values.size(); ++s)
    scores[s % scores.size()] += values[s] / static_cast<double>(rows.size());
  return rank_features(std::move(scores), Better::higher, {}, "");
}

/// Every member event of a run.
struct Members {
  std::vector<std::vector<Index>> features;
  std::vector<std::vector<Index>> rows;

  Trace trace() {
    return Trace([this](const TraceEvent& event) {
      ASSERT_EQ(event.name, "member");
      ASSERT_EQ(std::get<Index>(event.fields[0].second), std::ssize(features));
      features.push_back(std::get<std::vector<Index>>(event.fields[1].second));
      rows.push_back(std::get<std::vector<Index>>(event.fields[2].second));
    });
  }
};

TEST(Bagging, CanBeRecomputedFromTheTrace) {
  const test::Sample sample = test::blobs(30, 12, 4, /*seed=*/1);
  const test::StoredSample stored(sample);
  const Problem& problem = stored.problem();
  tamis::Run run{.seed = 3};
  Members members;
  run.trace = members.trace();
  const Ranking ranking =
      bagging(problem, {.n_members = 40, .subspace_size = 4, .combine = Combine::mean},
              mean_of_labeled, run);
  ASSERT_EQ(members.rows.size(), 40u);
  std::vector<double> sums(12, 0.0);
  std::vector<double> draws(12, 0.0);
  for (std::size_t b = 0; b < 40; ++b)
    for (const Index feature : members.features[b]) {
      double mean = 0.0;
      for (const Index row : members.rows[b])
        mean += sample.x(row, feature) / static_cast<double>(members.rows[b].size());
      sums[feature] += mean;
      draws[feature] += 1.0;
    }
  for (std::size_t r = 0; r < 12; ++r) sums[r] /= draws[r];
  test::expect_scores_near(ranking.scores, sums, 0.0);
  EXPECT_EQ(ranking.better, Better::higher);
  for (std::size_t r = 0; r < 12; ++r)
    EXPECT_EQ(static_cast<double>(ranking.committee->draws[r]), draws[r]);
}

TEST(Bagging, GivesTheSameBitsForAnyNumberOfThreads) {
  const test::StoredSample stored(test::blobs(30, 12, 4, /*seed=*/1));
  const BaggingOptions options{.n_members = 50, .subspace_size = 5, .combine = Combine::rank};
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return bagging(stored.problem(), options, mean_of_labeled);
  };
  const Ranking one = run(1);
  const Ranking three = run(3);
  EXPECT_EQ(one.order, three.order);
  test::expect_scores_near(three.scores, one.scores, 0.0);
  EXPECT_EQ(three.committee->place_low, one.committee->place_low);
  EXPECT_EQ(three.committee->place_high, one.committee->place_high);
}

TEST(Ensemble, TwoHalvesOfTheMembersEqualAllAtOnce) {
  const test::StoredSample stored(test::blobs(30, 12, 4, /*seed=*/1));
  const Problem& problem = stored.problem();
  const Resampling resampling(problem, 5, 0);
  const auto score = [&](Index member) -> MemberScores {
    const Draw draw = resampling.draw(member);
    const OwnedProblem part =
        member_problem(problem, GatherSource(problem.matrix, 0, 0), resampling, draw);
    return {draw.features, mean_of_labeled(part.problem()).scores, Better::higher};
  };
  Ensemble at_once(12, Combine::mean);
  add_members(0, 60, score, {}, at_once);
  Ensemble halves(12, Combine::mean);
  add_members(0, 23, score, {}, halves);
  add_members(23, 60, score, {}, halves);
  const Ranking expected = at_once.ranking(at_once.combined(), {}, "", {});
  const Ranking actual = halves.ranking(halves.combined(), {}, "", {});
  test::expect_scores_near(actual.scores, expected.scores, 0.0);
  EXPECT_EQ(actual.committee->stability->nogueira, expected.committee->stability->nogueira);
}

TEST(Ensemble, AddsMembersInTheirOrderWhicheverIsReadyFirst) {
  const auto score = [](Index member, bool is_slow) -> MemberScores {
    if (is_slow) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    // Sums of such numbers depend on their order.
    return {{0, 1}, {std::pow(0.1, static_cast<double>(member % 19)), 1.0}, Better::higher};
  };
  for (const Index n_members : {3, 100}) {
    Ensemble expected(2, Combine::mean);
    for (Index member = 0; member < n_members; ++member) expected.add(score(member, false));
    for (const int threads : {1, 2, 3}) {
      const ThreadLimit limit(threads);
      Ensemble ensemble(2, Combine::mean);
      add_members(
          0, n_members, [&](Index member) { return score(member, member % 7 == 0); }, {}, ensemble);
      EXPECT_EQ(ensemble.combined(), expected.combined());
    }
  }
}

TEST(Ensemble, EndsWhenAMemberThrows) {
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    Ensemble ensemble(2, Combine::mean);
    const auto score = [](Index member) -> MemberScores {
      if (member == 37) throw Interrupted("stop");
      return {{0}, {1.0}, Better::higher};
    };
    EXPECT_THROW(add_members(0, 1'000'000'000, score, {}, ensemble), Interrupted);
  }
}

TEST(Bagging, LeavesANeverDrawnFeatureUndefinedAndLast) {
  const test::StoredSample stored(test::blobs(30, 12, 4, /*seed=*/1));
  const Ranking ranking =
      bagging(stored.problem(), {.n_members = 2, .subspace_size = 3}, mean_of_labeled);
  Index undrawn = 0;
  for (Index r = 0; r < 12; ++r) {
    EXPECT_EQ(ranking.committee->draws[r] == 0, std::isnan(ranking.scores[r]));
    undrawn += ranking.committee->draws[r] == 0 ? 1 : 0;
  }
  ASSERT_GT(undrawn, 0);
  for (Index s = 12 - undrawn; s < 12; ++s)
    EXPECT_TRUE(std::isnan(ranking.scores[ranking.order[s]]));
}

TEST(Bagging, LeavesAFeatureThatNoMemberCanScoreUndefinedAndLast) {
  const test::StoredSample stored(test::blobs(30, 6, 4, /*seed=*/1));
  const auto never_the_first = [](const Problem& problem, const tamis::Run& run) {
    Ranking ranking = mean_of_labeled(problem, run);
    ranking.scores[0] = kUndefined;
    return rank_features(std::move(ranking.scores), Better::higher, {}, "");
  };
  for (const Combine combine :
       {Combine::mean, Combine::rank, Combine::borda, Combine::robust_rank}) {
    const Ranking ranking =
        bagging(stored.problem(), {.n_members = 20, .combine = combine}, never_the_first);
    EXPECT_EQ(ranking.diagnostics.undefined, (std::vector<Index>{0}));
    EXPECT_EQ(ranking.order.back(), 0);
  }
}

TEST(Bagging, WarnsBeforeItBeginsOfFeaturesThatAreRarelyDrawn) {
  const test::StoredSample stored(test::blobs(30, 12, 4, /*seed=*/1));
  const Problem& problem = stored.problem();
  std::vector<std::string> early;
  Index members_run = 0;
  tamis::Run run;
  run.warn_early = [&](const std::string& warning) {
    EXPECT_EQ(members_run, 0);
    early.push_back(warning);
  };
  const ThreadLimit one(1);
  const Ranking ranking = bagging(
      problem, {.n_members = 4, .subspace_size = 11},
      [&](const Problem& member, const tamis::Run& of_member) {
        ++members_run;
        return mean_of_labeled(member, of_member);
      },
      run);
  EXPECT_EQ(early, (std::vector<std::string>{
                       "4 members are too few to tell how sure places are; take at least 10",
                       "12 of 12 features are drawn fewer than 5 times by 4 members (0 never): "
                       "their places are unsure; take more members or a larger subspace"}));
  EXPECT_EQ(ranking.diagnostics.warnings, early);
}

TEST(Bagging, IsSilentWhenEveryFeatureIsDrawnOftenEnough) {
  const test::StoredSample stored(test::blobs(30, 12, 4, /*seed=*/1));
  const Ranking ranking = bagging(stored.problem(), {.n_members = 10}, mean_of_labeled);
  EXPECT_TRUE(ranking.diagnostics.warnings.empty());
}

TEST(Bagging, SaysThatMembersAreTooFew) {
  const test::StoredSample stored(test::blobs(30, 12, 4, /*seed=*/1));
  const auto warnings = [&](Index members) {
    return bagging(stored.problem(), {.n_members = members}, mean_of_labeled).diagnostics.warnings;
  };
  EXPECT_EQ(warnings(9),
            (std::vector<std::string>{
                "9 members are too few to tell how sure places are; take at least 10"}));
  EXPECT_EQ(warnings(1), (std::vector<std::string>{
                             "1 member is too few to tell how sure places are; take at least 10"}));
}

TEST(Bagging, StabilityComparesTenPartsOrFewer) {
  const test::StoredSample stored(test::blobs(30, 25, 4, /*seed=*/1));
  const auto run = [&](Index members) {
    return bagging(stored.problem(), {.n_members = members}, mean_of_labeled).committee->stability;
  };
  EXPECT_FALSE(run(1));
  EXPECT_EQ(run(4)->sets, 4);
  EXPECT_EQ(run(30)->sets, 10);
  EXPECT_EQ(run(30)->set_size, 3);
  EXPECT_GT(run(30)->nogueira, run(10)->nogueira - 0.2);
}

TEST(Bagging, CountsMembersThatFailAndSaysWhy) {
  const test::StoredSample stored(test::blobs(30, 6, 1, /*seed=*/1));
  const auto needs_all_classes = [](const Problem& problem, const tamis::Run& run) {
    const std::vector<Index> rows = labeled_rows(problem.known);
    std::set<Index> classes;
    for (const Index row : rows) classes.insert(problem.known.labels[row]);
    if (classes.size() < 3) throw DataError("a class is missing");
    return mean_of_labeled(problem, run);
  };
  const Ranking ranking = bagging(stored.problem(), {.n_members = 60}, needs_all_classes);
  ASSERT_EQ(ranking.diagnostics.warnings.size(), 1u);
  EXPECT_TRUE(ranking.diagnostics.warnings[0].ends_with(
      "of 60 members could not rank what they drew; the first: a class is missing"));
  EXPECT_EQ(
      message_of<DataError>([&] {
        bagging(stored.problem(), {.n_members = 6},
                [](const Problem&, const tamis::Run&) -> Ranking { throw DataError("no, never"); });
      }),
      "no, never");
}

TEST(Bagging, RefusesBadOptions) {
  const test::StoredSample stored(test::blobs(30, 6, 1, /*seed=*/1));
  EXPECT_EQ(message_of<InvalidArgument>(
                [&] { bagging(stored.problem(), {.n_members = 0}, mean_of_labeled); }),
            "bagging: n_members = 0 must be in [1, 10000000]");
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              bagging(stored.problem(), {.n_members = 3, .subspace_size = 7}, mean_of_labeled);
            }),
            "a subspace of 7 features is larger than the table, which has 6; choose a smaller one");
}

}  // namespace
}  // namespace tamis
