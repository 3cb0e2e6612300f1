#include "io/tenx.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include "files.hpp"
#include "reading.hpp"
#include "streamed_reading.hpp"

namespace tamis::test {
namespace {

TEST(TenxReader, ReadsTheHdf5FileOfCellRanger) {
  const Table expected = read_table(made_file("table.csv"));
  const Table table = read_table(made_file("10x.h5"));
  EXPECT_EQ(table.format, Format{"10x"});
  EXPECT_TRUE(table.view().is_sparse());
  EXPECT_EQ(table.feature_names, expected.feature_names);
  EXPECT_EQ(table.sample_ids, expected.sample_ids);
  for (Index i = 0; i < table.rows(); ++i)
    for (Index r = 0; r < table.cols(); ++r)
      EXPECT_EQ(value_at(table, i, r), value_at(expected, i, r));
}

TEST(TenxReader, ReadsRunsOfRows) {
  test::expect_streamed_like_table(made_file("10x.h5"));
  test::expect_streamed_like_table(made_file("10x.h5"), {.precision = Precision::single});
}

TEST(TenxReader, RefusesAFileThatIsCutAtAnyTenth) {
  const TemporaryDirectory directory;
  const std::string whole = test::bytes_of(made_file("10x.h5"));
  for (std::size_t tenth = 1; tenth < 10; ++tenth) {
    const std::string path = directory.with("t.h5", whole.substr(0, whole.size() * tenth / 10));
    EXPECT_NE(message_of<DataError>([&] { read_table(path); }), "") << tenth;
  }
}

const std::string kMatrix =
    "%%MatrixMarket matrix coordinate integer general\n%metadata\n3 2 3\n1 1 5\n3 1 7\n2 2 1\n";
const std::string kFeatures =
    "E1\tA\tGene Expression\nE2\tB\tGene Expression\nE3\tA\tGene Expression\n";

void gzip(const std::string& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

TEST(TenxReader, ReadsFoldersOfEitherAge) {
  const TemporaryDirectory older;
  older.with("matrix.mtx", kMatrix);
  older.with("genes.tsv", kFeatures);
  older.with("barcodes.tsv", "AAA-1\nCCC-1\n");
  const TemporaryDirectory newer;
  gzip(newer.file("matrix.mtx.gz"), kMatrix);
  gzip(newer.file("features.tsv.gz"), kFeatures);
  gzip(newer.file("barcodes.tsv.gz"), "AAA-1\nCCC-1\n");
  for (const TemporaryDirectory* const folder : {&older, &newer}) {
    const Table table = read_table(folder->file(""));
    EXPECT_EQ(table.format, Format{"10x"});
    EXPECT_EQ(table.sample_ids, (Texts{"AAA-1", "CCC-1"}));
    EXPECT_EQ(table.feature_names, (Texts{"A_E1", "B", "A_E3"}));
    EXPECT_EQ(table.notes.front().text,
              "2 features share their names with others, and have their ids behind them");
    EXPECT_EQ(value_at(table, 0, 0), 5.0);
    EXPECT_EQ(value_at(table, 0, 2), 7.0);
    EXPECT_EQ(value_at(table, 1, 1), 1.0);
    EXPECT_EQ(value_at(table, 1, 0), 0.0);
  }
}

TEST(TenxReader, NamesTheFileThatAFolderLacks) {
  const TemporaryDirectory folder;
  const auto refusal = [&] {
    return message_of<IoError>([&] { read_table(folder.file("")); }).substr(folder.file("").size());
  };
  EXPECT_EQ(refusal(),
            ": is a directory without matrix.mtx (or matrix.mtx.gz), which a 10x folder has");
  folder.with("matrix.mtx", kMatrix);
  EXPECT_EQ(refusal(),
            ": is a directory without features.tsv (or features.tsv.gz), which a 10x folder has");
  folder.with("genes.tsv", kFeatures);
  EXPECT_EQ(refusal(),
            ": is a directory without barcodes.tsv (or barcodes.tsv.gz), which a 10x folder has");
}

TEST(TenxReader, SaysWhichFilesDoNotFit) {
  const TemporaryDirectory folder;
  folder.with("matrix.mtx", kMatrix);
  folder.with("genes.tsv", kFeatures);
  folder.with("barcodes.tsv", "AAA-1\n");
  const std::string path = folder.file("");
  EXPECT_EQ(message_of<DataError>([&] { read_table(path); }),
            path + ": 1 barcodes, but the matrix has 2");
  folder.with("matrix.mtx", "1,2\n");
  EXPECT_EQ(message_of<DataError>([&] { read_table(path); }),
            path + "matrix.mtx: is no Matrix Market file");
}

}  // namespace
}  // namespace tamis::test
