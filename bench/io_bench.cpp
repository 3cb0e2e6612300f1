#include <benchmark/benchmark.h>

#include "bench_data.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::bench {
namespace {

void read_csv(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(load("table.csv"));
}
BENCHMARK(read_csv)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
