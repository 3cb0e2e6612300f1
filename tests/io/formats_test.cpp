#include "io/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "files.hpp"
#include "support/source_root.hpp"

namespace tamis {
namespace {

using test::message_of;
using test::TemporaryDirectory;

TEST(Formats, HaveANameATitleAReaderAndAnExtension) {
  std::set<std::string_view> names;
  for (const FileFormat& format : formats()) {
    SCOPED_TRACE(format.name);
    EXPECT_TRUE(names.insert(format.name).second);
    EXPECT_FALSE(format.title.empty());
    EXPECT_NE(format.recognises, nullptr);
    EXPECT_NE(format.read, nullptr);
    EXPECT_FALSE(format.extensions.empty());
    EXPECT_EQ(&find_format({format.name}), &format);
  }
}

TEST(Formats, AreToldApartByTheirExtensions) {
  for (const FileFormat& format : formats())
    for (const std::string_view extension : format.extensions) {
      const std::string path = fmt::format("table{}", extension);
      EXPECT_EQ(format_of_extension(path), Format{format.name}) << path;
      EXPECT_EQ(format_of_extension(path + ".gz").has_value(), format.is_text()) << path;
    }
}

TEST(Formats, RecogniseWhatTheyWrite) {
  const TemporaryDirectory directory;
  Table table{.data = test::random_dense<double>(3, 2, /*seed=*/1), .feature_names = {"a", "b"}};
  for (const FileFormat& format : formats()) {
    if (format.write == nullptr) continue;
    write_table(directory.file("table"), table, all_indices(2), {format.name});
    EXPECT_EQ(read_table(directory.file("table")).format, Format{format.name}) << format.name;
  }
}

TEST(Formats, StandInTheDocumentation) {
  const std::string page = test::bytes_of((source_root() / "docs/formats.md").string());
  std::istringstream words(page);
  std::string unbroken;
  for (std::string word; words >> word;) unbroken += word + " ";
  std::istringstream lines(page);
  std::string headings;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("## ")) headings += line + "\n";
  std::vector<std::string> extensions;
  for (const FileFormat& format : formats()) {
    EXPECT_NE(headings.find(format.title), std::string::npos)
        << "docs/formats.md needs a section about " << format.title;
    for (const std::string_view extension : format.extensions)
      extensions.push_back(fmt::format("`{}`", extension));
  }
  const std::string list = fmt::format("{}; text formats also", fmt::join(extensions, ", "));
  EXPECT_NE(unbroken.find(list), std::string::npos) << "docs/formats.md must hold: " << list;
}

TEST(Formats, AreFuzzed) {
  std::set<std::string> targets;
  for (const auto& entry : std::filesystem::directory_iterator(source_root() / "tests/fuzz/corpus"))
    targets.insert(entry.path().filename().string());
  for (const FileFormat& format : formats()) {
    const auto target = targets.lower_bound(std::string(format.name));  // one, or several as name_x
    EXPECT_TRUE(target != targets.end() && target->starts_with(format.name))
        << "tests/fuzz needs a target and a corpus for " << format.title;
  }
}

TEST(Formats, AreListedForPeople) {
  EXPECT_EQ(format_titles(),
            "CSV, TSV, LIBSVM, JSON, ARFF, GCT, Matrix Market, MATLAB, XLSX, NPY, NPZ, Arrow IPC, "
            "Parquet, h5ad or 10x");
  EXPECT_EQ(binary_formats(),
            "a 10x HDF5 file nor an h5ad file nor a Parquet file nor an Arrow IPC file nor NPZ nor "
            "NPY nor XLSX nor a MATLAB 5 or 7.3 file");
}

TEST(Formats, ThatAreOnlyReadNameThoseThatAreWritten) {
  FileFormat format = formats().front();
  format.title = "Stone";
  format.write = nullptr;
  EXPECT_EQ(message_of<InvalidArgument>([&] { check_is_written(format); }),
            "Stone tables are read, but not written; write CSV, TSV, LIBSVM, ARFF, Matrix Market, "
            "MATLAB, NPY, NPZ, Parquet or h5ad instead");
}

}  // namespace
}  // namespace tamis
