#include "tamis/methods/fw_semifs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "methods/fw_semifs/given_samples.hpp"
#include "support/golden_draws.hpp"
#include "support/message_of.hpp"
#include "support/naive_bayes_reference.hpp"
#include "support/wave_sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using Rows = std::vector<Index>;
using Samples = std::vector<std::vector<Rows>>;  // by iteration and draw

Ranking run_with_trace(const Problem& problem, const FwSemifsOptions& options, Samples& samples) {
  tamis::Run run{.seed = 5};
  run.trace = Trace([&](const TraceEvent& event) {
    EXPECT_EQ(event.name, "sample");
    const auto iteration = std::get<Index>(event.fields[0].second);
    if (iteration == std::ssize(samples)) samples.emplace_back();
    EXPECT_EQ(iteration, std::ssize(samples) - 1);
    EXPECT_EQ(std::get<Index>(event.fields[1].second), std::ssize(samples.back()));
    samples.back().push_back(std::get<Rows>(event.fields[2].second));
  });
  return fw_semifs(problem, options, run);
}

/// The class that the taught rows give a row, word for word.
Index naive_class(const test::Dense& x, const Rows& rows, const Rows& labels, const Rows& columns,
                  Index row, WrappedClassifier classifier) {
  if (classifier == WrappedClassifier::naive_bayes)
    return test::naive_bayes_class(x, rows, labels, columns, row);
  std::vector<double> distances;
  for (const Index other : rows) {
    double sum = 0.0;
    for (const Index r : columns) sum += (x(row, r) - x(other, r)) * (x(row, r) - x(other, r));
    distances.push_back(sum);
  }
  const double nearest = *std::ranges::min_element(distances);
  for (std::size_t s = 0; s < rows.size(); ++s)
    if (distances[s] <= nearest * (1.0 + 1e-10)) return labels[s];
  return -1;
}

class NaiveSearch {
 public:
  NaiveSearch(const test::Sample& sample, const FwSemifsOptions& options, const Samples& samples)
      : x_(sample.x), options_(options), labels_(sample.labels) {
    Rows labeled;
    Rows unlabeled;
    for (Index i = 0; i < x_.rows; ++i)
      (labels_[i] == kUnlabeled ? unlabeled : labeled).push_back(i);
    for (Index r = 0; r < x_.cols; ++r) {
      std::set<double> values;
      for (Index i = 0; i < x_.rows; ++i) values.insert(x_(i, r));
      if (values.size() > 1) candidates_.push_back(r);
    }
    path = forward(labeled, std::min(options.start, options.size));
    std::vector<Index> total(x_.cols, 0);
    for (const std::vector<Rows>& draws : samples) {
      const Rows known = labels_of(labeled);
      for (const Index row : unlabeled)
        labels_[row] = naive_class(x_, labeled, known, path, row, options.classifier);
      std::vector<Index> times(x_.cols, 0);
      for (Rows rows : draws) {
        rows.insert(rows.end(), labeled.begin(), labeled.end());
        std::ranges::sort(rows);
        for (const Index r : forward(rows, options.step)) ++times[r];
      }
      for (Index r = 0; r < x_.cols; ++r) {
        total[r] += times[r];
        if (std::ranges::count(path, r) > 0) times[r] = 0;
      }
      const auto best = std::ranges::max_element(times);
      if (*best > 0) path.push_back(best - times.begin());
    }
    place(total);
  }

  Rows path;
  std::vector<double> places;

 private:
  Rows labels_of(const Rows& rows) const {
    Rows labels;
    for (const Index row : rows) labels.push_back(labels_[row]);
    return labels;
  }

