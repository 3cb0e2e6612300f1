#include "prepare/nearest_class.hpp"

#include "support/sample.hpp"

namespace tamis::test {
namespace {

/// The class of the nearest labeled row by all columns, word for word; the first of equals.
Index naive_class(const Sample& sample, Index row, const Scaling& scaling) {
  Index nearest = -1;
  double least = 0.0;
  for (Index other = 0; other < sample.x.rows; ++other) {
    if (sample.labels[other] == kUnlabeled) continue;
    double distance = 0.0;
    for (Index r = 0; r < sample.x.cols; ++r) {
      const double difference = (sample.x(row, r) - sample.x(other, r)) / scaling.width[r];
      distance += difference * difference;
    }
    if (nearest >= 0 && distance >= least) continue;
    nearest = other;
    least = distance;
  }
  return sample.labels[nearest];
}

TEST(NearestClasses, AreThoseOfTheNearestLabeledRowsInEveryStorage) {
  Sample sample{sparse_table(150, 40, /*seed=*/3)};  // more than a block of rows, and of columns
  sample.labels.assign(150, kUnlabeled);
  for (Index row = 0; row < 150; row += 2) sample.labels[row] = row % 3;
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored(sample, storage);
    const Problem& problem = stored.problem();
    const Scaling scaling = fit_scaling(problem.matrix, all_indices(150), ScalingKind::standard);
    const std::vector<Index> classes = nearest_classes(problem, scaling);
    for (Index row = 0; row < 150; ++row)
      EXPECT_EQ(classes[row], row % 2 == 0 ? row % 3 : naive_class(sample, row, scaling)) << row;
  }
}

TEST(NearestClasses, FollowTheScale) {
  Sample sample{Dense(3, 2), {0, 1, kUnlabeled}};
  sample.x.values = {0, 0, 1, 9, 4, 1};
  const StoredSample stored(sample);
  const Scaling plain{.shift = {0, 0}, .width = {1, 1}};
  const Scaling flat{.shift = {0, 0}, .width = {1, 100}};
  EXPECT_EQ(nearest_classes(stored.problem(), plain)[2], 0);
  EXPECT_EQ(nearest_classes(stored.problem(), flat)[2], 1);
}

}  // namespace
}  // namespace tamis::test
