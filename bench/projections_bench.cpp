#include <benchmark/benchmark.h>

#include "bench_data.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/projections/cfld.hpp"
#include "tamis/projections/pca.hpp"
#include "tamis/projections/rca.hpp"
#include "tamis/projections/ssdr.hpp"

namespace tamis::bench {
namespace {

/// project(problem) on the labeled table, rows of two classes in turn; args: rows, columns,
/// threads.
template <class Project>
void project_labeled(benchmark::State& state, Project&& project) {
  const Table table = load("labeled-" + std::to_string(state.range(0)) + "x" +
                           std::to_string(state.range(1)) + ".npy");
  const ThreadLimit limit(static_cast<int>(state.range(2)));
  Problem problem{.matrix = table.view()};
  for (Index i = 0; i < problem.rows(); ++i) problem.known.labels.push_back(i % 2);
  for (auto _ : state) benchmark::DoNotOptimize(project(problem));
}

void pca_labeled(benchmark::State& state) {
  project_labeled(state, [](const Problem& problem) { return pca(problem); });
}
void ssdr_labeled(benchmark::State& state) {
  project_labeled(state, [](const Problem& problem) { return ssdr(problem); });
}
void cfld_labeled(benchmark::State& state) {
  project_labeled(state, [](const Problem& problem) { return cfld(problem); });
}
void rca_labeled(benchmark::State& state) {
  project_labeled(state, [](const Problem& problem) { return rca(problem); });
}
BENCHMARK(pca_labeled)
    ->Args({500, 5000, 1})
    ->Args({500, 5000, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK(ssdr_labeled)
    ->Args({500, 5000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK(cfld_labeled)
    ->Args({500, 5000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK(rca_labeled)
    ->Args({500, 5000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
