#include <benchmark/benchmark.h>

#include "bench_data.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/methods/ens_cls.hpp"

namespace tamis::bench {
namespace {

/// The first 30 rows belong to three classes; the others have no label.
std::vector<Index> few_labels(Index rows) {
  std::vector<Index> labels(rows, kUnlabeled);
  for (Index i = 0; i < 30; ++i) labels[i] = i % 3;
  return labels;
}

/// By the state's rows, columns, threads and members.
void measure_members(benchmark::State& state, Condense condense) {
  const Table table = load(members_file(state.range(0), state.range(1)));
  const ThreadLimit limit(static_cast<int>(state.range(2)));
  Problem problem{.matrix = table.view()};
  problem.known.labels = few_labels(problem.rows());
  EnsClsOptions options{.n_members = state.range(3)};
  options.cls.condense.condense = condense;
  for (auto _ : state) benchmark::DoNotOptimize(ens_cls(problem, options));
  state.counters["members"] = static_cast<double>(state.range(3));
}

void ens_cls_members(benchmark::State& state) { measure_members(state, Condense::none); }
BENCHMARK(ens_cls_members)
    ->Args({171, 5748, 1, 1000})
    ->Args({171, 5748, 2, 1000})
    ->Args({2600, 500, 1, 40})
    ->Args({2600, 500, 2, 40})
    ->Args({1993, 4862, 1, 40})
    ->Args({1993, 4862, 2, 40})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

void ens_cls_members_on_maps(benchmark::State& state) { measure_members(state, Condense::som); }
BENCHMARK(ens_cls_members_on_maps)
    ->Args({171, 5748, 1, 100})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
