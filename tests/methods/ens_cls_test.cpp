#include "tamis/methods/ens_cls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "ensembles/aggregation.hpp"
#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/naive_cls.hpp"
#include "support/source_root.hpp"
#include "support/wave_sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Combine kAll[] = {Combine::mean, Combine::literal, Combine::rank, Combine::borda,
                            Combine::robust_rank};

struct Member {
  std::vector<Index> features;
  std::vector<Index> rows;
};

EnsClsOptions uncondensed(Index n_members, std::optional<Index> subspace = std::nullopt) {
  EnsClsOptions options{.n_members = n_members, .subspace_size = subspace};
  options.cls.condense.condense = Condense::none;
  return options;
}

Ranking run_with_trace(const Problem& given, const EnsClsOptions& options,
                       std::vector<Member>& members) {
  tamis::Run run{.seed = 5};
  run.trace = Trace([&](const TraceEvent& event) {
    members.push_back({std::get<std::vector<Index>>(event.fields[1].second),
                       std::get<std::vector<Index>>(event.fields[2].second)});
  });
  return ens_cls(given, options, run);
}

/// The table that a member sees: the drawn labeled rows, then all unlabeled ones.
test::Sample part_of(const test::Sample& whole, const Member& member) {
  std::vector<Index> rows = member.rows;
  for (Index i = 0; i < whole.x.rows; ++i)
    if (whole.labels[i] < 0) rows.push_back(i);
  test::Sample part{test::Dense(std::ssize(rows), std::ssize(member.features))};
  for (Index s = 0; s < part.x.rows; ++s) {
    for (Index c = 0; c < part.x.cols; ++c) part.x(s, c) = whole.x(rows[s], member.features[c]);
    part.labels.push_back(whole.labels[rows[s]]);
  }
  return part;
}

/// Mean over the members that drew a feature and found it defined.
std::vector<double> naive(const test::Sample& sample, const std::vector<Member>& members,
                          const ClsOptions& options) {
  std::vector<double> sums(sample.x.cols, 0.0);
  std::vector<double> counts(sample.x.cols, 0.0);
  for (const Member& member : members) {
    const std::vector<double> scores = naive_cls(part_of(sample, member), options);
    for (std::size_t c = 0; c < scores.size(); ++c) {
      if (std::isnan(scores[c])) continue;
      sums[member.features[c]] += scores[c];
      counts[member.features[c]] += 1.0;
    }
  }
  for (std::size_t r = 0; r < sums.size(); ++r) sums[r] /= counts[r];
  return sums;
}

TEST(EnsCls, CanBeRecomputedFromTheTrace) {
  for (const test::Sample& sample :
       {test::blobs(40, 16, 3, /*seed=*/1),
        {test::integer_table(40, 16, /*seed=*/2), test::blobs(40, 16, 3, /*seed=*/1).labels}})
    for (const test::Storage storage : test::kStorages) {
      SCOPED_TRACE(name_of(storage));
      const test::StoredSample stored(sample, storage);
      std::vector<Member> members;
      const EnsClsOptions options = uncondensed(30);
      const Ranking ranking = run_with_trace(stored.problem(), options, members);
      ASSERT_EQ(members.size(), 30u);
      for (const Member& member : members) {
        EXPECT_EQ(member.features.size(), 4u);
        EXPECT_EQ(member.rows.size(), 9u);
      }
      test::expect_scores_near(ranking.scores, naive(sample, members, options.cls),
                               tolerance(storage));
    }
}

TEST(EnsCls, CountsARowThatABootstrapDrewTwiceAsTwoRows) {
  const test::Sample sample = test::blobs(120, 9, 40, /*seed=*/6);  // every row is labeled
  ASSERT_EQ(std::ranges::count(sample.labels, kUnlabeled), 0);
  const EnsClsOptions options = uncondensed(12);
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const test::StoredSample stored(sample, storage);
    std::vector<Member> members;
    const Ranking ranking = run_with_trace(stored.problem(), options, members);
    test::expect_scores_near(ranking.scores, naive(sample, members, options.cls),
                             tolerance(storage));
  }
}

TEST(EnsCls, IsCombinedBitForBitFromClsOnEachMember) {
  const test::Sample sample = test::blobs(50, 12, 3, /*seed=*/3);
  const test::StoredSample stored(sample);
  for (const Combine combine : kAll)
    for (const Condense condense : {Condense::none, Condense::som}) {
      EnsClsOptions options{.n_members = 25, .combine = combine};
      options.cls.condense.condense = condense;
      std::vector<Member> members;
      const Ranking ranking = run_with_trace(stored.problem(), options, members);
      Tally tally(12, combine);
      for (const Member& member : members) {
        const test::StoredSample part(part_of(sample, member));
        tally.add({member.features, cls(part.problem(), options.cls).scores, Better::lower});
      }
      test::expect_scores_near(ranking.scores, tally.combined(), 0.0);
      EXPECT_EQ(ranking.better, tally.better());
    }
}

std::vector<double> numbers(const nlohmann::json& list) {
  std::vector<double> values;
  for (const auto& item : list) values.push_back(item.is_null() ? kUndefined : item.get<double>());
  return values;
}

