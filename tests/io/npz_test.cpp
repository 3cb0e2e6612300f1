#include "io/npz.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/npy_header.hpp"
#include "reading.hpp"
#include "zip_files.hpp"

namespace tamis {
namespace {

using test::made_file;
using test::read_content;
using test::refusal_of;
using test::TemporaryDirectory;
using test::value_at;
using Files = std::vector<std::pair<std::string, std::string>>;
using Texts = std::vector<std::string>;

template <class Item>
std::string packed(const std::vector<Item>& items) {
  return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item)};
}

std::string doubles(const std::string& shape, const std::vector<double>& items) {
  return npy_header_text("<f8", shape) + packed(items);
}

std::string integers(const std::vector<std::int32_t>& items) {
  return npy_header_text("<i4", fmt::format("({},)", items.size())) + packed(items);
}

std::string wide_integers(const std::vector<std::int64_t>& items) {
  return npy_header_text("<i8", fmt::format("({},)", items.size())) + packed(items);
}

/// Texts of one letter each.
std::string letters(const std::string& items) {
  return npy_header_text("|S1", fmt::format("({},)", items.size())) + items;
}

std::string word(const std::string& text) {
  return npy_header_text(fmt::format("|S{}", text.size()), "()") + text;
}

const std::string kObjects = npy_header_text("|O", "(2,)") + "a pickle";
const std::string kTable = doubles("(2, 3)", {1, 2, 3, 4, 5, 6});

Table read_arrays(const Files& files, const ReadOptions& options = {}) {
  return read_content(test::zip_of(files), options);
}

std::string refusal(const Files& files) { return refusal_of(test::zip_of(files)); }

std::vector<std::string> notes_of(const Table& table) {
  std::vector<std::string> texts;
  for (const Note& note : table.notes) texts.push_back(note.text);
  return texts;
}

/// The parts of [[0, 5, 0], [7, 0, 8]].
Files sparse_parts(const std::string& format) {
  Files files = {{"format.npy", word(format)}, {"shape.npy", integers({2, 3})}};
  if (format == "csc") {
    files.emplace_back("indices.npy", integers({1, 0, 1}));
    files.emplace_back("indptr.npy", integers({0, 1, 2, 3}));
    files.emplace_back("data.npy", doubles("(3,)", {7, 5, 8}));
  } else if (format == "coo") {
    files.emplace_back("row.npy", integers({1, 0, 1, 1}));
    files.emplace_back("col.npy", integers({2, 1, 0, 2}));
    files.emplace_back("data.npy", doubles("(4,)", {3, 5, 7, 5}));
  } else {
    files.emplace_back("indices.npy", integers({1, 2, 0}));
    files.emplace_back("indptr.npy", integers({0, 1, 3}));
    files.emplace_back("data.npy", doubles("(3,)", {5, 8, 7}));
  }
  return files;
}

TEST(NpzReader, TakesTheTableLabelsNamesAndIdsByTheirNames) {
  const Table table = read_arrays({{"X.npy", kTable},
                                   {"y.npy", letters("ab")},
                                   {"feature_names.npy", letters("uvw")},
                                   {"sample_ids.npy", letters("pq")}});
  EXPECT_EQ(table.format, Format{"npz"});
  EXPECT_EQ(value_at(table, 1, 0), 4.0);
  EXPECT_EQ(table.label_texts, (Texts{"a", "b"}));
  EXPECT_EQ(table.label_name, "y");
  EXPECT_EQ(table.feature_names, (Texts{"u", "v", "w"}));
  EXPECT_EQ(table.sample_ids, (Texts{"p", "q"}));
  EXPECT_EQ(notes_of(table), (Texts{"array 'y' is taken as the labels"}));
}

TEST(NpzReader, TakesWhatSavezNamesByNumber) {
  const Table table = read_arrays({{"arr_0.npy", kTable}, {"arr_1.npy", integers({4, 9})}});
  EXPECT_EQ(table.cols(), 3);
  EXPECT_EQ(table.label_texts, (Texts{"4", "9"}));
}

TEST(NpzReader, TakesTheOnlyTableAndTheLabelsBesideIt) {
  const Table table = read_arrays({{"y_train.npy", integers({1, 0})}, {"X_train.npy", kTable}});
  EXPECT_EQ(table.cols(), 3);
  EXPECT_EQ(table.label_texts, (Texts{"1", "0"}));
}

