#include <benchmark/benchmark.h>

#include <variant>

#include "bench_data.hpp"
#include "linalg/ranked_table.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis::bench {
namespace {

/// Six rows of two classes; the others have no label.
std::vector<Index> six_labels(Index rows) {
  std::vector<Index> labels(rows, kUnlabeled);
  for (Index i = 0; i < 6; ++i) labels[i] = i % 2;
  return labels;
}

/// With fdr 1 features are not judged.
void rank(benchmark::State& state, const Table& table, Index threads, double fdr = 1.0,
          bool is_supervised = true) {
  const ThreadLimit limit(static_cast<int>(threads));
  Problem problem{.matrix = table.view()};
  if (is_supervised) problem.known.labels = six_labels(problem.rows());
  for (auto _ : state) benchmark::DoNotOptimize(ridge_omp(problem, {.relevance = {.fdr = fdr}}));
}

void ridge_omp_sparse(benchmark::State& state) { rank(state, load("counts.svm"), 1); }
BENCHMARK(ridge_omp_sparse)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

void ridge_omp_dense(benchmark::State& state) {
  rank(state, load(noise_file(state.range(0), state.range(1))), state.range(2));
}
BENCHMARK(ridge_omp_dense)
    ->Args({100000, 2000, 1})
    ->Args({100000, 2000, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

void ridge_omp_wide(benchmark::State& state) {
  rank(state, load(noise_file(state.range(0), state.range(1))), 1, 1.0, state.range(2) == 1);
}
BENCHMARK(ridge_omp_wide)
    ->Args({100, 100000, 0})
    ->Args({100, 100000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

void ridge_omp_sparse_judged(benchmark::State& state) { rank(state, load("counts.svm"), 1, 0.1); }
BENCHMARK(ridge_omp_sparse_judged)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

void ridge_omp_dense_judged(benchmark::State& state) {
  rank(state, load(noise_file(state.range(0), state.range(1))), state.range(2), 0.1);
}
BENCHMARK(ridge_omp_dense_judged)
    ->Args({100000, 2000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

void rank_transform(benchmark::State& state) {
  const Table table = load(noise_file(state.range(0), state.range(1)));
  const ThreadLimit limit(1);
  for (auto _ : state) benchmark::DoNotOptimize(RankedTable(table.view()));
}
BENCHMARK(rank_transform)
    ->Args({100000, 100})
    ->Args({100000, 2000})
    ->Args({100, 100000})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

/// What reading the table once costs.
void reading_pass(benchmark::State& state) {
  const Table table = load(noise_file(state.range(0), state.range(1)));
  const Buffer<float>& x = std::get<DenseTable<float>>(table.data).values;
  for (auto _ : state) {
    double sums[32] = {};
    for (std::size_t e = 0; e + 32 <= x.size(); e += 32)
      for (std::size_t c = 0; c < 32; ++c) sums[c] += static_cast<double>(x[e + c]);
    benchmark::DoNotOptimize(sums);
  }
}
BENCHMARK(reading_pass)
    ->Args({100000, 2000})
    ->Args({100, 100000})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