TEST(EnsCls, GivesTheGoldenValuesForTheirMembers) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(name);
    std::ifstream file(source_root() / "tests/data/golden" / (std::string(name) + ".json"));
    const nlohmann::json golden = nlohmann::json::parse(file)["ens_cls"];
    const test::Sample sample = test::load_golden(name).sample;
    const ClsOptions options = uncondensed(1).cls;
    for (const auto& [combine, words] : {std::pair{Combine::mean, "mean"},
                                         {Combine::literal, "literal"},
                                         {Combine::rank, "rank"}}) {
      SCOPED_TRACE(words);
      Tally tally(sample.x.cols, combine);
      for (const auto& item : golden["members"]) {
        const Member member{item["features"], item["rows"]};
        const test::StoredSample part(part_of(sample, member));
        tally.add({member.features, cls(part.problem(), options).scores, Better::lower});
      }
      test::expect_scores_near(tally.combined(), numbers(golden[words]), 1e-9);
    }
  }
}

TEST(EnsCls, GivesTheSameBitsForAnyNumberOfThreads) {
  const test::Sample sample = test::blobs(60, 30, 3, /*seed=*/3);
  for (const test::Storage storage : test::kStorages) {
    const test::StoredSample stored(sample, storage);
    const auto run = [&](int threads) {
      const ThreadLimit limit(threads);
      return ens_cls(stored.problem(), {.n_members = 40}).scores;
    };
    test::expect_scores_near(run(3), run(1), 0.0);
  }
}

TEST(EnsCls, ScoresDoNotChangeWithTheScaleOfTheTable) {
  const test::Sample sample = test::blobs(40, 12, 3, /*seed=*/3);
  test::Sample larger = sample;
  for (double& value : larger.x.values) value *= 4.0;
  const test::StoredSample stored(sample);
  const test::StoredSample stored_larger(larger);
  test::expect_scores_near(ens_cls(stored_larger.problem(), {.n_members = 40}).scores,
                           ens_cls(stored.problem(), {.n_members = 40}).scores, 1e-12);
}

TEST(EnsCls, FallsBackWhereABootstrapLosesAClass) {
  const test::Sample sample = test::blobs(30, 9, 1, /*seed=*/3);  // one labeled row per class
  const test::StoredSample stored(sample);
  std::vector<Member> members;
  const EnsClsOptions options = uncondensed(60);
  const Ranking ranking = run_with_trace(stored.problem(), options, members);
  bool has_one_class = false;
  for (const Member& member : members)
    has_one_class |= member.rows == std::vector<Index>(3, member.rows[0]);
  EXPECT_TRUE(has_one_class);
  test::expect_scores_near(ranking.scores, naive(sample, members, options.cls), 1e-9);
  EXPECT_TRUE(ranking.diagnostics.warnings.empty());
}

TEST(EnsCls, LeavesConstantColumnsUndefined) {
  const test::Sample sample = with_constant_column(test::blobs(30, 9, 3, /*seed=*/3), 2, 1.0);
  const test::StoredSample stored(sample);
  const Ranking ranking = ens_cls(stored.problem());
  EXPECT_EQ(ranking.diagnostics.undefined, (std::vector<Index>{2}));
  EXPECT_EQ(ranking.order.back(), 2);
  EXPECT_GT(ranking.committee->draws[2], 0);
}

TEST(EnsCls, PairsAloneAreEnough) {
  test::Sample sample = test::blobs_with_pairs(30, 9, 1, /*seed=*/3);
  sample.labels.clear();
  const test::StoredSample stored(sample);
  EXPECT_EQ(ens_cls(stored.problem()).diagnostics.undefined, std::vector<Index>{});
}

TEST(EnsCls, RanksTheInformativeColumnsFirst) {
  const test::StoredSample stored(test::blobs(150, 30, 5, /*seed=*/3));
  const Ranking ranking = ens_cls(stored.problem());
  EXPECT_LT(ranking.order[0], 10);
  EXPECT_LT(ranking.order[1], 10);
  EXPECT_GT(ranking.committee->stability->nogueira, 0.3);
}

TEST(EnsCls, FindsTheWavesAmongTheNoise) {
  const test::StoredSample stored(test::wave_sample(1000, 3, /*seed=*/1));
  const Ranking ranking = ens_cls(stored.problem(), {.n_members = 300});
  for (Index s = 0; s < 19; ++s) {
    EXPECT_GE(ranking.order[s], 1);
    EXPECT_LE(ranking.order[s], 19);
  }
}

TEST(CommitteeSize, DrawsEachFeatureTenTimesOver) {
  EXPECT_EQ(committee_size(1), 10);
  EXPECT_EQ(committee_size(4), 70);     // log 0.01 / log 0.5 = 6.64
  EXPECT_EQ(committee_size(100), 440);  // / log 0.9 = 43.7
  EXPECT_EQ(committee_size(5748), 3470);
}

TEST(EnsCls, FailsWithoutLabelsMembersOrFeatures) {
  const test::StoredSample unlabeled(test::blobs(30, 9, 0, /*seed=*/3));
  EXPECT_EQ(message_of<DataError>([&] { ens_cls(unlabeled.problem()); }),
            message_of<DataError>([&] { check_needs(EnsClsOptions::info, unlabeled.problem()); }));
  const test::StoredSample stored(test::blobs(30, 9, 3, /*seed=*/3));
  EXPECT_EQ(message_of<InvalidArgument>([&] { ens_cls(stored.problem(), {.n_members = 0}); }),
            "ens_cls: n_members = 0 must be in [1, 10000000]");
  EXPECT_EQ(
      message_of<InvalidArgument>(
          [&] { ens_cls(stored.problem(), {.n_members = 3, .subspace_size = 10}); }),
      "a subspace of 10 features is larger than the table, which has 9; choose a smaller one");
}

}  // namespace
}  // namespace tamis
