#include <benchmark/benchmark.h>

#include "bench_data.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/methods/l2gfs.hpp"
#include "tamis/methods/wckm.hpp"

namespace tamis::bench {
namespace {

/// The first rows as centroids: what the peer starts from.
ClusterStart first_rows(const MatrixView& x, Index n_clusters) {
  ClusterStart start{.centroids = std::vector<double>(n_clusters * x.cols())};
  copy_columns(x, all_indices(n_clusters), 0, x.cols(), start.centroids.data());
  return start;
}

/// One run of at most so many iterations; the counter says how many there were. Two lengths of run
/// tell the cost of an iteration from that of a call.
template <class Options, class Cluster>
void run_clustering(benchmark::State& state, const Cluster& cluster) {
  const Table table = load(noise_file(state.range(0), state.range(1)));
  const Index n_clusters = state.range(2);
  const Problem problem{.matrix = table.view()};
  const ThreadLimit limit(static_cast<int>(state.range(4)));
  const Options options{.n_clusters = n_clusters, .max_iter = state.range(3)};
  const ClusterGiven given{.start = first_rows(problem.matrix, n_clusters)};
  for (auto _ : state) {
    const Clustering clustering = cluster(problem, options, given, Run{});
    state.counters["iterations"] = static_cast<double>(clustering.iterations.size());
  }
}

void wckm_iterations(benchmark::State& state) {
  run_clustering<WckmOptions>(state, wckm_clustering);
}
void l2gfs_iterations(benchmark::State& state) {
  run_clustering<L2gfsOptions>(state, l2gfs_clustering);
}

/// The shape of the goal, then twice the rows, columns and clusters.
void shapes(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t iterations : {2, 12}) {
    benchmark->Args({100000, 100, 10, iterations, 1});
    benchmark->Args({100000, 100, 10, iterations, 2});
    benchmark->Args({200000, 100, 10, iterations, 1});
    benchmark->Args({100000, 200, 10, iterations, 1});
    benchmark->Args({100000, 100, 20, iterations, 1});
  }
}
BENCHMARK(wckm_iterations)->Apply(shapes)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
BENCHMARK(l2gfs_iterations)->Apply(shapes)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
