#include <benchmark/benchmark.h>
#include <cblas.h>

#include <variant>

#include "bench_data.hpp"
#include "io/table_stream.hpp"
#include "levels/code_gram.hpp"
#include "levels/column_scan.hpp"
#include "streaming/drive.hpp"
#include "streaming/streamed_ridge_omp.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis::bench {
namespace {

void column_scan(benchmark::State& state) {
  const Table table = load(noise_file(state.range(0), state.range(1)));
  const ThreadLimit limit(1);
  for (auto _ : state) {
    ColumnScan scan(table.view().cols());
    scan.update(table.view());
    benchmark::DoNotOptimize(scan);
  }
}
BENCHMARK(column_scan)
    ->Args({100000, 2000})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

/// Products of all pairs of columns: kCodeRows rows of codes by either kernel, and of floats by
/// BLAS.
void code_products(benchmark::State& state) {
  const Index cols = state.range(0);
  const auto kernel = static_cast<CodeKernel>(state.range(1));
  const ThreadLimit limit(1);
  CodeBlock block{.rows = kCodeRows, .cols = cols, .codes = Buffer<std::int16_t>(cols * kCodeRows)};
  for (Index e = 0; e < std::ssize(block.codes); ++e)
    block.codes[e] = static_cast<std::int16_t>(e * 7919 % 4095 - kLargestCode);
  SymmetricTiles<std::int64_t> gram(cols);
  for (auto _ : state) add_code_products(std::span(&block, 1), kernel, gram);
  benchmark::DoNotOptimize(gram);
}
BENCHMARK(code_products)
    ->Args({5000, static_cast<int>(CodeKernel::integers)})
    ->Args({5000, static_cast<int>(CodeKernel::doubles)})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

void float_products(benchmark::State& state) {
  const auto cols = static_cast<blasint>(state.range(0));
  const auto rows = static_cast<blasint>(kCodeRows);
  const Buffer<float> block(Index{rows} * cols, 0.5F);
  Buffer<float> products(Index{cols} * cols, 0.0F);
  openblas_set_num_threads(1);
  for (auto _ : state)
    cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, cols, rows, 1.0F, block.data(), cols, 1.0F,
                products.data(), cols);
  benchmark::DoNotOptimize(products);
}
BENCHMARK(float_products)->Arg(5000)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

/// Six labels of two classes.
Knowledge six_labels(Index rows) {
  Knowledge known{.labels = std::vector<Index>(rows, kUnlabeled)};
  for (Index i = 0; i < 6; ++i) known.labels[i] = i % 2;
  return known;
}

/// Unjudged, and judged.
void ridge_omp_levels(benchmark::State& state) {
  const Table table = load(noise_file(state.range(0), state.range(1)));
  const ThreadLimit limit(1);
  const Problem problem{.matrix = table.view(), .known = six_labels(table.rows())};
  const double fdr = state.range(2) != 0 ? 0.1 : 1.0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        ridge_omp(problem, {.ranks = Ranks::levels, .relevance = {.fdr = fdr}}));
}
BENCHMARK(ridge_omp_levels)
    ->Args({100000, 2000, 0})
    ->Args({100000, 2000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

/// The same from the file, some rows at a time.
void ridge_omp_streamed(benchmark::State& state) {
  constexpr Index kRowsAtOnce = 4096;
  const std::string path = path_of(noise_file(state.range(0), state.range(1)));
  const ThreadLimit limit(1);
  const RidgeOmpOptions options{.ranks = Ranks::levels,
                                .relevance = {.fdr = state.range(2) != 0 ? 0.1 : 1.0}};
  for (auto _ : state) {
    const auto stream = open_table_stream(path, {});
    RowSource& rows = *stream->rows;
    StreamedRidgeOmp conversation({.rows = rows.rows(),
                                   .cols = rows.cols(),
                                   .is_single = rows.is_single(),
                                   .known = six_labels(rows.rows())},
                                  options, /*seed=*/0);
    benchmark::DoNotOptimize(converse(conversation, rows, kRowsAtOnce, {}));
  }
}
BENCHMARK(ridge_omp_streamed)
    ->Args({100000, 2000, 0})
    ->Args({100000, 2000, 1})
    ->Args({100000, 5000, 0})
    ->Args({100000, 5000, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