  Index right(const Rows& rows, const Rows& columns) const {
    Index count = 0;
    for (std::size_t s = 0; s < rows.size(); ++s) {
      Rows others = rows;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(s));
      const Index label =
          naive_class(x_, others, labels_of(others), columns, rows[s], options_.classifier);
      count += label == labels_[rows[s]] ? 1 : 0;
    }
    return count;
  }

  Rows forward(const Rows& rows, Index number) const {
    Rows chosen;
    std::vector<Index> seen(x_.cols + 2, -1);  // most rows right, by number of columns
    Index now = -1;
    while (std::ssize(chosen) < number && chosen.size() < candidates_.size()) {
      Index best = -1;
      Index most = -1;
      for (const Index r : candidates_) {
        if (std::ranges::count(chosen, r) > 0) continue;
        Rows more = chosen;
        more.push_back(r);
        const Index count = right(rows, more);
        if (count > most) best = r, most = count;
      }
      if (options_.stop_early && most <= now) break;
      chosen.push_back(best);
      now = most;
      seen[chosen.size()] = std::max(seen[chosen.size()], now);
      while (options_.floating && chosen.size() > 2 && shrink(rows, chosen, seen, now)) continue;
    }
    return chosen;
  }

  bool shrink(const Rows& rows, Rows& chosen, std::vector<Index>& seen, Index& now) const {
    Rows best;
    Index most = -1;
    for (std::size_t s = 0; s + 1 < chosen.size(); ++s) {
      Rows fewer = chosen;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(s));
      const Index count = right(rows, fewer);
      if (count > most) best = fewer, most = count;
    }
    if (most <= seen[chosen.size() - 1]) return false;
    chosen = best;
    now = seen[chosen.size()] = most;
    return true;
  }

  void place(const std::vector<Index>& total) {
    Rows rest;
    for (const Index r : candidates_)
      if (std::ranges::count(path, r) == 0) rest.push_back(r);
    std::ranges::stable_sort(rest, [&](Index a, Index b) { return total[a] > total[b]; });
    places.assign(x_.cols, kUndefined);
    double next = 1.0;
    for (const Index r : path) places[r] = next++;
    for (const Index r : rest) places[r] = next++;
  }

  const test::Dense& x_;
  FwSemifsOptions options_;
  Rows labels_;
  Rows candidates_;
};

void expect_naive(const test::Sample& sample, const FwSemifsOptions& options) {
  for (const test::Storage storage : test::kStorages)
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(name_of(storage));
      const ThreadLimit limit(threads);
      const test::StoredSample stored(sample, storage);
      Samples samples;
      const Ranking ranking = run_with_trace(stored.problem(), options, samples);
      const NaiveSearch naive(sample, options, samples);
      EXPECT_EQ(ranking.path->features, naive.path);
      test::expect_scores_near(ranking.scores, naive.places, 0.0);
      EXPECT_EQ(ranking.diagnostics.iterations, std::ssize(samples));
    }
}

TEST(FwSemifs, CanBeRecomputedFromTheTrace) {
  const test::Sample ties{test::integer_table(40, 6, /*seed=*/2), test::blobs(40, 1, 4, 1).labels};
  const test::Sample sparse{test::sparse_table(36, 6, /*seed=*/3), test::blobs(36, 1, 5, 1).labels};
  for (const auto classifier : {WrappedClassifier::nearest, WrappedClassifier::naive_bayes})
    for (const bool floating : {false, true})
      for (const bool stop_early : {false, true})
        for (const test::Sample& sample : {test::blobs(40, 7, 3, /*seed=*/1), ties, sparse})
          expect_naive(sample, {.size = 6,
                                .start = 2,
                                .step = 4,
                                .sampling_times = 2,
                                .max_iter = 4,
                                .classifier = classifier,
                                .floating = floating,
                                .stop_early = stop_early});
}

TEST(FwSemifs, CanBeRecomputedWhereRowsAreJudgedSomeAtATime) {
  // 30 labeled rows and 126 of 252: more than two blocks of 64, so that columns are dropped early.
  test::Sample sample = test::blobs(282, 12, 10, /*seed=*/4);
  expect_naive(sample, {.size = 3, .start = 2, .step = 3, .sampling_times = 1});
}

TEST(FwSemifs, FloatingRemovesWhatLaterColumnsReplace) {
  bool differs = false;
  for (std::uint64_t seed = 0; seed < 30 && !differs; ++seed) {
    const test::StoredSample stored(
        {test::integer_table(30, 8, seed), test::blobs(30, 1, 10, 0).labels});
    const auto path = [&](bool floating) {
      return fw_semifs(stored.problem(), {.start = 6, .floating = floating}).path->features;
    };
    EXPECT_EQ(path(true).size(), 6U);
    differs = path(true) != path(false);
  }
  EXPECT_TRUE(differs);
}

