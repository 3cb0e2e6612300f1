#include <benchmark/benchmark.h>

#include "bench_data.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/methods/laplacian_score.hpp"

namespace tamis::bench {
namespace {

void laplacian_score_end_to_end(benchmark::State& state) {
  const Table table = load(blobs_file(state.range(0), state.range(1)));
  const ThreadLimit limit(static_cast<int>(state.range(2)));
  const Problem problem{.matrix = table.view()};
  for (auto _ : state) benchmark::DoNotOptimize(laplacian_score(problem));
}
BENCHMARK(laplacian_score_end_to_end)
    ->Args({2000, 1000, 1})
    ->Args({10000, 1000, 1})
    ->Args({10000, 1000, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
