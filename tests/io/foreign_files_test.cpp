#include "io/foreign_files.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include "files.hpp"
#include "reading.hpp"
#include "zip_files.hpp"

namespace tamis::test {
namespace {

TEST(ForeignFiles, AreNamedWithWhatToDo) {
  using namespace std::string_literals;
  const std::string python =
      "; read it in Python and give the table to tamis.rank, or save it as CSV";
  EXPECT_EQ(refusal_of("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and more"),
            ": is an Excel 97 file (.xls), or another one of old Office; save it as .xlsx or .csv");
  EXPECT_EQ(refusal_of("\x80\x04\x95\x10\0"s), ": is a pickle of Python" + python);
  EXPECT_EQ(refusal_of("SQLite format 3\0\x10"s),
            ": is an SQLite database; export the table as CSV");
  EXPECT_EQ(refusal_of("%PDF-1.7\n"),
            ": is a PDF document; a table of numbers is needed, as CSV for instance");
  EXPECT_EQ(refusal_of("\x89PNG\r\n\x1A\n\0"s),
            ": is a PNG picture; a table of numbers is needed, as CSV for instance");
  EXPECT_EQ(refusal_of("7z\xBC\xAF\x27\x1C\0"s),
            ": is a 7z archive; unpack it, and give the table that is in it");
  EXPECT_EQ(refusal_of(std::string(257, 'a') + "ustar\0"s),
            ": is a tar archive; unpack it, and give the table that is in it");
  EXPECT_EQ(refusal_of("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
            ": is a pointer of Git LFS, not the file itself; fetch the file with git lfs pull");
  EXPECT_EQ(refusal_of("<!DOCTYPE html><html><body>404</body></html>"),
            ": is a web page; download the file itself, which a link on the page may lead to");
}

TEST(ForeignFiles, AreNamedWithTheLineOfPythonThatReadsThem) {
  const TemporaryDirectory directory;
  const std::string path = directory.with("t", std::string("FEA1\0\0\0\0", 8));
  EXPECT_EQ(
      message_of<DataError>([&] { read_table(path); }),
      fmt::format("{0}: is a Feather file of the first version; in Python, tamis.rank(\"{0}\") "
                  "reads it, and pandas.read_feather(\"{0}\").to_csv(\"table.csv\", "
                  "index=False) makes CSV of it",
                  path));
}

TEST(ForeignFiles, AreNamedThroughCompression) {  // as R writes its files
  const TemporaryDirectory directory;
  const std::string path = directory.file("t.rds");
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, "X\n\0\0\0\3\0\4", 8);
  gzclose(file);
  EXPECT_EQ(message_of<DataError>([&] { read_table(path); }),
            path + ": is a file of R (.rds); in R, save the table with write.csv");
}

TEST(ForeignFiles, AreNamedByWhatAnArchiveHolds) {
  EXPECT_EQ(refusal_of(test::zip_of({{"xl/workbook.bin", "x"}, {"y", "y"}})),
            ": is a binary workbook of Excel (.xlsb); save it as .xlsx or .csv");
  EXPECT_EQ(refusal_of(test::zip_of({{"a.csv", "a"}, {"b.csv", "b"}, {"c", "c"}, {"d", "d"}})),
            ": is a ZIP archive of 4 files (a.csv, b.csv, c, ...); unpack it, and give the table "
            "that is in it");
}

TEST(ForeignFiles, AreNoTablesThatBeginLikeThem) {
  const TemporaryDirectory directory;
  EXPECT_EQ(read_table(directory.with("t.csv", "PAR1,GIF8\n1,2\n")).cols(), 2);
  EXPECT_EQ(read_table(directory.with("t.csv", "A\n2.5\n")).rows(), 1);
}

}  // namespace
}  // namespace tamis::test
