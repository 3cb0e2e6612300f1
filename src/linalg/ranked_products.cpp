#include <algorithm>
#include <array>
#include <concepts>
#include <numeric>

#include "core/lanes.hpp"
#include "core/simd.hpp"
#include "linalg/fused_products.hpp"
#include "linalg/gemm.hpp"
#include "linalg/ranked_table.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Vectors whose products with a column are taken at once; fewer if no more than that are left.
constexpr Index kVectors = kLanes<double>;
constexpr Index kFewVectors = kVectors / 2;
/// Columns that share the loads of the vectors: half of the registers hold their sums.
template <class Cpu, Index vectors>
constexpr Index kColumnsAtOnce = std::min<Index>(8, Cpu::kRegisters* Cpu::kVectorBytes /
                                                        (2 * vectors * sizeof(double)));
/// Rows after which partial sums are added up; with kVectors vectors they fit the nearest caches.
constexpr Index kChunk = 1024;
/// Rows that are converted at once.
constexpr Index kWideRows = 32;
/// Columns (rows) of one task.
constexpr Index kColumnGrain = 64;
constexpr Index kRowGrain = 1024;
constexpr Index kDepth = 256;
/// Terms of each sum over kChunk rows that are added one after the other, as OpenBLAS cuts them.
constexpr std::array<Index, 4> kFusedDepths = {320, 320, 192, 192};
static_assert(std::accumulate(kFusedDepths.begin(), kFusedDepths.end(), Index{0}) == kChunk);
static_assert(std::ranges::all_of(kFusedDepths, [](Index d) { return d % kFusedTerms == 0; }));
static_assert(kColumnGrain % kFusedColumns == 0);

/// Vectors first .. first + vectors - 1 of n x width, row by row; missing ones are 0.
template <Index vectors>
Buffer<double> packed_lanes(const double* v, Index n, Index width, Index first) {
  Buffer<double> lanes(n * vectors);
  const Index count = std::min(vectors, width - first);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < vectors; ++c)
      lanes[i * vectors + c] = c < count ? v[i * width + first + c] : 0.0;
  return lanes;
}

/// The products of one column with some vectors.
template <Index vectors>
using LaneSums = std::array<double, vectors>;

/// Rows of some columns as doubles, which multiply whole vectors straight from memory.
template <Index columns>
struct WideRows {
  double values[columns][kWideRows];

  template <class T>
  TAMIS_INLINE void load(const T* const* z, Index from, Index count) {
#pragma GCC unroll 8
    for (Index s = 0; s < columns; ++s)
      for (Index i = 0; i < count; ++i) values[s][i] = static_cast<double>(z[s][from + i]);
  }
};

/// Asks for kWideRows rows that are read soon: each chunk of a column is too short for the CPU to
/// notice that it is read on.
template <Index columns, class T>
TAMIS_INLINE void prefetch_rows(const T* const* z, Index from) {
  constexpr Index kLine = 64 / sizeof(T);
#pragma GCC unroll 8
  for (Index s = 0; s < columns; ++s)
    for (Index i = 0; i < kWideRows; i += kLine) __builtin_prefetch(z[s] + from + i);
}

/// @param ahead the columns that are next
template <Index columns, Index vectors, class Cpu, class T>
TAMIS_INLINE void add_chunk(const T* const* z, const T* const* ahead, const double* lanes,
                            Index rows, LaneSums<vectors>* sums) {
  using Vector = Lanes<double, vectors, Cpu>;
  Vector partial[columns] = {};
  WideRows<columns> wide;
  for (Index from = 0; from < rows; from += kWideRows) {
    const Index count = std::min(kWideRows, rows - from);
    wide.load(z, from, count);
    prefetch_rows<columns>(ahead, from);
    for (Index i = 0; i < count; ++i) {
      const auto v = Vector::load(lanes + (from + i) * vectors);
#pragma GCC unroll 8
      for (Index s = 0; s < columns; ++s) partial[s] += wide.values[s][i] * v;
    }
  }
#pragma GCC unroll 8
  for (Index s = 0; s < columns; ++s) add_to(sums[s].data(), partial[s]);
}

template <Index vectors, class T>
void add_dense(const T* const* z, Index count, const double* lanes, Index rows,
               LaneSums<vectors>* sums) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    constexpr Index kWidth = kColumnsAtOnce<Cpu, vectors>;
    Index s = 0;
    for (; s + kWidth <= count; s += kWidth)
      add_chunk<kWidth, vectors, Cpu>(z + s, s + 2 * kWidth <= count ? z + s + kWidth : z, lanes,
                                      rows, sums + s);
    for (; s < count; ++s) add_chunk<1, vectors, Cpu>(z + s, z, lanes, rows, sums + s);
  });
}

/// Stored entries of one sparse column.
template <class T>
struct Entries {
  const Index* rows;
  const T* values;
  Index count;
};

