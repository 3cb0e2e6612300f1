#include "clustering/center_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/cpu.hpp"
#include "support/sample.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis::test {
namespace {

/// Some rows and centres as keys see them.
struct Rounded {
  Index cols;
  Buffer<float> rows;
  Buffer<float> side_by_side;
  std::vector<float> row_norms;
  Buffer<float> centers;
  std::vector<float> center_norms;

  Rounded(const Dense& x, const Dense& c)
      : cols(x.cols),
        rows(kKeyRows * padded_for_keys(cols), 0.0F),
        side_by_side(cols * kKeyRows),
        row_norms(kKeyRows, 0.0F),
        centers(c.rows * padded_for_keys(cols)),
        center_norms(c.rows) {
    const std::vector<double> shift(cols, 0.5);
    const KeySpace space{shift.data(), 0.25, cols};
    round_rows(x.values.data(), x.rows, space, rows.data(), row_norms.data());
    lay_side_by_side(rows.data(), cols, side_by_side.data());
    round_rows(c.values.data(), c.rows, space, centers.data(), center_norms.data());
  }
  KeyCenters key_centers() const {
    return {centers.data(), center_norms.data(), std::ranges::max(center_norms),
            std::ssize(center_norms), cols};
  }
};

/// |x - c|^2 - |x|^2, shifted and scaled as there.
double exact_key(const Dense& x, Index i, const Dense& c, Index z) {
  double key = 0.0;
  for (Index r = 0; r < x.cols; ++r) {
    const double value = (x(i, r) - 0.5) * 0.25;
    const double center = (c(z, r) - 0.5) * 0.25;
    key += center * center - 2.0 * value * center;
  }
  return key;
}

TEST(CenterKeys, TellNoNearestCenterFromOthersAndCountThoseThatMayBeOnEveryTarget) {
  for (const Index rows : {1, 17, 48})
    for (const Index cols : {1, 16, 76, 1100})
      for (const Index count : {1, 2, 7, 60}) {
        SCOPED_TRACE(testing::Message() << rows << " rows, " << cols << " columns, " << count);
        const Dense x = random_table(rows, cols, 1);
        const Dense c = random_table(count, cols, 2);
        const Rounded rounded(x, c);
        for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
          const TargetLimit limit(target);
          std::vector<float> keys(count * kKeyRows);
          NearCenters near;
          find_near_centers({rounded.side_by_side.data(), rounded.row_norms.data()},
                            rounded.key_centers(), keys.data(), near);
          for (Index i = 0; i < rows; ++i) {
            Index nearest = 0;
            float below = 0.0F;
            float places = 0.0F;
            for (Index z = 0; z < count; ++z) {
              const double exact = exact_key(x, i, c, z);
              EXPECT_NEAR(keys[z * kKeyRows + i], exact, 1e-5 * static_cast<double>(cols));
              if (exact < exact_key(x, i, c, nearest)) nearest = z;
              if (keys[z * kKeyRows + i] >= near.limits[i]) continue;
              below += 1.0F;
              places += static_cast<float>(z);
            }
            EXPECT_LT(keys[nearest * kKeyRows + i], near.limits[i]);
            EXPECT_EQ(near.counts[i], below);
            EXPECT_EQ(near.places[i], places);
          }
        }
      }
}

TEST(CenterKeys, AreOfRowsAndCentersRoundedOnce) {
  const Dense x = random_table(3, 19, 3);
  const Rounded rounded(x, x);
  for (Index i = 0; i < x.rows; ++i) {
    double norm = 0.0;
    for (Index r = 0; r < x.cols; ++r) {
      const auto expected = static_cast<float>((x(i, r) - 0.5) * 0.25);
      EXPECT_EQ(rounded.rows[i * padded_for_keys(x.cols) + r], expected);
      EXPECT_EQ(rounded.side_by_side[r * kKeyRows + i], expected);
      norm += static_cast<double>(expected) * static_cast<double>(expected);
    }
    for (Index r = x.cols; r < padded_for_keys(x.cols); ++r)
      EXPECT_EQ(rounded.rows[i * padded_for_keys(x.cols) + r], 0.0F);
    EXPECT_FLOAT_EQ(rounded.row_norms[i], static_cast<float>(norm));
  }
}

TEST(CenterKeys, OfEqualCentersAreAllBelowTheLimit) {
  const Dense x = random_table(5, 4, 4);
  Dense c(3, 4);
  for (Index z = 0; z < c.rows; ++z)
    for (Index r = 0; r < c.cols; ++r) c(z, r) = x(0, r);
  const Rounded rounded(x, c);
  std::vector<float> keys(c.rows * kKeyRows);
  NearCenters near;
  find_near_centers({rounded.side_by_side.data(), rounded.row_norms.data()}, rounded.key_centers(),
                    keys.data(), near);
  for (Index i = 0; i < x.rows; ++i) EXPECT_EQ(near.counts[i], 3.0F);
}

}  // namespace
}  // namespace tamis::test
