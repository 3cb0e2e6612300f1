#include <benchmark/benchmark.h>

#include "bench_data.hpp"
#include "clustering/ward/agglomerative.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::bench {
namespace {

void ward(benchmark::State& state) {
  const Table table = load(blobs_file(state.range(0), state.range(1)));
  const ThreadLimit limit(static_cast<int>(state.range(2)));
  for (auto _ : state) benchmark::DoNotOptimize(ward_linkage(table.view()));
}
BENCHMARK(ward)
    ->Args({10000, 100, 1})
    ->Args({10000, 100, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
