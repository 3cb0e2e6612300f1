#include "linalg/ordered_product.hpp"

#include "core/lanes.hpp"

namespace tamis {
namespace {

/// Registers that a row's sums are in, and rows whose sums fill half of all registers.
constexpr Index kVectors = 4;
template <class Cpu>
inline constexpr Index kColumnsAtOnce = (kVectors * kRegisterLanes<double, Cpu>);
template <class Cpu>
inline constexpr Index kRowsAtOnce = Cpu::kRegisters / (2 * kVectors);
static_assert(kColumnsAtOnce<BaselineCpu> == kOrderedColumns);

/// Of a product, `rows` rows and `cols` columns, whose sums stay in registers.
template <Index rows, Index cols, class Cpu>
TAMIS_INLINE void multiply_tile(const Factor& a, const Factor& b, Index depth, double* out,
                                Index apart) {
  using Columns = Lanes<double, cols, Cpu>;
  Columns sums[rows] = {};
  for (Index k = 0; k < depth; ++k) {
    const auto terms = Columns::load(b.first + k * b.apart);
#pragma GCC unroll 4
    for (Index i = 0; i < rows; ++i) sums[i] += a.first[i * a.apart + k] * terms;
  }
#pragma GCC unroll 4
  for (Index i = 0; i < rows; ++i) sums[i].store(out + i * apart);
}

/// All columns of `rows` rows, as many at once as there are left.
template <Index rows, Index cols, class Cpu>
TAMIS_INLINE void multiply_columns(const Factor& a, const Factor& b, Index depth, Index count,
                                   double* out, Index apart) {
  Index c = 0;
  for (; c + cols <= count; c += cols)
    multiply_tile<rows, cols, Cpu>(a, {b.first + c, b.apart}, depth, out + c, apart);
  if constexpr (cols > kOrderedColumns)
    multiply_columns<rows, cols / 2, Cpu>(a, {b.first + c, b.apart}, depth, count - c, out + c,
                                          apart);
}

/// All of them, as many at once as there are left.
template <Index rows, class Cpu>
TAMIS_INLINE void multiply_rows(const Factor& a, const Factor& b, Index count, Index depth,
                                Index cols, double* out, Index apart) {
  Index i = 0;
  for (; i + rows <= count; i += rows)
    multiply_columns<rows, kColumnsAtOnce<Cpu>, Cpu>({a.first + i * a.apart, a.apart}, b, depth,
                                                     cols, out + i * apart, apart);
  if constexpr (rows > 1)
    multiply_rows<rows / 2, Cpu>({a.first + i * a.apart, a.apart}, b, count - i, depth, cols,
                                 out + i * apart, apart);
}

}  // namespace

void multiply_in_order(const Factor& a, const Factor& b, Index rows, Index depth, Index cols,
                       double* out, Index apart) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    multiply_rows<kRowsAtOnce<Cpu>, Cpu>(a, b, rows, depth, cols, out, apart);
  });
}

}  // namespace tamis
