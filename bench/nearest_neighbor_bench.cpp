#include <benchmark/benchmark.h>

#include <numeric>

#include "bench_data.hpp"
#include "learners/nearest_neighbor.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::bench {
namespace {

/// Even rows train, odd rows are classified, by the first 1, 2, ... features.
void nearest_by_prefix(benchmark::State& state) {
  const Table table = load(blobs_file(state.range(0), state.range(1)));
  const ThreadLimit limit(static_cast<int>(state.range(3)));
  std::vector<Index> train;
  std::vector<Index> test;
  for (Index i = 0; i < table.rows(); ++i) (i % 2 == 0 ? train : test).push_back(i);
  const std::vector<Index> features = all_indices(state.range(2));
  std::vector<Index> lengths(features.size());
  std::iota(lengths.begin(), lengths.end(), Index{1});
  for (auto _ : state)
    benchmark::DoNotOptimize(nearest_rows_by_prefix(table.view(), train, test, features, lengths));
  state.SetItemsProcessed(state.iterations() * std::ssize(train) * std::ssize(test) *
                          std::ssize(features));  // pair x feature
}
BENCHMARK(nearest_by_prefix)
    ->Args({2000, 1000, 200, 1})
    ->Args({2000, 1000, 200, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
