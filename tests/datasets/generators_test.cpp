#include "datasets/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

using Maker = GeneratedTable (*)(Index rows, std::uint64_t seed);

const std::vector<Maker> kMakers{
    [](Index rows, std::uint64_t seed) { return make_cells(rows, seed, {}); }, make_wave,
    [](Index rows, std::uint64_t seed) { return make_blobs(rows, seed, {}); },
    [](Index rows, std::uint64_t seed) { return make_madelon(rows, seed, {}); }};

const DenseTable<double>& values(const GeneratedTable& generated) {
  return std::get<DenseTable<double>>(generated.table.data);
}

std::vector<double> first_values(const GeneratedTable& generated, Index rows) {
  const double* const begin = values(generated).values.data();
  return {begin, begin + rows * values(generated).cols};
}

Index count(const GeneratedTable& generated, Role role) {
  return std::ranges::count(generated.roles, role);
}

TEST(Generators, BeginALongTableLikeAShortOne) {
  for (const Maker make : kMakers) {
    const GeneratedTable shorter = make(20, 7);
    const GeneratedTable longer = make(300, 7);
    EXPECT_EQ(first_values(longer, 20), first_values(shorter, 20));
    EXPECT_EQ(longer.roles, shorter.roles);
    EXPECT_TRUE(std::ranges::equal(shorter.table.label_texts,
                                   std::span(longer.table.label_texts).first(20)));
    EXPECT_NE(first_values(make(20, 8), 20), first_values(shorter, 20));
  }
}

TEST(Generators, GiveTheSameBitsForAnyNumberOfThreads) {
  for (const Maker make : kMakers) {
    const auto with = [&](int threads) {
      const ThreadLimit limit(threads);
      return first_values(make(300, 7), 300);
    };
    EXPECT_EQ(with(1), with(3));
  }
}

TEST(Generators, NameEveryColumnAndSayItsRole) {
  for (const Maker make : kMakers) {
    const GeneratedTable generated = make(5, 1);
    EXPECT_EQ(std::ssize(generated.roles), generated.table.cols());
    EXPECT_EQ(std::ssize(generated.table.feature_names), generated.table.cols());
    EXPECT_EQ(generated.table.label_texts.size(), 5U);
    EXPECT_EQ(generated.classes.size(), 5U);
  }
}

TEST(Generators, LabelTheFirstCellsOfEachType) {
  const GeneratedTable cells = make_cells(300, 1, {.labels = 4});
  std::vector<Index> labeled(cells.class_names.size(), 0);
  for (Index i = 0; i < cells.table.rows(); ++i) {
    const std::string& text = cells.table.label_texts[i];
    if (labeled[cells.classes[i]]++ < 4)
      EXPECT_EQ(text, cells.class_names[cells.classes[i]]);
    else
      EXPECT_EQ(text, "");
  }
}

TEST(Generators, PairCellsOfWhichTheTableTellsNothing) {
  const GeneratedTable cells = make_cells(300, 1, {});
  EXPECT_EQ(cells.pairs.must_link.size(), 10U);
  EXPECT_EQ(cells.pairs.cannot_link.size(), 10U);
  std::set<std::pair<Index, Index>> pairs;
  for (const bool must : {true, false})
    for (const RowPair& pair : must ? cells.pairs.must_link : cells.pairs.cannot_link) {
      EXPECT_EQ(cells.classes[pair.first] == cells.classes[pair.second], must);
      EXPECT_EQ(cells.table.label_texts[pair.first], "");
      EXPECT_EQ(cells.table.label_texts[pair.second], "");
      EXPECT_LT(pair.first, pair.second);
      EXPECT_TRUE(pairs.emplace(pair.first, pair.second).second) << "twice";
    }
  EXPECT_TRUE(make_cells(1, 1, {}).pairs.empty());
}

TEST(Generators, DrawTheSamePairsForOtherGenes) {
  EXPECT_EQ(make_cells(300, 1, {}).pairs.must_link,
            make_cells(300, 1, {.noise = 3}).pairs.must_link);
}

TEST(Generators, MakeAsManyColumnsOfEachRoleAsAsked) {
  EXPECT_EQ(count(make_wave(5, 1), Role::relevant), 19);
  const GeneratedTable blobs =
      make_blobs(5, 1, {.classes = 4, .relevant = 2, .redundant = 3, .noise = 6});
  const GeneratedTable madelon =
      make_madelon(5, 1, {.relevant = 2, .redundant = 3, .noise = 6, .spread = 0.5});
  const GeneratedTable cells = make_cells(5, 1, {.noise = 6});
  EXPECT_EQ(count(cells, Role::relevant), 6);
  EXPECT_EQ(count(cells, Role::redundant), 24);
  EXPECT_EQ(count(cells, Role::noise), 5 + 6);
  for (const GeneratedTable& generated : {blobs, madelon}) {
    EXPECT_EQ(count(generated, Role::relevant), 2);
    EXPECT_EQ(count(generated, Role::redundant), 3);
    EXPECT_EQ(count(generated, Role::noise), 6);
  }
}

TEST(Generators, RefuseMoreVerticesThanThereCouldBeRows) {
  EXPECT_EQ(message_of<InvalidArgument>([] { make_madelon(5, 1, {.relevant = 21}); }),
            "madelon: relevant = 21 is more than the 20 that it allows");
}

}  // namespace
}  // namespace tamis
