#include "tamis/methods/ssfi.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "methods/ssfi/given_draws.hpp"
#include "support/golden_draws.hpp"
#include "support/message_of.hpp"
#include "support/naive_tree.hpp"
#include "support/wave_sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using Rows = std::vector<Index>;

struct Member {
  Rows features;
  Rows rows;
  Rows permutation;
};

Ranking run_with_trace(const Problem& problem, const SsfiOptions& options,
                       std::vector<Member>& members) {
  tamis::Run run{.seed = 5};
  run.trace = Trace([&](const TraceEvent& event) {
    EXPECT_EQ(event.name, "member");
    EXPECT_EQ(std::get<Index>(event.fields[0].second), std::ssize(members));
    members.push_back({std::get<Rows>(event.fields[1].second),
                       std::get<Rows>(event.fields[2].second),
                       std::get<Rows>(event.fields[3].second)});
  });
  return ssfi(problem, options, run);
}

/// The most frequent class of some votes, ties to the lower; and how many are for it.
std::pair<Index, Index> majority(const std::map<Index, Index>& votes) {
  std::pair<Index, Index> best{-1, -1};
  for (const auto& [label, count] : votes)
    if (count > best.second) best = {label, count};
  return best;
}

/// The method word for word, from given draws.
class NaiveSsfi {
 public:
  NaiveSsfi(const test::Sample& sample, std::vector<Member> members, const SsfiOptions& options)
      : sample_(sample), members_(std::move(members)), received_(members_.size()) {
    train();
    for (Index round = 0; round < options.rounds; ++round) {
      std::vector<std::map<Index, Index>> more(members_.size());
      for (std::size_t i = 0; i < members_.size(); ++i) more[i] = offers(i, options.sample);
      for (std::size_t i = 0; i < members_.size(); ++i) received_[i].merge(more[i]);
      train();
    }
  }

  const std::map<Index, Index>& received(std::size_t i) const { return received_[i]; }

  std::vector<double> scores() const {
    std::vector<double> sums(sample_.x.cols, 0.0);
    std::vector<double> counts(sample_.x.cols, 0.0);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Rows out = out_of_bag(i);
      if (out.empty()) continue;
      Rows permuted;
      for (const Index row : members_[i].permutation)
        if (std::ranges::binary_search(out, row)) permuted.push_back(row);
      for (const Index feature : members_[i].features) {
        sums[feature] += accuracy(i, out, out, feature) - accuracy(i, out, permuted, feature);
        counts[feature] += 1.0;
      }
    }
    for (std::size_t r = 0; r < sums.size(); ++r) {
      std::set<double> values;
      for (Index i = 0; i < sample_.x.rows; ++i) values.insert(sample_.x(i, static_cast<Index>(r)));
      sums[r] = values.size() > 1 && counts[r] > 0.0 ? sums[r] / counts[r] : kUndefined;
    }
    return sums;
  }

 private:
  void train() {
    trees_.clear();
    for (std::size_t i = 0; i < members_.size(); ++i) {
      Rows rows = members_[i].rows;
      Rows classes;
      for (const Index row : rows) classes.push_back(sample_.labels[row]);
      for (const auto& [row, label] : received_[i]) {
        rows.push_back(row);
        classes.push_back(label);
      }
      trees_.emplace_back(sample_.x, rows, classes, members_[i].features);
    }
    votes_.assign(sample_.x.rows, {});
    for (std::size_t i = 0; i < members_.size(); ++i)
      for (Index row = 0; row < sample_.x.rows; ++row) ++votes_[row][predict(i, row)];
  }

  Index predict(std::size_t i, Index row) const {
    return trees_[i].predict([&](Index r) { return sample_.x(row, r); });
  }

  std::pair<Index, Index> majority_of_others(std::size_t i, Index row) const {
    std::map<Index, Index> votes = votes_[row];
    --votes[predict(i, row)];
    return majority(votes);
  }

  std::map<Index, Index> offers(std::size_t i, Index sample) const {
    std::map<Index, std::vector<std::pair<Index, Index>>> by_class;
    for (Index row = 0; row < sample_.x.rows; ++row) {
      if (sample_.labels[row] != kUnlabeled || received_[i].contains(row)) continue;
      const auto [label, votes] = majority_of_others(i, row);
      by_class[label].emplace_back(-votes, row);
    }
    std::map<Index, Index> chosen;
    for (auto& [label, rows] : by_class) {
      std::ranges::sort(rows);
      for (Index s = 0; s < std::min(sample, std::ssize(rows)); ++s) chosen[rows[s].second] = label;
    }
    return chosen;
  }

  Rows out_of_bag(std::size_t i) const {
    Rows out;
    for (Index row = 0; row < sample_.x.rows; ++row)
      if (std::ranges::count(members_[i].rows, row) == 0 && !received_[i].contains(row))
        out.push_back(row);
    return out;
  }

  double accuracy(std::size_t i, const Rows& out, const Rows& from, Index feature) const {
    double right = 0.0;
    for (std::size_t t = 0; t < out.size(); ++t) {
      const Index truth = sample_.labels[out[t]] != kUnlabeled
                              ? sample_.labels[out[t]]
                              : majority_of_others(i, out[t]).first;
      const Index said =
          trees_[i].predict([&](Index r) { return sample_.x(r == feature ? from[t] : out[t], r); });
      right += said == truth ? 1.0 : 0.0;
    }
    return right / static_cast<double>(out.size());
  }

  const test::Sample& sample_;
  std::vector<Member> members_;
  std::vector<std::map<Index, Index>> received_;
  std::vector<test::NaiveTree> trees_;
  std::vector<std::map<Index, Index>> votes_;  // of all members, by row
};

