#include "prepare/condense.hpp"

#include "clustering/som/som.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/cls.hpp"
#include "tamis/methods/laplacian_score.hpp"
#include "tamis/methods/lsdf.hpp"
#include "tamis/methods/sselect.hpp"

namespace tamis::test {
namespace {

constexpr CondenseOptions kMap{.condense = Condense::som};

TEST(Condense, KeepsKnownRowsAndAppendsTheMapOfTheOthers) {
  Sample sample = blobs(60, 5, 2, 1);
  sample.pairs = PairConstraints{.must_link = {{40, 50}}};
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored(sample, storage);
    Diagnostics notes;
    const auto condensed = condense(stored.problem(), kMap, {}, notes);
    const Problem& problem = condensed->problem();
    const Som som = [&] {
      std::vector<Index> others;
      for (Index i = 0; i < 60; ++i)
        if (sample.labels[i] == kUnlabeled && i != 40 && i != 50) others.push_back(i);
      return train_som(stored.problem().matrix, others);
    }();
    ASSERT_EQ(problem.rows(), 6 + 2 + som.n_units());
    EXPECT_EQ(labeled_rows(problem.known).size(), 6U);
    EXPECT_EQ(problem.known.label(7), kUnlabeled);
    EXPECT_EQ(problem.known.pairs->must_link[0], (RowPair{6, 7}));
    std::vector<double> row(5);
    copy_columns(problem.matrix, std::vector<Index>{6}, 0, 5, row.data());
    for (Index r = 0; r < 5; ++r) EXPECT_EQ(row[r], sample.x(40, r));
    copy_columns(problem.matrix, std::vector<Index>{8}, 0, 5, row.data());
    for (Index r = 0; r < 5; ++r) EXPECT_NEAR(row[r], som.codebook[r], 1e-6);
  }
}

TEST(Condense, KeepsConstantColumnsConstant) {
  const StoredSample stored(with_constant_column(blobs(80, 4, 2, 2), 1, 0.1));
  Diagnostics notes;
  const auto condensed = condense(stored.problem(), kMap, {}, notes);
  EXPECT_FALSE(varying_columns(condensed->problem().matrix)[1]);
  EXPECT_EQ(cls(stored.problem(), {.condense = kMap}).diagnostics.undefined, std::vector<Index>{1});
}

TEST(Condense, SaysWhenThereIsNothingToCondense) {
  Sample sample = blobs(30, 3, 10, 3);
  const StoredSample stored(sample);
  Diagnostics notes;
  const auto condensed = condense(stored.problem(), kMap, {}, notes);
  EXPECT_FALSE(condensed);
  ASSERT_EQ(notes.warnings.size(), 1U);
  EXPECT_NE(notes.warnings[0].find("nothing was condensed: 0 of 30 rows"), std::string::npos);
}

TEST(Condense, NamesContradictingRowsByTheirOwnNumbers) {
  Sample sample = blobs(60, 3, 2, 4);
  sample.pairs = PairConstraints{.must_link = {{40, 50}}, .cannot_link = {{50, 40}}};
  const StoredSample stored(sample);
  Diagnostics notes;
  try {
    condense(stored.problem(), kMap, {}, notes);
    FAIL() << "contradicting pairs were accepted";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("40"), std::string::npos);
  }
}

TEST(Condense, EqualsScoringTheCondensedProblemInEveryMethodThatOffersIt) {
  const StoredSample stored(blobs(90, 6, 3, 5));
  Diagnostics notes;
  const auto condensed = condense(stored.problem(), kMap, {}, notes);
  const Problem& small = condensed->problem();
  EXPECT_EQ(cls(stored.problem(), {.condense = kMap}).scores, cls(small).scores);
  EXPECT_EQ(laplacian_score(stored.problem(), {.condense = kMap}).scores,
            laplacian_score(small).scores);
  EXPECT_EQ(sselect(stored.problem(), {.condense = kMap}).scores, sselect(small).scores);
  EXPECT_EQ(lsdf(stored.problem(), {.condense = kMap}).scores, lsdf(small).scores);
}

}  // namespace
}  // namespace tamis::test
