#include <benchmark/benchmark.h>

#include <vector>

#include "core/random.hpp"
#include "linalg/gemm.hpp"
#include "redundancy/spanning_tree.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::bench {
namespace {

Buffer<float> random_values(Index count) {
  RandomStream random(/*seed=*/1);
  Buffer<float> values(count);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

/// The one product X'X that all correlations of h columns of n rows are made of.
void correlation_product(benchmark::State& state) {
  const Index h = state.range(0);
  const Index n = state.range(1);
  const Buffer<float> columns = random_values(h * n);
  Buffer<float> out(h * h, 0.0F);
  for (auto _ : state)
    multiply_transposed(columns.data(), n, h, columns.data(), n, h, n, false, out.data(), h);
}
BENCHMARK(correlation_product)
    ->Args({5000, 2000})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

/// From the table to the tree; `signal` per cent of each column follow one of ten common ones.
void spanning_tree(benchmark::State& state) {
  const Index h = state.range(0);
  const Index n = state.range(1);
  const ThreadLimit limit(static_cast<int>(state.range(2)));
  const float signal = 0.01F * static_cast<float>(state.range(3));
  Buffer<float> values = random_values(n * h);
  for (Index i = 0; i < n; ++i)
    for (Index r = 10; r < h; ++r) values[i * h + r] += signal * values[i * h + r % 10];
  const DenseView<float> x(values.data(), n, h);
  const std::vector<Index> columns = RandomStream(/*seed=*/2).sample(h, h);
  for (auto _ : state) benchmark::DoNotOptimize(maximum_spanning_tree(x, columns));
}
BENCHMARK(spanning_tree)
    ->ArgsProduct({{5000}, {2000}, {1, 2}, {0, 50}})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tamis::bench