TEST(Ssfi, CanBeRecomputedFromTheTrace) {
  const test::Sample ties{test::integer_table(40, 9, /*seed=*/2), test::blobs(40, 1, 4, 1).labels};
  const test::Sample sparse{test::sparse_table(40, 9, /*seed=*/3), test::blobs(40, 1, 2, 1).labels};
  for (const test::Sample& sample : {test::blobs(40, 16, 3, /*seed=*/1), ties, sparse})
    for (const SsfiOptions& options :
         {SsfiOptions{.n_members = 12, .rounds = 4},
          {.n_members = 2, .rounds = 2},
          {.n_members = 9, .subspace_size = 6, .rounds = 3, .sample = 3},
          {.n_members = 15, .rounds = 0}})
      for (const test::Storage storage : test::kStorages) {
        SCOPED_TRACE(name_of(storage));
        const test::StoredSample stored(sample, storage);
        std::vector<Member> members;
        const Ranking ranking = run_with_trace(stored.problem(), options, members);
        ASSERT_EQ(std::ssize(members), *options.n_members);
        const NaiveSsfi naive(sample, members, options);
        test::expect_scores_near(ranking.scores, naive.scores(), 1e-12);
        EXPECT_EQ(ranking.better, Better::higher);
      }
}

TEST(Ssfi, DrawsFeaturesABootstrapAndAPermutation) {
  const test::StoredSample stored(test::blobs(40, 16, 3, /*seed=*/1));
  std::vector<Member> members;
  run_with_trace(stored.problem(), {.n_members = 20}, members);
  std::set<Rows> permutations;
  for (const Member& member : members) {
    EXPECT_EQ(member.features.size(), 4U);
    EXPECT_TRUE(std::ranges::is_sorted(member.features));
    EXPECT_EQ(member.rows.size(), 9U);
    for (const Index row : member.rows) EXPECT_LT(row, 9);
    Rows rows = member.permutation;
    permutations.insert(rows);
    std::ranges::sort(rows);
    EXPECT_EQ(rows, all_indices(40));
  }
  EXPECT_EQ(permutations.size(), 20U);
}