TEST(FwSemifs, GivesTheGoldenValuesForTheirSamples) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(name);
    const auto [sample, golden] = test::load_golden_draws(name, "fw_semifs");
    const FwSemifsOptions options{.size = golden["size"],
                                  .start = golden["start"],
                                  .step = golden["step"],
                                  .sampling_rate = golden["sampling_rate"],
                                  .sampling_times = golden["sampling_times"],
                                  .max_iter = golden["max_iter"]};
    const Samples samples = golden["samples"];
    const test::StoredSample stored(sample);
    const Ranking ranking = fw_semifs_on_samples(
        stored.problem(), options, [&](Index t, Index d) { return samples[t][d]; }, {});
    std::vector<double> places;
    for (const auto& place : golden["places"])
      places.push_back(place.is_null() ? kUndefined : place.get<double>());
    test::expect_scores_near(ranking.scores, places, 0.0);
    EXPECT_EQ(ranking.path->features, golden["path"].get<Rows>());
    EXPECT_EQ(ranking.diagnostics.iterations, std::ssize(samples));
    EXPECT_EQ(ranking.better, Better::lower);
    for (const double criterion : ranking.path->criterion) EXPECT_TRUE(std::isnan(criterion));
  }
}

TEST(FwSemifs, DrawsTheShareOfUnlabeledRowsThatIsAskedFor) {
  const test::StoredSample stored(test::blobs(40, 5, 3, /*seed=*/1));
  for (const auto& [rate, expected] : {std::pair{50.0, 16U}, {1.0, 0U}, {100.0, 31U}}) {
    Samples samples;
    run_with_trace(stored.problem(),
                   {.start = 2, .sampling_rate = rate, .sampling_times = 3, .max_iter = 2},
                   samples);
    ASSERT_EQ(samples.size(), 2U);
    std::set<Rows> different;
    for (const std::vector<Rows>& draws : samples) {
      ASSERT_EQ(draws.size(), 3U);
      for (const Rows& rows : draws) {
        different.insert(rows);
        EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), expected);
        for (const Index row : rows) EXPECT_GE(row, 9);
      }
    }
    EXPECT_EQ(different.size(), expected > 0 ? 6U : 1U);
  }
}

TEST(FwSemifs, ScoresDoNotChangeWithTheScaleOfTheTable) {
  const test::Sample sample = test::blobs(60, 10, 4, /*seed=*/3);
  test::Sample larger = sample;
  for (double& value : larger.x.values) value *= 4.0;
  for (const auto classifier : {WrappedClassifier::nearest, WrappedClassifier::naive_bayes}) {
    const FwSemifsOptions options{.size = 6, .sampling_times = 3, .classifier = classifier};
    test::expect_scores_near(fw_semifs(test::StoredSample(larger).problem(), options).scores,
                             fw_semifs(test::StoredSample(sample).problem(), options).scores, 0.0);
  }
}

TEST(FwSemifs, ChoosesTheSamePrefixForAnySize) {
  const test::StoredSample stored(test::blobs(60, 10, 4, /*seed=*/3));
  const Rows all = fw_semifs(stored.problem(), {.size = 9, .start = 3}).path->features;
  for (const Index size : {1, 3, 5}) {
    const Ranking some = fw_semifs(stored.problem(), {.size = size, .start = 3});
    EXPECT_EQ(some.path->features, Rows(all.begin(), all.begin() + size));
    EXPECT_TRUE(some.diagnostics.undefined.empty());
  }
}

TEST(FwSemifs, LeavesConstantColumnsUndefined) {
  const test::Sample sample = with_constant_column(test::blobs(30, 6, 3, /*seed=*/3), 2, 0.1);
  for (const auto classifier : {WrappedClassifier::nearest, WrappedClassifier::naive_bayes}) {
    const Ranking ranking = fw_semifs(test::StoredSample(sample).problem(),
                                      {.sampling_times = 2, .classifier = classifier});
    EXPECT_EQ(ranking.diagnostics.undefined, (std::vector<Index>{2}));
    EXPECT_EQ(ranking.order.back(), 2);
  }
}

