#include "learners/row_products.hpp"

#include <gtest/gtest.h>

#include "support/sample.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

TEST(RowProducts, AreSumsInTheOrderOfTheColumnsHoweverTheyGrew) {
  const Dense x = random_table(40, 37, 2);
  const DenseView<double> columns(x.values.data(), 40, 37);
  const std::vector<Index> rows{7, 3, 39, 0, 12, 11, 7};
  for (const int threads : {1, 3})
    for (const std::vector<Index>& lengths :
         {std::vector<Index>{37}, {1, 2, 10, 37}, {8, 16, 16, 37}}) {
      const ThreadLimit limit(threads);
      RowProducts products(columns, rows, 4);
      for (const Index length : lengths) {
        products.grow(length);
        ASSERT_EQ(products.table().rows(), 7);
        ASSERT_EQ(products.table().cols(), 4);
        for (Index i = 0; i < 7; ++i)
          for (Index j = 0; j < 4; ++j) {
            double sum = 0.0;
            for (Index r = 0; r < length; ++r) sum += x(rows[i], r) * x(rows[j], r);
            EXPECT_EQ(products.table()(i, j), sum) << i << ' ' << j << ' ' << length;
          }
      }
    }
}

}  // namespace
}  // namespace tamis::test
