#include "tamis/registry/projections.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "support/golden.hpp"
#include "support/golden_projections.hpp"
#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

std::vector<double> entries_of(const DenseTable<double>& table) {
  return {table.values.begin(), table.values.end()};
}

TEST(Projections, SaySomethingAboutThemselvesAndTheirOptions) {
  std::set<std::string_view> names;
  for (const ProjectionMethod& method : projections()) {
    EXPECT_TRUE(names.insert(method.info.name).second) << method.info.name;
    EXPECT_FALSE(method.info.title.empty()) << method.info.name;
    EXPECT_FALSE(method.info.reference.empty()) << method.info.name;
    EXPECT_EQ(std::ranges::count(method.options, "n_components", &OptionInfo::name), 1)
        << method.info.name;
    for (const OptionInfo& option : method.options)
      EXPECT_FALSE(option.help.empty()) << method.info.name << " " << option.name;
  }
}

TEST(Projections, AgreeWithGoldenValues) {
  for (const char* const name : test::kGoldenNames) {
    const test::StoredSample stored(test::load_golden(name).sample);
    for (const test::GoldenProjection& golden : test::load_golden_projections(name)) {
      SCOPED_TRACE(std::string(name) + ", " + golden.method);
      const Projection found =
          find_projection(golden.method).project(stored.problem(), golden.options, {});
      test::expect_scores_near(found.eigenvalues, golden.eigenvalues, 1e-9);
      test::expect_scores_near(entries_of(found.components), golden.components, 1e-9);
      test::expect_scores_near(found.mean, golden.mean, 1e-12);
    }
  }
}

TEST(Projections, HaveTheSameBitsForAnyNumberOfThreads) {
  const auto bits = [](const Projection& found) {
    std::vector<std::uint64_t> all;
    for (const auto* const values : {&found.components.values, &found.projected.values})
      for (const double value : *values) all.push_back(std::bit_cast<std::uint64_t>(value));
    return all;
  };
  for (const auto& sample :
       {test::blobs(150, 300, 5, /*seed=*/1), test::blobs(300, 150, 100, /*seed=*/2)})
    for (const test::Storage storage : test::kStorages)
      for (const ProjectionMethod& method : projections()) {
        SCOPED_TRACE(std::string(method.info.name) + ", " + test::name_of(storage));
        const test::StoredSample stored(sample, storage);
        const auto run = [&](int threads) {
          const ThreadLimit limit(threads);
          return method.project(stored.problem(), {}, {});
        };
        EXPECT_EQ(bits(run(1)), bits(run(3)));
      }
}

TEST(Projections, DoNotDependOnTheStorage) {
  test::Sample sample = test::blobs(40, 25, 4, /*seed=*/3);
  sample.x = test::sparse_table(40, 25, /*seed=*/4);
  const test::StoredSample dense(sample);
  for (const ProjectionMethod& method : projections())
    for (const test::Storage storage : test::kStorages) {
      SCOPED_TRACE(std::string(method.info.name) + ", " + test::name_of(storage));
      const test::StoredSample stored(sample, storage);
      const Projection expected = method.project(dense.problem(), {}, {});
      const Projection found = method.project(stored.problem(), {}, {});
      test::expect_scores_near(found.eigenvalues, expected.eigenvalues, 1e-9);
      test::expect_scores_near(entries_of(found.components), entries_of(expected.components), 1e-9);
      test::expect_scores_near(entries_of(found.projected), entries_of(expected.projected), 1e-9);
    }
}

TEST(Projections, LoseNoDigitsToAnOffset) {
  const test::Sample sample = test::blobs(30, 8, 4, /*seed=*/5);
  test::Sample moved = sample;
  for (double& value : moved.x.values) value = std::round(value * 1024.0) / 1024.0 + 1e6;
  test::Sample rounded = sample;
  for (double& value : rounded.x.values) value = std::round(value * 1024.0) / 1024.0;
  for (const ProjectionMethod& method : projections())
    for (const test::Storage storage : {test::Storage::dense_double, test::Storage::csr_double}) {
      SCOPED_TRACE(std::string(method.info.name) + ", " + test::name_of(storage));
      const test::StoredSample near(rounded);
      const test::StoredSample far(moved, storage);
      test::expect_scores_near(entries_of(method.project(far.problem(), {}, {}).components),
                               entries_of(method.project(near.problem(), {}, {}).components), 1e-9);
    }
}

TEST(Projections, ProjectNewRowsLikeTheOwn) {
  test::Sample sample = test::blobs(25, 40, 4, /*seed=*/6);
  sample.x = test::sparse_table(25, 40, /*seed=*/7);
  for (const ProjectionMethod& method : projections())
    for (const test::Storage storage : test::kStorages) {
      const test::StoredSample stored(sample, storage);
      const Projection found = method.project(stored.problem(), {}, {});
      const DenseTable<double> again =
          projected_rows(stored.problem().matrix, found.mean, found.components);
      EXPECT_EQ(again.rows, 25);
      EXPECT_EQ(again.cols, 10);
      EXPECT_EQ(again.values, found.projected.values);  // to the last bit
    }
  const test::StoredSample wider({test::random_table(3, 41, /*seed=*/8)});
  EXPECT_EQ(message_of<DataError>([&] {
              projected_rows(wider.problem().matrix, std::vector<double>(40),
                             {.rows = 1, .cols = 40, .values = Buffer<double>(40)});
            }),
            "the table has 41 columns, and the components were fitted to 40");
}

TEST(Projections, AreCutToTheRank) {
  const test::StoredSample stored(test::blobs(5, 9, 2, /*seed=*/9));
  for (const ProjectionMethod& method : projections()) {
    const Projection found = method.project(stored.problem(), {}, {});
    EXPECT_EQ(found.rank, 4);
    EXPECT_EQ(found.components.rows, 4);
    EXPECT_EQ(found.projected.cols, 4);
    EXPECT_EQ(found.warnings, std::vector<std::string>{"the rows vary in 4 directions only: 4 "
                                                       "components instead of 10"});
  }
}

TEST(Projections, RefuseATableWhoseRowsAreEqual) {
  test::Sample sample{test::Dense(6, 3), {0, 0, 1, 1, 0, 1}};
  sample.x.values.assign(18, 0.1);
  for (const ProjectionMethod& method : projections())
    for (const test::Storage storage : test::kStorages) {
      const test::StoredSample stored(sample, storage);
      EXPECT_EQ(message_of<DataError>([&] { method.project(stored.problem(), {}, {}); }),
                std::string(method.info.name) +
                    ": all 6 rows are equal, so there is no direction to project on");
    }
}

TEST(Projections, RefuseATableThatIsTooLargeBothWays) {
  std::vector<Index> offsets(20002, 0);
  const Problem problem{
      .matrix = CsrView<double>(offsets, std::span<const ColumnIndex>(), std::span<const double>(),
                                /*cols=*/30000),
      .known = {.labels = std::vector<Index>(20001, 0)}};
  for (const ProjectionMethod& method : projections())
    EXPECT_EQ(message_of<DataError>([&] { method.project(problem, {}, {}); }),
              "projections of 20001 rows and 30000 columns: one of the two may be at most 20000, "
              "for all products of the fewer are needed; take a sample of the rows, or the best "
              "features first");
}

TEST(Projections, AreFoundByTheirNames) {
  EXPECT_EQ(find_projection("ssdr").info.name, "ssdr");
  EXPECT_EQ(message_of<InvalidArgument>([] { find_projection("ssrd"); }),
            "there is no projection 'ssrd'; did you mean 'ssdr'?");
}

}  // namespace
}  // namespace tamis