TEST(FwSemifs, TakesColumnsThatAreConstantOnTheLabeledRowsAndClassesOfOneRow) {
  test::Sample sample = test::blobs(30, 5, 3, /*seed=*/5);
  for (Index i = 0; i < 9; ++i) sample.x(i, 0) = 0.1;
  sample.labels[0] = sample.labels[3] = kUnlabeled;  // one row of class 0 is left
  for (const auto classifier : {WrappedClassifier::nearest, WrappedClassifier::naive_bayes})
    expect_naive(sample, {.size = 5, .start = 2, .sampling_times = 2, .classifier = classifier});
}

TEST(FwSemifs, IsTheStartAloneWithoutUnlabeledRowsAndSaysSo) {
  const test::Sample sample = test::blobs(30, 9, 10, /*seed=*/5);
  const test::StoredSample stored(sample);
  const Ranking ranking = fw_semifs(stored.problem(), {.start = 4});
  EXPECT_EQ(ranking.path->features, NaiveSearch(sample, {.start = 4}, {}).path);
  EXPECT_EQ(ranking.path->features.size(), 4U);
  EXPECT_EQ(ranking.diagnostics.warnings,
            std::vector<std::string>{
                "fw_semifs got no unlabeled rows: it chose 4 features on the labeled ones, and the "
                "others follow by column; raise start to choose more"});
}

TEST(FwSemifs, FindsWavesAmongTheNoise) {
  const test::StoredSample stored(test::wave_sample(150, 5, /*seed=*/1));
  const Ranking ranking = fw_semifs(stored.problem(), {.size = 8, .sampling_times = 3});
  Index waves = 0;
  for (Index s = 0; s < 8; ++s) waves += ranking.order[s] <= 20 ? 1 : 0;
  EXPECT_GE(waves, 6);
}

TEST(FwSemifs, CountsItsProgressAndCanBeInterruptedWithinAnIteration) {
  const test::StoredSample stored(test::blobs(40, 9, 3, /*seed=*/3));
  Index calls = 0;
  Index done = 0;
  const auto count = [&](std::string_view, Index now, Index) { ++calls, done = now; };
  const FwSemifsOptions options{.size = 7, .start = 3, .sampling_times = 5};
  const Ranking ranking = fw_semifs(stored.problem(), options, {.progress = Progress(count)});
  EXPECT_EQ(done, 7);
  EXPECT_EQ(calls, 1 + 6 * ranking.diagnostics.iterations);
  const auto stop = [&](std::string_view, Index, Index) {
    if (--calls == 3) throw Interrupted("enough");
  };
  EXPECT_THROW(fw_semifs(stored.problem(), options, {.progress = Progress(stop)}), Interrupted);
}

TEST(FwSemifs, FailsWithoutClassesOrIfItWouldTakeDays) {
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/6);
  EXPECT_EQ(message_of<InvalidArgument>(
                [&] { fw_semifs(test::StoredSample(sample).problem(), {.sampling_rate = 0.0}); }),
            "fw_semifs: sampling_rate = 0 must be in (0, 100]");
  for (Index& label : sample.labels) label = label == 1 ? 1 : kUnlabeled;
  EXPECT_EQ(
      message_of<DataError>([&] { fw_semifs(test::StoredSample(sample).problem()); }),
      "fw_semifs needs labels of at least two classes, and the 3 labeled rows all belong to one");
  sample.labels.clear();
  EXPECT_EQ(message_of<DataError>([&] { fw_semifs(test::StoredSample(sample).problem()); }),
            "fw_semifs needs labels, and no row has one");
  sample = {test::Dense(6, 2), {0, 1, 0, 1, -1, -1}};
  EXPECT_EQ(message_of<DataError>([&] { fw_semifs(test::StoredSample(sample).problem()); }),
            "fw_semifs: every column of the table is constant, so there is nothing to rank");
  const test::StoredSample large(test::blobs(60'000, 20, 10, /*seed=*/7));
  EXPECT_EQ(message_of<DataError>([&] { fw_semifs(large.problem()); }),
            "fw_semifs: 15 iterations x 10 samples x 5 features x 30015^2 rows x 20 columns = "
            "1.4e+13 comparisons are more than 1e+13; lower size, sampling_times, step or "
            "sampling_rate, or give fewer columns");
}

}  // namespace
}  // namespace tamis