TEST(Ssfi, GivesTheGoldenValuesForTheirMembers) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(name);
    const auto [sample, golden] = test::load_golden_draws(name, "ssfi");
    std::vector<Member> members;
    for (const auto& item : golden["members"])
      members.push_back({item["features"], item["rows"], item["permutation"]});
    const SsfiOptions options{.rounds = golden["rounds"], .sample = golden["sample"]};
    const TreeDraws draws{.n_members = std::ssize(members),
                          .member =
                              [&](Index i) {
                                return TreeDraws::Member{members[i].features, members[i].rows};
                              },
                          .permutation = [&](Index i) { return members[i].permutation; }};
    const test::StoredSample stored(sample);
    std::vector<double> scores;
    for (const auto& score : golden["scores"])
      scores.push_back(score.is_null() ? kUndefined : score.get<double>());
    test::expect_scores_near(ssfi_with_draws(stored.problem(), options, draws, {}).scores, scores,
                             1e-9);
    const tamis::Run nobody;
    Progress::Stage stage(nobody.progress, "", 0);
    TreeCommittee committee(stored.problem(), draws, stage);
    for (Index round = 0; round < options.rounds; ++round) committee.co_train(1, stage);
    const NaiveSsfi naive(sample, members, options);
    for (std::size_t i = 0; i < members.size(); ++i) {
      std::map<std::string, Index> received;
      for (const auto& [row, label] : committee.received(static_cast<Index>(i)))
        received[std::to_string(row)] = label;
      EXPECT_EQ(received, golden["members"][i]["received"].get<decltype(received)>());
      EXPECT_EQ(naive.received(i).size(), received.size());
    }
  }
}

TEST(RowVotes, TellTheMajorityOfAllButOneMember) {
  for (const Rows& votes : std::vector<Rows>{
           {3, 1}, {1, 3}, {2, 2}, {2, 1}, {1, 2}, {0, 2, 2}, {2, 2, 2}, {1, 3, 2}, {0, 1, 0, 1}})
    for (Index own = 0; own < std::ssize(votes); ++own) {
      if (votes[own] == 0) continue;
      std::map<Index, Index> others;
      for (Index c = 0; c < std::ssize(votes); ++c) others[c] = votes[c] - (c == own ? 1 : 0);
      const RowVotes::Majority left = RowVotes(votes).without(own);
      EXPECT_EQ(std::pair(left.number, left.votes), majority(others));
    }
}

TEST(Ssfi, GivesTheSameBitsInEveryStorageForAnyNumberOfThreads) {
  const test::Sample sample = test::blobs(200, 30, 3, /*seed=*/3);
  std::vector<double> first;
  for (const test::Storage storage : test::kStorages)
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      const test::StoredSample stored(sample, storage);
      const std::vector<double> scores = ssfi(stored.problem(), {.n_members = 60}).scores;
      if (first.empty()) first = scores;
      test::expect_scores_near(scores, first, 0.0);
    }
}

TEST(Ssfi, ScoresDoNotChangeWithTheScaleOfTheTable) {
  const test::Sample sample = test::blobs(40, 12, 3, /*seed=*/3);
  test::Sample larger = sample;
  for (double& value : larger.x.values) value *= 4.0;
  test::expect_scores_near(ssfi(test::StoredSample(larger).problem()).scores,
                           ssfi(test::StoredSample(sample).problem()).scores, 0.0);
}

TEST(Ssfi, CanBeRecomputedWhereVotesAreCountedInParts) {
  // Of 2^21 / 600 members = 3495 rows at a time.
  const test::Sample sample = test::blobs(3700, 2, 3, /*seed=*/4);
  const test::StoredSample stored(sample);
  std::vector<Member> members;
  const SsfiOptions options{.n_members = 600, .subspace_size = 1, .rounds = 2, .sample = 4};
  const Ranking ranking = run_with_trace(stored.problem(), options, members);
  test::expect_scores_near(ranking.scores, NaiveSsfi(sample, members, options).scores(), 1e-12);
}

TEST(Ssfi, LeavesConstantColumnsUndefinedAndCountsTheDraws) {
  const test::Sample sample = with_constant_column(test::blobs(30, 9, 3, /*seed=*/3), 2, 0.1);
  const test::StoredSample stored(sample);
  const Ranking ranking = ssfi(stored.problem());
  EXPECT_EQ(ranking.diagnostics.undefined, (std::vector<Index>{2}));
  EXPECT_EQ(ranking.order.back(), 2);
  EXPECT_GT(ranking.committee->draws[2], 0);
  EXPECT_EQ(ranking.committee->members, 120);  // 10 ceil(log 0.01 / log(2/3))
}

TEST(Ssfi, WorksWithoutUnlabeledRowsAndWithOneRowInAClass) {
  test::Sample sample = test::blobs(30, 6, 10, /*seed=*/5);
  for (const Index lone : {-1, 1}) {
    if (lone >= 0)
      for (Index i = 1; i < 30; ++i) sample.labels[i] = i == lone ? 2 : i % 2;
    const test::StoredSample stored(sample);
    std::vector<Member> members;
    const SsfiOptions options{.n_members = 15, .rounds = 3};
    const Ranking ranking = run_with_trace(stored.problem(), options, members);
    test::expect_scores_near(ranking.scores, NaiveSsfi(sample, members, options).scores(), 1e-12);
  }
}

