#include <benchmark/benchmark.h>

#include <vector>

#include "bench_data.hpp"
#include "core/squared_differences.hpp"
#include "graphs/coinciding_rows.hpp"
#include "graphs/graph.hpp"
#include "graphs/group_pairs.hpp"
#include "graphs/heat_kernel.hpp"
#include "graphs/knn_exact.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::bench {
namespace {

constexpr Index kNeighbors = 10;

/// The hardware's limit for neighbour searches: single-precision products per second.
void sgemm(benchmark::State& state) {
  const Index size = state.range(0);
  const std::vector<float> a(size * size, 0.5F);
  std::vector<float> out(size * size);
  for (auto _ : state)
    multiply_transposed(a.data(), size, size, a.data(), size, size, size, false, out.data(), size);
  state.counters["flops"] = 2.0 * static_cast<double>(size * size * size);
}
BENCHMARK(sgemm)->Arg(2048)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

void search(benchmark::State& state, const Table& table, int threads) {
  const ThreadLimit limit(threads);
  for (auto _ : state) benchmark::DoNotOptimize(nearest_neighbors(table.view(), kNeighbors));
}

void nearest_neighbors_dense(benchmark::State& state) {
  search(state, load(blobs_file(state.range(0), state.range(1))), static_cast<int>(state.range(2)));
}
BENCHMARK(nearest_neighbors_dense)
    ->ArgsProduct({{2000, 10000}, {1000}, {1, 2}})
    ->Args({20000, 2000, 1})
    ->Args({20000, 2000, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

void nearest_neighbors_sparse(benchmark::State& state, const char* file) {
  search(state, load(file), 1);
}
BENCHMARK_CAPTURE(nearest_neighbors_sparse, text, "text.svm")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(nearest_neighbors_sparse, basehock, "basehock.svm")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

/// All that the Laplacian score needs of every feature, on a graph that is there.
void scoring(benchmark::State& state) {
  const Table table = load(blobs_file(state.range(0), state.range(1)));
  const ThreadLimit limit(static_cast<int>(state.range(2)));
  const Problem problem{.matrix = table.view()};
  Diagnostics notes;
  const Graph graph = similarity_graph(problem.matrix, {.n_neighbors = kNeighbors}, {}, {}, notes);
  const std::vector<double> row_weights = degrees(graph);
  for (auto _ : state)
    benchmark::DoNotOptimize(graph_sums(problem.matrix, graph.edges, row_weights));
  state.counters["edges"] = static_cast<double>(graph.edges.size());
}
BENCHMARK(scoring)
    ->Args({20000, 2000, 1})
    ->Args({20000, 2000, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

/// Heat weights, degrees and sums of differences of all pairs of rows, on the first columns.
void all_pairs(benchmark::State& state) {
  const Table table = load(blobs_file(state.range(0), 1000));
  const ThreadLimit limit(1);
  const Index rows = table.view().rows();
  const Index cols = state.range(1);
  std::vector<double> values(rows * cols);
  copy_columns(table.view(), all_indices(rows), 0, cols, values.data());
  const MatrixView x = DenseView(values.data(), rows, cols);
  const RowGroups all(1, all_indices(rows));
  const PairWeight weight{.t = mean_squared_distance(x)};
  for (auto _ : state)
    benchmark::DoNotOptimize(sum_group_pairs(x, coinciding_rows(x, all), weight, {}, "pairs"));
}
BENCHMARK(all_pairs)
    ->Args({2000, 6})
    ->Args({2000, 40})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
