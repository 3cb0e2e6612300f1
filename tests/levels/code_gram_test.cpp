#include "levels/code_gram.hpp"

#include <gtest/gtest.h>

#include "core/cpu.hpp"
#include "core/random.hpp"

namespace tamis {
namespace {

CodeBlock random_codes(Index rows, Index cols, bool is_extreme) {
  CodeBlock block{.rows = rows, .cols = cols, .codes = Buffer<std::int16_t>(cols * kCodeRows, 0)};
  RandomStream random(7);
  for (Index r = 0; r < cols; ++r)
    for (Index i = 0; i < rows; ++i)
      block.codes[r * kCodeRows + i] =
          static_cast<std::int16_t>(is_extreme ? (r % 3 == 0 ? -kLargestCode : kLargestCode)
                                               : random.below(2 * kLargestCode + 1) - kLargestCode);
  return block;
}

std::int64_t naive_product(const CodeBlock& block, Index i, Index j) {
  std::int64_t sum = 0;
  for (Index s = 0; s < block.rows; ++s) sum += block.column(i)[s] * block.column(j)[s];
  return sum;
}

TEST(CodeGram, IsTheSameIntegersByEveryKernel) {
  for (const Index cols : {1, 6, 47, 48, 49, 97})
    for (const Index rows : {1, 3, 255, 511, 512}) {
      const bool is_extreme = cols == 49;  // the largest sums
      SCOPED_TRACE(testing::Message() << rows << " x " << cols);
      // More than are taken at once, and of different lengths.
      std::vector<CodeBlock> run(kBlocksAtOnce + 1, random_codes(kCodeRows, cols, is_extreme));
      run.push_back(random_codes(rows, cols, is_extreme));
      SymmetricTiles<std::int64_t> by_doubles(cols);
      add_code_products(run, CodeKernel::doubles, by_doubles);
      for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
        const TargetLimit limit(target);
        SymmetricTiles<std::int64_t> gram(cols);
        add_code_products(run, best_code_kernel(), gram);
        EXPECT_EQ(gram.values(), by_doubles.values()) << name_of(target);
      }
      for (Index i = 0; i < cols; ++i)
        for (Index j = 0; j < cols; ++j) {
          std::int64_t product = 0;
          for (const CodeBlock& block : run) product += naive_product(block, i, j);
          ASSERT_EQ(by_doubles.at(i, j), product) << i << ", " << j;
        }
    }
}

TEST(SymmetricTiles, KnowThePlaceOfEveryTile) {
  Index number = 0;
  for (Index row = 0; row < 70; ++row)
    for (Index column = 0; column <= row; ++column, ++number) {
      EXPECT_EQ(tile_place(number).row, row);
      EXPECT_EQ(tile_place(number).column, column);
    }
}

}  // namespace
}  // namespace tamis
