#include "levels/column_part.hpp"

#include <gtest/gtest.h>

#include "levels/symmetric_tiles.hpp"

namespace tamis {
namespace {

void expect_all_columns(const std::vector<ColumnPart>& parts, Index cols) {
  Index next = 0;
  for (const ColumnPart& part : parts) {
    EXPECT_EQ(part.first, next);
    EXPECT_GT(part.count(), 0);
    next = part.end;
  }
  EXPECT_EQ(next, cols);
}

TEST(ColumnParts, AreAllColumnsOnce) {
  for (const Index cols : {1, 15, 48, 49, 1000})
    for (const Index count : {1, 2, 7, 64}) {
      SCOPED_TRACE(testing::Message() << cols << " in " << count);
      expect_all_columns(even_parts(cols, count), cols);
      const std::vector<ColumnPart> products = product_parts(cols, count);
      expect_all_columns(products, cols);
      for (const ColumnPart& part : products) EXPECT_EQ(part.first % kTileSide, 0);
    }
}

TEST(ColumnParts, OfProductsTakeAboutAsMuchMemory) {
  const std::vector<ColumnPart> parts = product_parts(48'000, 4);
  ASSERT_EQ(parts.size(), 4U);
  for (const ColumnPart& part : parts)
    EXPECT_NEAR(static_cast<double>(tiles_before(part.end / kTileSide) -
                                    tiles_before(part.first / kTileSide)),
                125'000.0, 1'000.0);
}

}  // namespace
}  // namespace tamis
