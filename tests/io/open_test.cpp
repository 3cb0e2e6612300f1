#include "tamis/io/open.hpp"

#include <fmt/format.h>

#include "files.hpp"

namespace tamis::test {
namespace {

template <class T>
CsrTable<T> to_sparse(const DenseTable<T>& dense) {
  CsrTable<T> sparse;
  sparse.cols = dense.cols;
  for (Index i = 0; i < dense.rows; ++i) {
    for (Index r = 0; r < dense.cols; ++r) {
      if (dense.view()(i, r) == 0) continue;
      sparse.columns.push_back(static_cast<ColumnIndex>(r));
      sparse.values.push_back(dense.view()(i, r));
    }
    sparse.offsets.push_back(std::ssize(sparse.values));
  }
  return sparse;
}

Table random_table(std::uint64_t seed, bool is_sparse, bool is_single) {
  RandomStream random(seed);
  const Index rows = 1 + random.below(12);
  const Index cols = 2 + random.below(9);
  Table table;
  if (is_single)
    table.data = test::random_dense<float>(rows, cols, seed);
  else
    table.data = test::random_dense<double>(rows, cols, seed);
  if (is_sparse && is_single) table.data = to_sparse(std::get<DenseTable<float>>(table.data));
  if (is_sparse && !is_single) table.data = to_sparse(std::get<DenseTable<double>>(table.data));
  for (Index r = 0; r < cols; ++r) table.feature_names.push_back(fmt::format("gene, {}", r));
  for (Index i = 0; i < rows; ++i) table.sample_ids.push_back(fmt::format("s{}", i));
  for (Index i = 0; i < rows; ++i) table.label_texts.push_back(fmt::format("c{}", random.below(3)));
  return table;
}

void expect_same_values(const Table& written, std::span<const Index> columns, const Table& read) {
  ASSERT_EQ(read.rows(), written.rows());
  ASSERT_EQ(read.cols(), std::ssize(columns));
  for (Index i = 0; i < read.rows(); ++i)
    for (Index r = 0; r < read.cols(); ++r)
      ASSERT_EQ(value_at(read, i, r), value_at(written, i, columns[r])) << i << " " << r;
}

TEST(WriteTable, ReadsBackExactlyInEveryFormat) {
  const TemporaryDirectory directory;
  for (const std::string name : {"t.csv", "t.tsv", "t.csv.gz", "t.svm", "t.svm.gz", "t.mtx",
                                 "t.mtx.gz", "t.arff", "t.arff.gz", "t.h5ad", "t.mat", "t.npy"})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE(fmt::format("{} seed {}", name, seed));
      const bool is_single = seed % 4 >= 2;
      const Table table = random_table(seed, seed % 2 == 1, is_single);
      RandomStream random(seed, 1);
      const std::vector<Index> columns =
          random.sample(table.cols(), 1 + random.below(table.cols()));
      const Format format = *format_of_extension(name);
      write_table(directory.file(name), table, columns, format);
      const auto precision = is_single ? Precision::single : Precision::as_stored;
      const Table read = read_table(directory.file(name), {.precision = precision});
      expect_same_values(table, columns, read);
      if (format == Format::npy || format == Format{"matrix_market"}) continue;
      EXPECT_EQ(read.label_texts, table.label_texts);
      if (format == Format::libsvm) continue;
      EXPECT_EQ(read.sample_ids, table.sample_ids);
      for (std::size_t r = 0; r < columns.size(); ++r)
        EXPECT_EQ(read.feature_names[r], table.feature_names[columns[r]]);
      EXPECT_EQ(read.format, format);
    }
}

TEST(WriteTable, WritesNumericLabelsToMatlabAsNumbers) {
  const TemporaryDirectory directory;
  Table table = random_table(3, false, false);
  table.label_texts.assign(table.label_texts.size(), "2");
  write_table(directory.file("t.mat"), table, all_indices(table.cols()), Format::matlab);
  EXPECT_EQ(read_table(directory.file("t.mat")).label_texts, table.label_texts);
}

TEST(WriteTable, LeavesNothingWhereItCannotWrite) {
  const TemporaryDirectory directory;
  const Table table = random_table(3, false, false);
  for (const std::string name : {"none/t.csv", "none/t.svm", "none/t.mat", "none/t.npy"})
    EXPECT_TRUE(has(message_of<IoError>([&] {
                      write_table(directory.file(name), table, all_indices(2),
                                  *format_of_extension(name));
                    }),
                    name + ": cannot be written: No such file"));
  EXPECT_TRUE(directory.is_empty());
}

TEST(ReadTable, ChoosesTheReaderByContentNotByName) {
  const TemporaryDirectory directory;
  const Table table = random_table(5, false, false);
  for (const Format format : {Format::tsv, Format::libsvm, Format::matlab, Format::npy}) {
    write_table(directory.file("t.csv"), table, all_indices(table.cols()), format);
    EXPECT_EQ(read_table(directory.file("t.csv")).format, format);
  }
  EXPECT_EQ(read_table(directory.with("t.npy", "a,b\n1,2\n")).format, Format::csv);
}

TEST(ReadTable, RefusesAnEmptyFileOfAnyName) {
  const TemporaryDirectory directory;
  for (const std::string name : {"t.csv", "t.svm", "t.mat", "t.npy"})
    EXPECT_TRUE(has(message_of<DataError>([&] { read_table(directory.with(name, "")); }),
                    name + ": is empty"));
}

TEST(FormatOfExtension, KnowsTheExtensionsOfEachFormat) {
  EXPECT_EQ(format_of_extension("a.csv"), Format::csv);
  EXPECT_EQ(format_of_extension("A.CSV.GZ"), Format::csv);
  EXPECT_EQ(format_of_extension("a.txt"), Format::csv);
  EXPECT_EQ(format_of_extension("a.tsv.gz"), Format::tsv);
  EXPECT_EQ(format_of_extension("a.svmlight"), Format::libsvm);
  EXPECT_EQ(format_of_extension("a.mat"), Format::matlab);
  EXPECT_EQ(format_of_extension("a.npy"), Format::npy);
  EXPECT_EQ(format_of_extension("a.npy.gz"), std::nullopt);
  EXPECT_EQ(format_of_extension("csv"), std::nullopt);
}

}  // namespace
}  // namespace tamis::test
