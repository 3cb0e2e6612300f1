#include "core/transpose.hpp"

#include <gtest/gtest.h>

#include "core/lanes.hpp"

namespace tamis {
namespace {

template <class T, int n>
void expect_transposed() {
  typename Lanes<T, n, Avx512Cpu>::Vector square[n];
  for (int i = 0; i < n; ++i)
    for (int l = 0; l < n; ++l) square[i][l] = static_cast<T>(100 * i + l);
  transpose_square(square);
  for (int i = 0; i < n; ++i)
    for (int l = 0; l < n; ++l) EXPECT_EQ(square[i][l], static_cast<T>(100 * l + i));
}

TEST(TransposeSquare, SwapsRowsAndLanes) {
  expect_transposed<double, 2>();
  expect_transposed<double, 8>();
  expect_transposed<float, 4>();
  expect_transposed<float, 16>();
}

TEST(LoadTransposed, ReadsColumnsOfRowsThatLieApart) {
  constexpr Index kStride = 11;
  float rows[4 * kStride];
  for (Index e = 0; e < 4 * kStride; ++e) rows[e] = static_cast<float>(e);
  typename Lanes<float, 4, Avx512Cpu>::Vector square[4];
  load_transposed(rows + 5, kStride, square);
  for (int r = 0; r < 4; ++r)
    for (int i = 0; i < 4; ++i) EXPECT_EQ(square[r][i], rows[i * kStride + 5 + r]);
}

}  // namespace
}  // namespace tamis
