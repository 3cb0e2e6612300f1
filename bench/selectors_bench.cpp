#include <benchmark/benchmark.h>

#include <limits>

#include "bench_data.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/methods/fcbf.hpp"
#include "tamis/methods/fisher_score.hpp"
#include "tamis/methods/fw_semifs.hpp"
#include "tamis/methods/mrmr.hpp"
#include "tamis/methods/relieff.hpp"
#include "tamis/methods/sbcs.hpp"
#include "tamis/methods/spec.hpp"
#include "tamis/methods/ssfi.hpp"

namespace tamis::bench {
namespace {

constexpr int kFeatures = 50;        ///< that mrmr chooses, as its peers do
constexpr int kSimilarFeatures = 3;  ///< that sbcs chooses, likewise

constexpr Index kMembers = 200;   ///< of ssfi, as its peer has
constexpr Index kFewLabels = 40;  ///< that semi-supervised selectors see

/// rank(problem) on the labeled table, rows of two classes in turn, of which the first n_labeled
/// have their label; args: rows, columns, threads.
template <class Rank>
void rank_labeled(benchmark::State& state, Rank&& rank,
                  Index n_labeled = std::numeric_limits<Index>::max()) {
  const Table table = load("labeled-" + std::to_string(state.range(0)) + "x" +
                           std::to_string(state.range(1)) + ".npy");
  const ThreadLimit limit(static_cast<int>(state.range(2)));
  Problem problem{.matrix = table.view()};
  for (Index i = 0; i < problem.rows(); ++i)
    problem.known.labels.push_back(i < n_labeled ? i % 2 : kUnlabeled);
  for (auto _ : state) benchmark::DoNotOptimize(rank(problem));
}

void fisher_score_labeled(benchmark::State& state) {
  rank_labeled(state, [](const Problem& problem) { return fisher_score(problem); });
}
void relieff_labeled(benchmark::State& state) {
  rank_labeled(state, [](const Problem& problem) { return relieff(problem); });
}
void mrmr_labeled(benchmark::State& state) {
  rank_labeled(state,
               [](const Problem& problem) { return mrmr(problem, {.max_features = kFeatures}); });
}
void fcbf_labeled(benchmark::State& state) {
  rank_labeled(state, [](const Problem& problem) { return fcbf(problem); });
}
void ssfi_labeled(benchmark::State& state) {
  rank_labeled(
      state, [](const Problem& problem) { return ssfi(problem, {.n_members = kMembers}); },
      kFewLabels);
}
/// One iteration with one sample.
void fw_semifs_labeled(benchmark::State& state) {
  rank_labeled(
      state,
      [](const Problem& problem) {
        return fw_semifs(problem, {.start = 2, .step = 2, .sampling_times = 1, .max_iter = 1});
      },
      kFewLabels);
}
BENCHMARK(fisher_score_labeled)
    ->Args({500, 5000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK(relieff_labeled)
    ->Args({500, 5000, 1})
    ->Args({500, 5000, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK(mrmr_labeled)
    ->Args({500, 5000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK(fcbf_labeled)
    ->Args({500, 5000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK(ssfi_labeled)
    ->Args({500, 5000, 1})
    ->Args({500, 5000, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK(fw_semifs_labeled)
    ->Args({500, 5000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

void spec_end_to_end(benchmark::State& state) {
  const Table table = load(blobs_file(state.range(0), state.range(1)));
  const ThreadLimit limit(static_cast<int>(state.range(2)));
  const Problem problem{.matrix = table.view()};
  for (auto _ : state) benchmark::DoNotOptimize(spec(problem));
}
BENCHMARK(spec_end_to_end)
    ->Args({2000, 1000, 1})
    ->Args({10000, 1000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

/// The first columns of blobs, one row in a hundred labeled; args: rows, columns, threads.
void sbcs_semi(benchmark::State& state) {
  const Table table = load(blobs_file(state.range(0), 1000));
  const ThreadLimit limit(static_cast<int>(state.range(2)));
  const Index rows = table.view().rows();
  const Index cols = state.range(1);
  std::vector<double> values(rows * cols);
  copy_columns(table.view(), all_indices(rows), 0, cols, values.data());
  Problem problem{.matrix = DenseView(values.data(), rows, cols)};
  for (Index i = 0; i < rows; ++i)
    problem.known.labels.push_back(i % 100 == 0 ? i / 100 % 2 : kUnlabeled);
  for (auto _ : state) benchmark::DoNotOptimize(sbcs(problem, {.max_features = kSimilarFeatures}));
}
BENCHMARK(sbcs_semi)
    ->Args({2000, 200, 1})
    ->Args({2000, 200, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
