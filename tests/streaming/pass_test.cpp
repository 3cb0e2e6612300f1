#include "streaming/pass.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "clustering/links.hpp"
#include "redundancy/naive_correlation.hpp"
#include "streaming/center_sums.hpp"
#include "streaming/chosen_rows.hpp"
#include "streaming/column_products.hpp"
#include "streaming/column_ranges.hpp"
#include "streaming/fixed_point_sums.hpp"
#include "streaming/joint_pass.hpp"
#include "streaming/member_sums.hpp"
#include "streaming/membership_sums.hpp"
#include "streaming/streaming_support.hpp"
#include "support/message_of.hpp"

namespace tamis {
namespace {

using namespace test;

/// Three clusters that differ, with weights of each column.
ClusterStart start_at(std::vector<double> centroids, Index cols) {
  ClusterStart start{.centroids = std::move(centroids)};
  for (Index s = 0; s < std::ssize(start.centroids); ++s) {
    start.centroids[s] += 0.3 * static_cast<double>(s / cols);
    start.weights.push_back(1.0 / static_cast<double>(1 + s % (cols + 2)));
  }
  return start;
}

/// One of each kind, for a table.
std::vector<Pass> all_passes(const MatrixView& x) {
  const std::vector<Index> rows{0, 3, 4, 17, x.rows() - 1};
  std::vector<Pass> passes{RangeState::pass(x.cols()), ChosenRowsState::pass(rows, x.cols())};
  const std::vector<RowRun> all{{0, x.rows()}};
  const auto ranges = merged_state(passes.front(), x, all);
  const ColumnRanges& known = static_cast<const RangeState&>(*ranges).ranges();
  passes.push_back(FixedPointState::pass(known));
  const std::vector<std::vector<double>> centers{std::vector<double>(3 * x.cols(), 0.5),
                                                 std::vector<double>(3 * x.cols(), -0.25)};
  for (const bool keeps_places : {false, true})
    passes.push_back(
        CenterSumsState::pass({.sets = {centers.front(), centers.back()},
                               .ranges = known,
                               .bound = {{0, kNoCluster}, {3, 2}, {17, 1}, {x.rows() - 1, 2}},
                               .keeps_places = keeps_places}));
  passes.push_back(ColumnProductsState::pass({x.cols() - 1, 0, 2}, known));
  passes.push_back(joint_pass({passes[1], passes[2]}));
  const ClusterStart start = start_at(centers.front(), x.cols());
  const ClusterStart before = start_at(centers.back(), x.cols());
  passes.push_back(MemberSumsState::pass({.sets = {&start, &before},
                                          .ranges = known,
                                          .beta = -0.1,
                                          .bound = {0, 3, 17},
                                          .bound_to = {{2, 0, 1}, {1, 1, 2}}}));
  ClusterStart shared{.centroids = start.centroids, .weights = std::vector<double>(x.cols(), 0.25)};
  copy_columns(x, std::vector<Index>{4}, 0, x.cols(), shared.centroids.data());  // at distance 0
  for (const Membership kind : {Membership::fuzzy, Membership::hard})
    passes.push_back(MembershipSumsState::pass({.sets = {{&shared, nullptr}, {&shared, &shared}},
                                                .ranges = known,
                                                .beta = 2.0,
                                                .membership = kind,
                                                .left_out = {1, 3, 17}}));
  return passes;
}

TEST(PassState, HasTheSameBytesHoweverRowsAreSplitAndMerged) {
  Sample sample{sparse_table(90, 11, 4)};
  for (Index i = 0; i < 90; i += 7) sample.x(i, 5) = -0.0;
  for (const Storage storage : kStorages) {
    const StoredSample stored(sample, storage);
    const MatrixView& x = stored.problem().matrix;
    for (const Pass& pass : all_passes(x)) {
      auto whole = state_of(pass);
      whole->update(x, 0);
      for (std::uint64_t seed = 0; seed < 10; ++seed)
        EXPECT_EQ(merged_state(pass, x, random_runs(90, 1 + seed, seed))->bytes(), whole->bytes())
            << pass.kind << ", " << name_of(storage) << ", seed " << seed;
    }
  }
}

TEST(PassState, HasTheSameBytesIfValuesAreNotFinite) {
  Sample sample{random_table(50, 4, 4)};
  sample.x(40, 1) = std::numeric_limits<double>::quiet_NaN();
  sample.x(12, 3) = std::numeric_limits<double>::infinity();
  const StoredSample stored(sample);
  const Pass pass = RangeState::pass(4);
  auto whole = state_of(pass);
  whole->update(stored.problem().matrix, 0);
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    EXPECT_EQ(merged_state(pass, stored.problem().matrix, random_runs(50, 5, seed))->bytes(),
              whole->bytes());
}

TEST(PassState, IsRefusedIfItsBytesAreCutOffOrTooMany) {
  const StoredSample stored(Sample{random_table(20, 3, 1)});
  for (const Pass& pass : all_passes(stored.problem().matrix)) {
    auto state = state_of(pass);
    state->update(stored.problem().matrix, 0);
    Bytes bytes = state->bytes();
    bytes.push_back(std::byte{0});
    EXPECT_THROW(state_of(pass, bytes), DataError) << pass.kind;
    bytes.erase(bytes.end() - 9, bytes.end());
    EXPECT_EQ(message_of<DataError>([&] { state_of(pass, bytes); }),
              "the answer of a run of rows is cut off or damaged");
  }
}

/// More columns than a panel, more rows than a chunk.
TEST(ColumnProducts, AreThoseOfTheBooks) {
  Sample sample{random_table(2500, 150, 9)};
  for (Index i = 0; i < 2500; ++i) {
    sample.x(i, 1) = sample.x(i, 0);
    sample.x(i, 2) = 1e5 + 1e-3 * sample.x(i, 2) + 1e-3 * sample.x(i, 0);
    sample.x(i, 3) = 7.5;
    sample.x(i, 4) = -sample.x(i, 0);
  }
  const StoredSample stored(sample);
  const MatrixView& x = stored.problem().matrix;
  RangeState ranges(RangeState::pass(150));
  ranges.update(x, 0);
  std::vector<Index> columns = all_indices(150);
  std::ranges::reverse(columns);
  ColumnProductsState state(ColumnProductsState::pass(columns, ranges.ranges()));
  state.update(x, 0);
  for (Index a = 0; a < 150; ++a)
    for (Index b = 0; b < a; ++b)
      EXPECT_NEAR(state.absolute_correlation(a, b), naive_correlation(sample.x, a, b), 1e-8);
  EXPECT_EQ(state.absolute_correlation(0, 1), 1.0);
  EXPECT_EQ(state.absolute_correlation(4, 1), 1.0);
  EXPECT_EQ(state.absolute_correlation(3, 1), 0.0) << "a constant column";
}

TEST(ColumnProducts, RefuseValuesThatWereNotThereBefore) {
  Sample sample{random_table(50, 4, 4)};
  RangeState ranges(RangeState::pass(4));
  ranges.update(StoredSample(sample).problem().matrix, 0);
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), 1e9}) {
    sample.x(40, 1) = value;
    const StoredSample changed(sample);
    ColumnProductsState state(ColumnProductsState::pass({2, 1}, ranges.ranges()));
    EXPECT_EQ(message_of<IoError>([&] { state.update(changed.problem().matrix, 100); }),
              fmt::format("the table was changed while it was read: row 140, column 1 is {}, and "
                          "was not before",
                          value));
  }
}

TEST(PassState, IsOfAKnownKind) {
  EXPECT_EQ(message_of<InvalidArgument>([] { state_of(Pass{.kind = "guess"}); }),
            "there is no pass 'guess'");
}

}  // namespace
}  // namespace tamis