template <class T>
Entries<T> entries_of(const SparseRanks<T>& ranks, Index column) {
  const Index from = ranks.offsets[column];
  return {ranks.rows.data() + from, ranks.values.data() + from, ranks.offsets[column + 1] - from};
}

/// sums[c] += sum_e value_e v[row_e * width + c] for so many vectors at once.
template <Index vectors, class Cpu, class T>
TAMIS_INLINE void gather_lanes(const Entries<T>& entries, const double* v, Index width,
                               double* sums) {
  using Vector = Lanes<double, vectors, Cpu>;
  Vector partial{};
  for (Index e = 0; e < entries.count; ++e)
    partial += static_cast<double>(entries.values[e]) * Vector::load(v + entries.rows[e] * width);
  add_to(sums, partial);
}

/// The same for all of `width` vectors.
template <class T>
void gather(Entries<T> entries, const double* v, Index width, double* sums) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    Index done = 0;
    for (; done + kVectors <= width; done += kVectors)
      gather_lanes<kVectors, Cpu>(entries, v + done, width, sums + done);
    for (; done + kFewVectors <= width; done += kFewVectors)
      gather_lanes<kFewVectors, Cpu>(entries, v + done, width, sums + done);
    for (Index e = 0; e < entries.count && done < width; ++e)
      for (Index c = done; c < width; ++c)
        sums[c] += static_cast<double>(entries.values[e]) * v[entries.rows[e] * width + c];
  });
}

/// out[row_e * width + c] += value_e b[c]
template <class T>
void scatter(Entries<T> entries, const double* b, Index width, double* __restrict out) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index e = 0; e < entries.count; ++e) {
      const double value = static_cast<double>(entries.values[e]);
      double* __restrict const row = out + entries.rows[e] * width;
      for (Index c = 0; c < width; ++c) row[c] += value * b[c];
    }
  });
}

template <Index vectors, class T>
void dot_lanes(const DenseRanks<T>& ranks, Index n, std::span<const Index> columns,
               const double* lanes, std::vector<LaneSums<vectors>>& sums) {
  parallel_for(std::ssize(columns), kColumnGrain, [&](Index begin, Index end) {
    std::array<const T*, kColumnGrain> z{};
    for (Index from = 0; from < n; from += kChunk) {
      for (Index s = begin; s < end; ++s) z[s - begin] = &ranks.values[columns[s] * n + from];
      add_dense<vectors>(z.data(), end - begin, lanes + from * vectors, std::min(kChunk, n - from),
                         &sums[begin]);
    }
  });
}

template <Index vectors, class T>
void dot_lanes(const SparseRanks<T>& ranks, Index n, std::span<const Index> columns,
               const double* lanes, std::vector<LaneSums<vectors>>& sums) {
  LaneSums<vectors> totals{};
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < vectors; ++c) totals[c] += lanes[i * vectors + c];
  parallel_for(std::ssize(columns), kColumnGrain, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) {
      const Index column = columns[s];
      gather(entries_of(ranks, column), lanes, vectors, sums[s].data());
      for (Index c = 0; c < vectors; ++c) sums[s][c] += ranks.base[column] * totals[c];
    }
  });
}

template <class T>
Buffer<T> converted(const double* values, Index count) {
  Buffer<T> result(count);
  for (Index e = 0; e < count; ++e) result[e] = static_cast<T>(values[e]);
  return result;
}

bool is_fused(Index width) { return width == kFusedWidth && has_fused_products(); }

/// part += panel' v for a panel of `columns` columns, n apart, of some rows.
template <class T>
void add_columns(const T* panel, Index n, Index columns, Index rows, const T* v, Index width,
                 T* part) {
  if constexpr (std::same_as<T, float>) {
    if (is_fused(width) && columns == kColumnGrain && rows == kChunk) {
      add_fused_columns({panel, n}, columns, v, kFusedDepths, part);
      return;
    }
  }
  add_product(panel, n, v, columns, rows, width, part);
}

/// out = Zb for `count` rows. Sums are kept by vectors, as they come, until all are there; a line
/// between vectors keeps them from each other's places in the caches.
void multiply_fused_rows(const FusedColumns& z, Index count, Index m, const float* b, double* out) {
  const Index apart = count + kLanes<float>;
  Buffer<float> part(apart * kFusedWidth);
  Buffer<double> sums(apart * kFusedWidth, 0.0);
  for (Index from = 0; from < m; from += kDepth) {
    std::ranges::fill(part, 0.0F);
    continue_fused_rows({z.first + from * z.apart, z.apart}, count, b + from * kFusedWidth,
                        std::min(kDepth, m - from), {part.data(), apart});
    for_this_cpu([size = std::ssize(part), terms = part.data(), to = sums.data()](auto)
                     TAMIS_KERNEL {
                       for (Index e = 0; e < size; ++e) to[e] += terms[e];
                     });
  }
  for (Index i = 0; i < count; ++i)
    for (Index c = 0; c < kFusedWidth; ++c) out[i * kFusedWidth + c] = sums[c * apart + i];
}

