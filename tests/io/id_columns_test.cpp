#include "io/id_columns.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "io/columns.hpp"

namespace tamis {
namespace {

using Names = std::vector<std::string>;

/// Twelve rows of features made by formulas of the row.
template <class... Formulas>
Table twelve_rows(Names names, Formulas... formulas) {
  DenseTable<double> data{.rows = 12, .cols = sizeof...(formulas), .values = {}};
  data.values.resize(12 * sizeof...(formulas));
  double* out = data.values.data();
  for (Index i = 0; i < 12; ++i) ((*out++ = formulas(static_cast<double>(i))), ...);
  return {.data = std::move(data), .feature_names = std::move(names)};
}

double measured(double i) { return std::sin(7.0 * i); }
double number(double i) { return std::fmod(5.0 * i, 12.0) + 100.0; }  // 12 of them, not in order
double counted(double i) { return std::fmod(i, 3.0); }

Names texts_of(const std::vector<Note>& notes) {
  Names texts;
  for (const Note& note : notes) texts.push_back(note.text);
  return texts;
}

Table set_apart(Table table, std::vector<bool> is_kept = {}) {
  is_kept.resize(table.feature_names.size(), false);
  set_ids_apart(table, is_kept);
  return table;
}

TEST(NamesIds, KnowsTheNamesThatPeopleGiveToIdsInAnyCase) {
  for (const char* const name : {"id", "ID", "sample_id", "PatientID", "Sample", "patient",
                                 "Barcode", "index", "row", "Name"})
    EXPECT_TRUE(names_ids(name)) << name;
  for (const char* const name : {"height", "identity", "names", "rows", "f0", ""})
    EXPECT_FALSE(names_ids(name)) << name;
}

TEST(SetIdsApart, TakesDistinctIntegersOfSuchANameAsTheIds) {
  const Table table = set_apart(twelve_rows({"a", "patient"}, measured, number));
  EXPECT_EQ(table.feature_names, Names{"a"});
  EXPECT_EQ(table.cols(), 1);
  EXPECT_EQ(table.sample_ids.at(1), "105");
  EXPECT_EQ(texts_of(table.notes),
            Names{"column 'patient' holds distinct integers and is taken as the sample ids"});
  EXPECT_EQ(table.notes[0].remedy.action, Remedy::Action::keep_column);
}

TEST(SetIdsApart, LeavesOutFurtherIds) {
  const Table table = set_apart(twelve_rows({"id", "a", "row"}, number, measured, number));
  EXPECT_EQ(table.feature_names, Names{"a"});
  EXPECT_EQ(table.notes.at(1).text, "column 'row' is left out likewise");
  Table named = twelve_rows({"id", "a"}, number, measured);
  named.sample_ids.assign(12, "x");
  named = set_apart(std::move(named));
  EXPECT_EQ(named.sample_ids.front(), "x");
  EXPECT_EQ(named.feature_names, Names{"a"});
}

TEST(SetIdsApart, LeavesFeaturesAloneThatAreKeptOrRepeatThemselves) {
  EXPECT_EQ(set_apart(twelve_rows({"id", "a"}, number, measured), {true}).cols(), 2);
  const Table table = set_apart(twelve_rows({"acid", "void"}, counted, measured));
  EXPECT_EQ(table.cols(), 2);
  EXPECT_TRUE(table.notes.empty());
  EXPECT_EQ(set_apart(twelve_rows({"id"}, number)).cols(), 1);  // else nothing would be left
}

TEST(SetIdsApart, WarnsOfFeaturesThatTellTheRow) {
  const auto line = [](double i) { return -0.5 * i; };
  const Table table = set_apart(twelve_rows({"a", "time", "code"}, measured, line, number));
  EXPECT_EQ(table.cols(), 3);
  EXPECT_EQ(texts_of(table.notes),
            (Names{"'time' rises or falls from row to row: it may tell which row it is, not what "
                   "was measured",
                   "'code' is another integer from row to row: it may tell which row it is, not "
                   "what was measured"}));
  for (const Note& note : table.notes) EXPECT_TRUE(note.is_warning);
}

TEST(SetIdsApart, TakesManyColumnsOfDistinctIntegersForCounts) {
  const auto other = [](double i) { return std::fmod(7.0 * i, 12.0); };
  EXPECT_TRUE(set_apart(twelve_rows({"a", "g1", "g2"}, measured, number, other)).notes.empty());
}

TEST(SetIdsApart, SaysNothingOfAFewRows) {
  DenseTable<double> data{.rows = 3, .cols = 2, .values = {}};
  data.values.resize(6);
  for (Index s = 0; s < 6; ++s) data.values[s] = static_cast<double>(s);
  EXPECT_TRUE(set_apart({.data = std::move(data), .feature_names = {"a", "b"}}).notes.empty());
}

TEST(SetIdsApart, SeesSparseAndLongTables) {
  CsrTable<float> sparse{.cols = 2};
  for (Index i = 0; i < 3000; ++i) {
    if (i % 3 == 0) {
      sparse.columns.push_back(0);
      sparse.values.push_back(1.5F);
    }
    sparse.columns.push_back(1);
    sparse.values.push_back(static_cast<float>(i + 1));
    sparse.offsets.push_back(std::ssize(sparse.columns));
  }
  const Table table = set_apart({.data = sparse, .feature_names = {"a", "Sample"}});
  EXPECT_EQ(table.feature_names, Names{"a"});
  EXPECT_EQ(table.sample_ids.back(), "3000");
  sparse.values.back() = 7.0F;  // twice now, far beyond the first rows
  EXPECT_EQ(set_apart({.data = sparse, .feature_names = {"a", "Sample"}}).cols(), 2);
}

/// The same table by its entries.
Table sparse(const Table& table) {
  CsrTable<double> data{.cols = table.cols()};
  const auto& dense = std::get<DenseTable<double>>(table.data);
  for (Index i = 0; i < dense.rows; ++i) {
    for (Index c = 0; c < dense.cols; ++c)
      if (const double value = dense.view()(i, c); value != 0.0) {
        data.columns.push_back(static_cast<ColumnIndex>(c));
        data.values.push_back(value);
      }
    data.offsets.push_back(std::ssize(data.values));
  }
  return {.data = std::move(data), .feature_names = table.feature_names};
}

TEST(SetIdsApart, SeesTheSameInASparseTable) {
  const auto from_zero = [](double i) { return i; };
  const auto mostly_zero = [](double i) { return i < 10 ? 0.0 : i; };
  const Table table = twelve_rows({"a", "none", "id", "up", "row"}, measured, mostly_zero, number,
                                  from_zero, counted);
  const Table as_dense = set_apart(table);
  const Table as_sparse = set_apart(sparse(table));
  EXPECT_EQ(as_sparse.feature_names, (Names{"a", "none", "up", "row"}));
  EXPECT_EQ(as_sparse.feature_names, as_dense.feature_names);
  EXPECT_EQ(as_sparse.sample_ids, as_dense.sample_ids);
  EXPECT_EQ(texts_of(as_sparse.notes), texts_of(as_dense.notes));
}

TEST(SetIdsApart, TakesTheTimeOfTheEntriesNotOfTheColumnsThatAFileClaims) {  // took 40 s
  constexpr Index kRows = 20'000;
  CsrTable<double> data{.cols = Index{1} << 20};
  for (Index i = 0; i < kRows; ++i) {
    data.columns.push_back(static_cast<ColumnIndex>(i));
    data.values.push_back(1.0);
    data.offsets.push_back(i + 1);
  }
  Table table{.data = std::move(data), .feature_names = numbered_names(Index{1} << 20)};
  const auto begin = std::chrono::steady_clock::now();
  set_ids_apart(table, std::vector<bool>(table.cols(), false));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_TRUE(table.notes.empty());
}

}  // namespace
}  // namespace tamis