TEST(NpzReader, AsksWhichOfSeveralTables) {
  const Files files = {{"a.npy", kTable}, {"b.npy", doubles("(1, 2)", {8, 9})}};
  EXPECT_EQ(refusal(files), ": which of its arrays is the table?: a (2, 3) '<f8', b (1, 2) '<f8'");
  EXPECT_EQ(read_arrays(files, {.table_name = "b"}).cols(), 2);
  const TemporaryDirectory directory;
  const std::string path = directory.with("t.npz", test::zip_of(files));
  EXPECT_EQ(test::message_of<DataError>([&] { read_table(path, {.table_name = "c"}); }),
            path + ": has no array c; it holds a (2, 3) '<f8', b (1, 2) '<f8'");
  EXPECT_EQ(refusal({{"a.npy", letters("ab")}, {"b.npy", letters("c")}}),
            ": none of its arrays is a table of numbers: a (2,) '|S1', b (1,) '|S1'");
}

TEST(NpzReader, SaysWhichTableItTookAndWhatItLeftOut) {
  const Table table = read_arrays({{"X.npy", kTable}, {"more.npy", doubles("(1, 2)", {8, 9})}});
  EXPECT_EQ(notes_of(table),
            (Texts{"array 'X' is taken as the table", "an array is left out: 'more'"}));
}

TEST(NpzReader, LetsOptionsNameArrays) {
  const Files files = {
      {"X.npy", kTable}, {"y.npy", letters("ab")}, {"batch.npy", integers({7, 8})}};
  EXPECT_EQ(read_arrays(files, {.label_column = "batch"}).label_texts, (Texts{"7", "8"}));
  EXPECT_EQ(read_arrays(files, {.id_column = "batch"}).sample_ids, (Texts{"7", "8"}));
  EXPECT_TRUE(read_arrays(files, {.label_column = "none"}).label_texts.empty());
  EXPECT_EQ(read_arrays(files, {.label_column = "f1"}).label_texts, (Texts{"2", "5"}));
}

TEST(NpzReader, TurnsTheTable) {
  const Table table = read_arrays({{"X.npy", kTable},
                                   {"y.npy", letters("abc")},
                                   {"genes.npy", letters("uv")},
                                   {"barcodes.npy", letters("pqr")}},
                                  {.transpose = true});
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(table.label_texts, (Texts{"a", "b", "c"}));
  EXPECT_EQ(table.feature_names, (Texts{"u", "v"}));
  EXPECT_EQ(table.sample_ids, (Texts{"p", "q", "r"}));
}

TEST(NpzReader, NeverMakesPythonObjects) {
  EXPECT_EQ(refusal({{"X.npy", kTable}, {"y.npy", kObjects}}),
            ": array y: holds Python objects, which only Python can read; save it as texts or "
            "numbers, in Python with .astype(str) or .astype(float)");
  const Table table = read_arrays({{"X.npy", kTable}, {"sample_ids.npy", kObjects}});
  EXPECT_EQ(notes_of(table), (Texts{"array 'sample_ids' is left out: it holds Python objects; save "
                                    "it with .astype(str)"}));
}

TEST(NpzReader, ReadsSciPysSparseMatrices) {
  for (const std::string format : {"csr", "csc", "coo"}) {
    SCOPED_TRACE(format);
    const Table table = read_arrays(sparse_parts(format));
    ASSERT_TRUE(std::holds_alternative<CsrTable<double>>(table.data));
    ASSERT_EQ(table.rows(), 2);
    ASSERT_EQ(table.cols(), 3);
    EXPECT_EQ(value_at(table, 0, 1), 5.0);
    EXPECT_EQ(value_at(table, 1, 0), 7.0);
    EXPECT_EQ(value_at(table, 1, 2), 8.0);
    EXPECT_EQ(std::get<CsrTable<double>>(table.data).values.size(), 3U);
  }
  EXPECT_EQ(refusal(sparse_parts("bsr")),
            ": the sparse matrix is of the kind 'bsr'; in SciPy, save its .tocsr()");
}

TEST(NpzReader, RefusesSparsePartsThatDoNotFit) {
  const auto with = [](const std::string& format, const std::string& name,
                       const std::string& content) {
    Files files = sparse_parts(format);
    std::ranges::find(files, name, &std::pair<std::string, std::string>::first)->second = content;
    return refusal(files);
  };
  const std::string parts = ": the sparse matrix is damaged: its parts data, ";
  EXPECT_EQ(with("csr", "indptr.npy", integers({0, 3, 2})),
            parts + "indices and indptr do not fit each other");
  EXPECT_EQ(with("csr", "indices.npy", integers({1, 3, 0})),
            ": the sparse matrix is damaged: an index is not among 0 to 2");
  EXPECT_EQ(with("csr", "indices.npy", wide_integers({1, Index{1} << 32, 0})),
            ": the sparse matrix is damaged: an index is not among 0 to 2");
  EXPECT_EQ(with("coo", "row.npy", integers({1, 0, 1})),
            parts + "row and col do not fit each other");
  EXPECT_EQ(with("coo", "row.npy", integers({1, 0, -1, 1})),
            ": the sparse matrix is damaged: an index is not among 0 to 1");
  EXPECT_EQ(with("csr", "shape.npy", integers({2, 0})),
            ": the sparse matrix of shape (2, 0) is no table");
  EXPECT_EQ(with("csr", "indptr.npy", doubles("(3,)", {0, 1, 3})),
            ": array indptr: is not a list of integers");
  EXPECT_EQ(with("csr", "data.npy", letters("abc")), ": array data: is not a list of numbers");
  EXPECT_TRUE(with("csr", "shape.npy", integers({2, 1 << 30}))
                  .starts_with(": makes a table of 2 x 1073741824 out of "));
}

