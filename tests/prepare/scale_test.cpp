#include "prepare/scale.hpp"

#include <cmath>

#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"

namespace tamis::test {
namespace {

/// Shift and width of a column over some rows, word for word.
std::pair<double, double> naive_scaling(const Dense& x, const std::vector<Index>& rows, Index r,
                                        ScalingKind kind) {
  double low = x(rows[0], r);
  double high = low;
  double mean = 0.0;
  for (const Index i : rows) {
    low = std::min(low, x(i, r));
    high = std::max(high, x(i, r));
    mean += x(i, r) / static_cast<double>(rows.size());
  }
  if (kind == ScalingKind::minmax) return {low, high - low};
  double variance = 0.0;
  for (const Index i : rows)
    variance += std::pow(x(i, r) - mean, 2) / static_cast<double>(rows.size());
  return {mean, std::sqrt(variance)};
}

TEST(Scaling, IsThatOfTheGivenRowsInEveryStorage) {
  const Sample sample{sparse_table(40, 6, 1)};
  const std::vector<Index> rows{3, 7, 8, 20, 21, 39};
  const std::vector<Index> columns{5, 0, 3};
  for (const ScalingKind kind : {ScalingKind::standard, ScalingKind::minmax})
    for (const Storage storage : kStorages) {
      SCOPED_TRACE(name_of(storage));
      const StoredSample stored(sample, storage);
      const MatrixView& x = stored.problem().matrix;
      const Buffer<double> scaled =
          scaled_columns(x, all_indices(40), columns, fit_scaling(x, rows, kind));
      for (Index i = 0; i < 40; ++i)
        for (Index s = 0; s < 3; ++s) {
          const auto [shift, width] = naive_scaling(sample.x, rows, columns[s], kind);
          EXPECT_NEAR(scaled[i * 3 + s], (sample.x(i, columns[s]) - shift) / width, 1e-12);
        }
    }
}

TEST(Scaling, IsNotMovedByOtherRows) {
  Sample sample{random_table(20, 4, 2)};
  const std::vector<Index> rows{0, 1, 2, 3, 4};
  const auto fit = [&] {
    const StoredSample stored(sample);
    return fit_scaling(stored.problem().matrix, rows, ScalingKind::standard);
  };
  const Scaling before = fit();
  for (Index i = 5; i < 20; ++i) sample.x(i, 0) = 1e9;
  const Scaling after = fit();
  EXPECT_EQ(before.shift, after.shift);
  EXPECT_EQ(before.width, after.width);
}

TEST(Scaling, MakesAColumnThatIsConstantInTrainingZeroEverywhere) {
  Sample sample = with_constant_column({random_table(12, 2, 3)}, 1, 0.1);
  sample.x(11, 1) = 5.0;
  const std::vector<Index> train{0, 1, 2, 3, 4, 5, 6};
  for (const ScalingKind kind : {ScalingKind::standard, ScalingKind::minmax})
    for (const Storage storage : kStorages) {
      const StoredSample stored(sample, storage);
      const MatrixView& x = stored.problem().matrix;
      const Buffer<double> scaled =
          scaled_columns(x, all_indices(12), std::vector<Index>{1}, fit_scaling(x, train, kind));
      EXPECT_EQ(scaled, Buffer<double>(12, 0.0));
    }
}

TEST(Scaling, LeavesValuesAloneIfThereIsNone) {
  const Sample sample = with_constant_column({random_table(5, 3, 4)}, 2, 7.0);
  const StoredSample stored(sample);
  const MatrixView& x = stored.problem().matrix;
  const Buffer<double> scaled = scaled_columns(x, all_indices(5), std::vector<Index>{0, 1, 2},
                                               fit_scaling(x, all_indices(5), ScalingKind::none));
  EXPECT_EQ(std::vector<double>(scaled.begin(), scaled.end()), sample.x.values);
}

TEST(Scaling, NeedsRows) {
  const StoredSample stored({random_table(5, 3, 4)});
  EXPECT_EQ(message_of<InvalidArgument>(
                [&] { fit_scaling(stored.problem().matrix, {}, ScalingKind::standard); }),
            "scaling needs at least one row to learn from");
}

}  // namespace
}  // namespace tamis::test