TEST(Ssfi, StopsWhenNobodyReceivesAnything) {
  const test::Sample sample = test::blobs(30, 5, 3, /*seed=*/6);
  const test::StoredSample stored(sample);
  const std::vector<double> scores =
      ssfi(stored.problem(), {.n_members = 20, .rounds = 30, .sample = 30}).scores;
  // Unlabeled rows are all received within a round; a million rounds take no longer.
  test::expect_scores_near(
      ssfi(stored.problem(), {.n_members = 20, .rounds = 1'000'000, .sample = 30}).scores, scores,
      0.0);
}

TEST(Ssfi, RanksTheInformativeColumnsFirst) {
  const test::StoredSample stored(test::blobs(150, 30, 5, /*seed=*/3));
  const Ranking ranking = ssfi(stored.problem());
  EXPECT_LT(ranking.order[0], 10);
  EXPECT_LT(ranking.order[1], 10);
  const test::StoredSample waves(test::wave_sample(500, 5, /*seed=*/1));
  const Ranking of_waves = ssfi(waves.problem(), {.n_members = 300});
  for (Index s = 0; s < 8; ++s) EXPECT_LE(of_waves.order[s], 20);
}

TEST(Ssfi, CountsItsProgressToTheEnd) {
  const test::StoredSample stored(test::blobs(30, 9, 3, /*seed=*/3));
  Index done = 0;
  Index total = 0;
  const auto count = [&](std::string_view stage, Index now, Index all) {
    if (stage != "co-training") return;
    done = now;
    total = all;
  };
  ssfi(stored.problem(), {.n_members = 10, .rounds = 3}, {.progress = Progress(count)});
  EXPECT_EQ(done, 40);
  EXPECT_EQ(total, 40);
}

TEST(Ssfi, WarnsOfFewMembersAndRareFeatures) {
  const test::StoredSample stored(test::blobs(30, 9, 3, /*seed=*/3));
  std::vector<std::string> early;
  const Ranking ranking =
      ssfi(stored.problem(), {.n_members = 6},
           {.warn_early = [&](const std::string& warning) { early.push_back(warning); }});
  ASSERT_EQ(early.size(), 2U);
  EXPECT_EQ(early[0], "6 members are too few to tell how sure places are; take at least 10");
  EXPECT_EQ(ranking.diagnostics.warnings, early);
}

TEST(Ssfi, FailsWithoutClassesMembersOrFeatures) {
  test::Sample sample = test::blobs(30, 9, 3, /*seed=*/3);
  const test::StoredSample stored(sample);
  EXPECT_EQ(message_of<InvalidArgument>([&] { ssfi(stored.problem(), {.n_members = 1}); }),
            "ssfi: n_members = 1 must be in [2, 10000000]");
  EXPECT_EQ(
      message_of<InvalidArgument>([&] { ssfi(stored.problem(), {.subspace_size = 10}); }),
      "a subspace of 10 features is larger than the table, which has 9; choose a smaller one");
  EXPECT_EQ(message_of<InvalidArgument>([&] { ssfi(stored.problem(), {.sample = 0}); }),
            "ssfi: sample = 0 must be >= 1");
  for (Index& label : sample.labels) label = label == 1 ? 1 : kUnlabeled;
  EXPECT_EQ(message_of<DataError>([&] { ssfi(test::StoredSample(sample).problem()); }),
            "ssfi needs labels of at least two classes, and the 3 labeled rows all belong to one");
  sample.labels.clear();
  EXPECT_EQ(message_of<DataError>([&] { ssfi(test::StoredSample(sample).problem()); }),
            "ssfi needs labels, and no row has one");
  sample = {test::Dense(6, 2), {0, 1, 0, 1, -1, -1}};
  EXPECT_EQ(message_of<DataError>([&] { ssfi(test::StoredSample(sample).problem()); }),
            "ssfi: every column of the table is constant, so there is nothing to rank");
}

}  // namespace
}  // namespace tamis