TEST(NpzReader, RefusesAnArrayThatIsCutOff) {
  EXPECT_EQ(
      refusal({{"X.npy", npy_header_text("<f8", "(2, 3)") + "12345678"}, {"y.npy", letters("ab")}}),
      ": array X: is cut off: 8 bytes of data found, 48 expected (2 rows x 3 columns x 8 "
      "bytes)");
  EXPECT_EQ(refusal({{"X.npy", "no array"}, {"y.npy", letters("ab")}}),
            ": array X: the NPY header is cut off or damaged");
}

TEST(NpzReader, ReadsWhatNumPyAndSciPyWrite) {
  const Table csv = read_table(made_file("table.csv"));
  for (const char* const name : {"numpy.npz", "compressed.npz", "csr.npz", "csc.npz", "coo.npz"}) {
    SCOPED_TRACE(name);
    const Table table = read_table(made_file(name));
    ASSERT_EQ(table.rows(), csv.rows());
    ASSERT_EQ(table.cols(), csv.cols());
    for (Index i = 0; i < table.rows(); ++i)
      for (Index r = 0; r < table.cols(); ++r)
        EXPECT_EQ(value_at(table, i, r), value_at(csv, i, r)) << i << ", " << r;
  }
  const Table named = read_table(made_file("numpy.npz"));
  EXPECT_EQ(named.feature_names, csv.feature_names);
  EXPECT_EQ(named.sample_ids, csv.sample_ids);
  EXPECT_EQ(named.label_texts, csv.label_texts);
}

Table sample(bool is_sparse) {
  Table table{.data = DenseTable<double>{.rows = 2, .cols = 3, .values = {0, 5, 0, 7, 0, 8}},
              .feature_names = {"a", "naïve, 基因", "c"},
              .sample_ids = {"s", "t"},
              .label_texts = {"x", ""}};
  if (is_sparse)
    table.data = CsrTable<double>{
        .cols = 3, .offsets = {0, 1, 3}, .columns = {1, 0, 2}, .values = {5, 7, 8}};
  return table;
}

TEST(NpzWriter, WritesWhatTheReaderReads) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("t.npz");
  for (const bool is_sparse : {false, true}) {
    SCOPED_TRACE(is_sparse);
    write_table(path, sample(is_sparse), std::vector<Index>{2, 1}, {"npz"});
    const Table table = read_table(path);
    EXPECT_EQ(std::holds_alternative<CsrTable<double>>(table.data), is_sparse);
    EXPECT_EQ(table.feature_names, (Texts{"c", "naïve, 基因"}));
    EXPECT_EQ(table.sample_ids, (Texts{"s", "t"}));
    EXPECT_EQ(table.label_texts, (Texts{"x", ""}));
    EXPECT_EQ(value_at(table, 0, 1), 5.0);
    EXPECT_EQ(value_at(table, 1, 0), 8.0);
    EXPECT_EQ(value_at(table, 1, 1), 0.0);
  }
}

TEST(NpzWriter, WritesLabelsThatAreWholeNumbersAsSuch) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("t.npz");
  Table table = sample(false);
  table.label_texts = {"7", "-1"};
  write_table(path, table, all_indices(3), {"npz"});
  EXPECT_NE(test::bytes_of(path).find("'descr': '<i8'"), std::string::npos);
  EXPECT_EQ(read_table(path).label_texts, (Texts{"7", "-1"}));
  table.label_texts = {"07", "1"};
  write_table(path, table, all_indices(3), {"npz"});
  EXPECT_EQ(read_table(path).label_texts, (Texts{"07", "1"}));
}

TEST(NpzWriter, WritesTheSameBytesEachTime) {
  const TemporaryDirectory directory;
  write_table(directory.file("a.npz"), sample(true), all_indices(3), {"npz"});
  write_table(directory.file("b.npz"), sample(true), all_indices(3), {"npz"});
  EXPECT_EQ(test::bytes_of(directory.file("a.npz")), test::bytes_of(directory.file("b.npz")));
}

}  // namespace
}  // namespace tamis
