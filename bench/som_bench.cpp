#include <benchmark/benchmark.h>

#include "bench_data.hpp"
#include "clustering/nearest_center.hpp"
#include "clustering/som/som.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::bench {
namespace {

/// The search for best-matching units: rows against as many centres as a map of them has units.
void best_units(benchmark::State& state) {
  const Table table = load(blobs_file(state.range(0), state.range(1)));
  const ThreadLimit limit(1);
  const std::vector<Index> rows = all_indices(table.rows());
  const Index units = state.range(2);
  std::vector<double> centers(units * table.cols());
  copy_columns(table.view(), std::span(rows).first(units), 0, table.cols(), centers.data());
  for (auto _ : state) benchmark::DoNotOptimize(nearest_centers(table.view(), rows, centers));
  state.counters["flops"] = 2.0 * static_cast<double>(table.rows() * units * table.cols());
}
BENCHMARK(best_units)
    ->Args({100000, 200, 1582})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

/// A whole map: principal axes, every epoch, and the last search.
void som(benchmark::State& state) {
  const Table table = load(blobs_file(state.range(0), state.range(1)));
  const ThreadLimit limit(static_cast<int>(state.range(2)));
  const std::vector<Index> rows = all_indices(table.rows());
  std::size_t epochs = 0;
  for (auto _ : state) epochs = train_som(table.view(), rows).error_by_epoch.size();
  state.counters["epochs"] = static_cast<double>(epochs);
}
BENCHMARK(som)
    ->Args({100000, 200, 1})
    ->Args({100000, 200, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