template <class T>
void transposed_product(const DenseRanks<T>& ranks, Index n, Index m, const double* v, Index width,
                        double* out) {
  const Buffer<T> factor = converted<T>(v, n * width);
  parallel_for(m, kColumnGrain, [&](Index begin, Index end) {
    Buffer<T> part((end - begin) * width);
    for (Index from = 0; from < n; from += kChunk) {
      std::ranges::fill(part, T{0});
      add_columns(&ranks.values[begin * n + from], n, end - begin, std::min(kChunk, n - from),
                  &factor[from * width], width, part.data());
      for (Index e = 0; e < std::ssize(part); ++e) out[begin * width + e] += part[e];
    }
  });
}

template <class T>
void transposed_product(const SparseRanks<T>& ranks, Index n, Index m, const double* v, Index width,
                        double* out) {
  std::vector<double> totals(width, 0.0);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < width; ++c) totals[c] += v[i * width + c];
  parallel_for(m, kColumnGrain, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      double* const sums = out + r * width;
      gather(entries_of(ranks, r), v, width, sums);
      for (Index c = 0; c < width; ++c) sums[c] += ranks.base[r] * totals[c];
    }
  });
}

template <class T>
void product(const DenseRanks<T>& ranks, Index n, Index m, const double* b, Index width,
             double* out) {
  const Buffer<T> factor = converted<T>(b, m * width);
  parallel_for(n, kRowGrain, [&](Index begin, Index end) {
    if constexpr (std::same_as<T, float>)
      if (is_fused(width))
        return multiply_fused_rows({&ranks.values[begin], n}, end - begin, m, factor.data(),
                                   out + begin * width);
    Buffer<T> part((end - begin) * width);
    std::fill_n(out + begin * width, std::ssize(part), 0.0);
    for (Index from = 0; from < m; from += kDepth) {
      std::ranges::fill(part, T{0});
      add_transposed_product(&ranks.values[from * n + begin], n, &factor[from * width], end - begin,
                             std::min(kDepth, m - from), width, part.data());
      for (Index e = 0; e < std::ssize(part); ++e) out[begin * width + e] += part[e];
    }
  });
}

template <class T>
void product(const SparseRanks<T>& ranks, Index n, Index m, const double* b, Index width,
             double* out) {
  std::vector<double> constant(width, 0.0);
  for (Index r = 0; r < m; ++r)
    for (Index c = 0; c < width; ++c) constant[c] += ranks.base[r] * b[r * width + c];
  // Few and large pieces: each looks up its rows in every column.
  constexpr Index kPieces = 8;
  constexpr Index kLeastRows = 4096;
  parallel_for(n, std::max(kLeastRows, (n + kPieces - 1) / kPieces), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) std::ranges::copy(constant, out + i * width);
    for (Index r = 0; r < m; ++r) {
      const Entries<T> all = entries_of(ranks, r);
      const Index* const first = std::lower_bound(all.rows, all.rows + all.count, begin);
      const Index* const last = std::lower_bound(first, all.rows + all.count, end);
      scatter(Entries<T>{first, all.values + (first - all.rows), last - first}, b + r * width,
              width, out);
    }
  });
}

}  // namespace

void RankedTable::dot(std::span<const Index> columns, const double* v, Index width,
                      double* out) const {
  const auto take = [&]<Index vectors>(Index first, std::integral_constant<Index, vectors>) {
    const bool is_packed = width == vectors;
    const Buffer<double> packed =
        is_packed ? Buffer<double>{} : packed_lanes<vectors>(v, rows_, width, first);
    const double* const lanes = is_packed ? v : packed.data();
    std::vector<LaneSums<vectors>> sums(columns.size(), LaneSums<vectors>{});
    std::visit([&](const auto& ranks) { dot_lanes<vectors>(ranks, rows_, columns, lanes, sums); },
               *storage_);
    for (std::size_t s = 0; s < columns.size(); ++s)
      std::copy_n(sums[s].begin(), std::min(vectors, width - first), out + s * width + first);
  };
  for (Index first = 0; first < width; first += kVectors) {
    if (width - first <= kFewVectors)
      take(first, std::integral_constant<Index, kFewVectors>{});
    else
      take(first, std::integral_constant<Index, kVectors>{});
  }
}

void RankedTable::multiply_transposed(const double* v, Index width, double* out) const {
  std::fill_n(out, cols() * width, 0.0);
  std::visit([&](const auto& ranks) { transposed_product(ranks, rows_, cols(), v, width, out); },
             *storage_);
}

void RankedTable::multiply(const double* b, Index width, double* out) const {
  if (width == 0) return;  // a table without a single component
  std::visit([&](const auto& ranks) { product(ranks, rows_, cols(), b, width, out); }, *storage_);
}

}  // namespace tamis
