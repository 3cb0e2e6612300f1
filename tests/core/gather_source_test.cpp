#include "core/gather_source.hpp"

#include "core/cpu.hpp"
#include "support/sample.hpp"

namespace tamis::test {
namespace {

std::vector<double> values_of(const OwnedTable& table) {
  const MatrixView x = view_of(table);
  std::vector<double> values(x.rows() * x.cols());
  copy_columns(x, all_indices(x.rows()), 0, x.cols(), values.data());
  return values;
}

TEST(GatherSource, GivesWhatTheTableGivesWithAndWithoutACopy) {
  const Dense x = random_table(23, 400, 1);
  std::vector<Index> rows{3, 3, 22, 0, 7};
  for (Index i = 2; i < 23; ++i) rows.push_back(i);  // and some that follow each other
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline})
    for (const Storage storage : kStorages) {
      const TargetLimit limit(target);
      SCOPED_TRACE(name_of(storage));
      const StoredSample stored({.x = x}, storage);
      const MatrixView& matrix = stored.problem().matrix;
      for (const std::vector<Index>& columns : {std::vector<Index>{5},
                                                {0, 1, 17, 64, 65, 66, 300, 399},
                                                {2, 3, 5, 7, 11, 13, 17, 19, 23}})
        for (const Index times : {1, 10'000}) {
          const GatherSource source(matrix, std::ssize(columns), times);
          EXPECT_EQ(source.has_copy(), times > 1 && !matrix.is_sparse());
          const OwnedTable gathered = source.gathered(rows, columns);
          EXPECT_EQ(values_of(gathered), values_of(tamis::gathered(matrix, rows, columns)));
        }
    }
}

TEST(GatherSource, GivesTablesThatRowsCanBeAppendedTo) {
  const Dense x = random_table(6, 200, 2);
  const MatrixView matrix = DenseView<double>(x.values.data(), x.rows, x.cols);
  const std::vector<Index> columns{4, 5, 9};
  const std::vector<Index> rows{0, 3};
  OwnedTable table = GatherSource(matrix, 3, 10'000).gathered(rows, columns);
  EXPECT_GT(std::get<DenseTable<double>>(table).padding, 0);
  append_rows(table, view_of(tamis::gathered(matrix, rows, columns)), std::vector<Index>{1, 0});
  EXPECT_EQ(values_of(table),
            values_of(tamis::gathered(matrix, std::vector<Index>{0, 3, 3, 0}, columns)));
}

TEST(GatherSource, CopiesNothingIfMostOfARowIsWantedOrTheTableIsLarge) {
  const Dense x = random_table(5, 64, 1);
  const MatrixView matrix = DenseView<double>(x.values.data(), x.rows, x.cols);
  EXPECT_TRUE(GatherSource(matrix, 8, 100).has_copy());
  EXPECT_FALSE(GatherSource(matrix, 9, 100).has_copy());
  const Index rows = GatherSource::kLargestCopy / 512;
  const DenseView<double> large(x.values.data(), rows + 1, x.cols, /*stride=*/0);
  EXPECT_FALSE(GatherSource(large, 8, 100).has_copy());
}

}  // namespace
}  // namespace tamis::test
