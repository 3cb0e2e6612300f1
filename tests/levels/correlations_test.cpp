#include "levels/correlations.hpp"

#include <gtest/gtest.h>

#include "core/cpu.hpp"
#include "core/random.hpp"
#include "levels/code_gram.hpp"
#include "levels/column_part.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Of columns of random codes, each as many times -2, -1, 0, 1 and 2.
/// @param parts of their products, which are taken one after the other
Correlations random_correlations(Index cols, Index parts = 1,
                                 const std::optional<std::string>& folder = std::nullopt) {
  CodeBlock block{.rows = 500, .cols = cols, .codes = Buffer<std::int16_t>(cols * kCodeRows, 0)};
  RandomStream random(7);
  for (Index r = 0; r < cols; ++r)
    for (Index i = 0; i < block.rows; ++i) {
      const Index other = random.below(i + 1);
      std::int16_t* const codes = &block.codes[r * kCodeRows];
      codes[i] = codes[other];
      codes[other] = static_cast<std::int16_t>(i % 5 - 2);
    }
  const std::vector<CodeCount> counts{{-2, 100}, {-1, 100}, {0, 100}, {1, 100}, {2, 100}};
  const std::vector<CodeFacts> facts(cols, facts_of(counts, block.rows));
  Correlations correlations(folder);
  for (const ColumnPart& part : product_parts(cols, parts)) {
    SymmetricTiles<std::int64_t> gram(part.end, part.first / kTileSide);
    add_code_products(std::span(&block, 1), best_code_kernel(), gram);
    correlations.add(std::move(gram), facts, block.rows);
  }
  return correlations;
}

RowVectors random_vectors(Index rows, Index width) {
  RowVectors vectors{width, Buffer<double>(rows * width)};
  RandomStream random(8);
  for (double& value : vectors.values) value = random.normal();
  return vectors;
}

TEST(Correlations, MultiplyVectorsAsTheirElementsSay) {
  for (const Target target : {Target::baseline, best_target()})
    for (const Index cols : {1, 47, 48, 49, 150})
      for (const Index width : {1, 3}) {
        SCOPED_TRACE(testing::Message() << name_of(target) << ", " << cols << " x " << width);
        const TargetLimit limit(target);
        const Correlations correlations = random_correlations(cols);
        const RowVectors vectors = random_vectors(cols, width);
        const RowVectors image = correlations.times(vectors);
        for (Index i = 0; i < cols; ++i)
          for (Index c = 0; c < width; ++c) {
            double expected = 0.0;
            for (Index j = 0; j < cols; ++j) expected += correlations.at(i, j) * vectors.row(j)[c];
            ASSERT_NEAR(image.row(i)[c], expected, 1e-13 * static_cast<double>(cols)) << i;
          }
      }
}

TEST(Correlations, OfOneColumnAreItsElements) {
  constexpr Index kCols = 150;
  const std::vector<Index> columns{0, 5, 47, 48, 149, 100, 101, 3, 60};
  for (const Index parts : {1, 2})
    for (const auto& folder : {std::optional<std::string>(), {testing::TempDir()}}) {
      const Correlations correlations = random_correlations(kCols, parts, folder);
      for (const Index i : {0, 47, 48, 60, 149}) {
        const std::vector<double> found = correlations.of(i, columns);
        ASSERT_EQ(found.size(), columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c)
          EXPECT_EQ(found[c], correlations.at(i, columns[c])) << i << ", " << columns[c];
      }
    }
}

TEST(Correlations, HaveTheSameBitsInPartsAndInAFile) {
  // More tiles than are read from a file at once.
  constexpr Index kCols = 3200;
  const Correlations whole = random_correlations(kCols);
  for (const Index parts : {1, 3}) {
    SCOPED_TRACE(parts);
    const Correlations held = random_correlations(kCols, parts);
    const Correlations kept = random_correlations(kCols, parts, testing::TempDir());
    for (const auto& [i, j] : {std::pair<Index, Index>{0, 0}, {1500, 2}, {2, 1500}, {3199, 3100}}) {
      EXPECT_EQ(held.at(i, j), whole.at(i, j));
      EXPECT_EQ(kept.at(i, j), whole.at(i, j));
    }
    for (const Index width : {1, 3}) {
      const RowVectors vectors = random_vectors(kCols, width);
      const Buffer<double> expected = whole.times(vectors).values;
      EXPECT_EQ(held.times(vectors).values, expected);
      EXPECT_EQ(kept.times(vectors).values, expected);
    }
  }
}

TEST(Correlations, MultiplyAVectorToTheSameBitsByAnyNumberOfThreads) {
  const Correlations correlations = random_correlations(700);
  const RowVectors vector = random_vectors(700, 1);
  const auto image = [&](int threads) {
    const ThreadLimit limit(threads);
    return correlations.times(vector).values;
  };
  EXPECT_EQ(image(2), image(1));
  EXPECT_EQ(image(3), image(1));
}

}  // namespace
}  // namespace tamis
