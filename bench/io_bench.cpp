#include <benchmark/benchmark.h>

#include "bench_data.hpp"
#include "prepare/missing.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::bench {
namespace {

void read_file(benchmark::State& state, const char* name) {
  const ThreadLimit limit(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(load(name));
}
void read_csv(benchmark::State& state) { read_file(state, "table.csv"); }
void read_wide_csv(benchmark::State& state) { read_file(state, "wide.csv"); }
void read_h5ad(benchmark::State& state) { read_file(state, "counts.h5ad"); }
BENCHMARK(read_csv)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
BENCHMARK(read_wide_csv)->Arg(1)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
BENCHMARK(read_h5ad)->Arg(1)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

void fill_nearest(benchmark::State& state) {
  const ThreadLimit limit(static_cast<int>(state.range(0)));
  const Table holes = load("holes.npy");
  for (auto _ : state) {
    OwnedTable table = holes.data;
    fill_missing(table, all_indices(holes.rows()), Missing::nearest);
    benchmark::DoNotOptimize(table);
  }
}
BENCHMARK(fill_nearest)->Arg(1)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
