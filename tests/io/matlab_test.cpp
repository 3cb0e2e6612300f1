#include "io/matlab.hpp"

#include <fmt/format.h>

#include <numeric>

#include "files.hpp"
#include "matlab_files.hpp"

namespace tamis::test {
namespace {

using Names = std::vector<std::string>;

/// A class of numbers: its name, its number at level 5, its items at either level.
template <class T>
struct NumberClass {
  const char* name;
  std::uint32_t number;
  std::uint32_t type;
  hid_t items;
};
constexpr std::uint32_t kLogicalFlag = 0x0200;
constexpr std::uint32_t kComplexFlag = 0x0800;

NumberClass<double> doubles() { return {"double", 6, 9, H5T_NATIVE_DOUBLE}; }
NumberClass<float> singles() { return {"single", 7, 7, H5T_NATIVE_FLOAT}; }
NumberClass<std::int16_t> int16s() { return {"int16", 10, 3, H5T_NATIVE_INT16}; }
NumberClass<std::int32_t> int32s() { return {"int32", 12, 5, H5T_NATIVE_INT32}; }
NumberClass<std::uint8_t> logicals() { return {"logical", 9 | kLogicalFlag, 2, H5T_NATIVE_UINT8}; }
NumberClass<std::uint8_t> chars() { return {"char", 4, 2, H5T_NATIVE_UINT8}; }

/// A MATLAB file of either level in the making.
class MatFile {
 public:
  MatFile(const std::string& path, Level level, bool compressed = false) : compressed_(compressed) {
    if (level == Level::five)
      five_.emplace(path, compressed);
    else
      seven_.emplace(path);
  }

  template <class T>
  void add(const char* name, NumberClass<T> kind, std::int32_t rows, std::int32_t cols,
           std::vector<T> values) {
    if (five_)
      return five_->add(Mat5File::matrix<T>(name, kind.number, kind.type, {rows, cols}, {values}));
    const std::vector<hsize_t> extents = {static_cast<hsize_t>(cols), static_cast<hsize_t>(rows)};
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (compressed_) {
      H5Pset_chunk(creation, 2, extents.data());
      H5Pset_deflate(creation, 3);
    }
    seven_->add(name, kind.name, kind.items, extents, values.data(), creation);
    H5Pclose(creation);
  }

  /// 2 x 3: row 0 is 1, 0, 2; row 1 is 0, 0, 3.
  void add_sparse(const char* name) {
    add_sparse(name, {2, 3}, {0, 0, 1}, {0, 1, 1, 3}, {1, 2, 3});
  }
  void add_sparse(const char* name, const std::vector<std::int32_t>& shape,
                  const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& starts,
                  const std::vector<double>& values) {
    if (five_) return five_->add(Mat5File::sparse(name, shape, rows, starts, values));
    seven_->add_sparse(name, static_cast<std::uint64_t>(shape[0]), {rows.begin(), rows.end()},
                       {starts.begin(), starts.end()}, values);
  }
  void add_cells(const char* name, Names texts) {
    if (five_) return five_->add(Mat5File::cells(name, texts));
    seven_->add_cells(name, texts);
  }
  /// 2 x 1.
  void add_complex(const char* name) {
    const std::vector<double> part = {1, 2};
    if (five_)
      return five_->add(Mat5File::matrix<double>(name, 6 | kComplexFlag, 9, {2, 1}, {part, part}));
    const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, "real", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "imag", 8, H5T_NATIVE_DOUBLE);
    const std::vector<double> pairs = {1, 1, 2, 2};
    seven_->add(name, "double", type, {1, 2}, pairs.data());
    H5Tclose(type);
  }

 private:
  std::optional<Mat5File> five_;
  std::optional<Mat73File> seven_;
  bool compressed_;
};

class MatlabReader : public testing::Test {
 protected:
  std::string refusal(const ReadOptions& options = {}) const {
    return message_of<DataError>([&] { read_table(path_, options); });
  }
  void expect_one_to_six(const Table& table) const {
    ASSERT_EQ(table.rows(), 2);
    ASSERT_EQ(table.cols(), 3);
    for (Index i = 0; i < 2; ++i)
      for (Index r = 0; r < 3; ++r)
        EXPECT_EQ(value_at(table, i, r), static_cast<double>(3 * i + r + 1));
  }
  template <class T>
  static std::vector<T> by_columns() {
    return {1, 4, 2, 5, 3, 6};
  }

  TemporaryDirectory directory_;
  const std::string path_ = directory_.file("t.mat");
};

TEST_F(MatlabReader, ReadsEveryNumericClassAtBothLevels) {
  for (const Level level : {Level::five, Level::seven_3})
    for (const bool compressed : {false, true}) {
      SCOPED_TRACE(testing::Message()
                   << "level " << static_cast<int>(level) << " compressed " << compressed);
      {
        MatFile file(path_, level, compressed);
        file.add("X", doubles(), 2, 3, by_columns<double>());
        file.add("S", singles(), 2, 3, by_columns<float>());
        file.add("I", int16s(), 2, 3, by_columns<std::int16_t>());
        file.add("L", logicals(), 2, 3, by_columns<std::uint8_t>());
        file.add("Y", int32s(), 1, 2, std::vector<std::int32_t>{7, -1});
      }
      for (const std::string name : {"X", "S", "I", "L"}) {
        const Table table = read_table(path_, {.table_name = name});
        expect_one_to_six(table);
        EXPECT_EQ(table.view().is_single(), name == "S");
        EXPECT_EQ(table.label_texts, (Names{"7", "-1"}));
        EXPECT_EQ(table.label_name, "Y");
      }
      std::filesystem::remove(path_);
    }
}

TEST_F(MatlabReader, KeepsSparseTablesSparse) {
  for (const Level level : {Level::five, Level::seven_3}) {
    { MatFile(path_, level).add_sparse("X"); }
    const Table table = read_table(path_);
    const auto& data = std::get<CsrTable<double>>(table.data);
    EXPECT_EQ(data.offsets, (std::vector<Index>{0, 2, 3}));
    EXPECT_EQ(data.columns, (std::vector<ColumnIndex>{0, 2, 2}));
    EXPECT_EQ(data.values, (std::vector<double>{1, 2, 3}));
    EXPECT_TRUE(table.label_texts.empty());
    std::filesystem::remove(path_);
  }
}

TEST_F(MatlabReader, ReadsFullTablesThatTakeSeveralPieces) {
  constexpr std::int32_t kRows = 300;
  constexpr std::int32_t kCols = 101;
  std::vector<double> values(kRows * kCols);
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = static_cast<double>(e) + 0.5;
  for (const Level level : {Level::five, Level::seven_3})
    for (const bool compressed : {false, true}) {
      { MatFile(path_, level, compressed).add("X", doubles(), kRows, kCols, values); }
      const Table table = read_table(path_);
      ASSERT_EQ(table.rows(), kRows);
      for (Index i = 0; i < kRows; ++i)
        for (Index r = 0; r < kCols; ++r)
          ASSERT_EQ(value_at(table, i, r), static_cast<double>(r * kRows + i) + 0.5);
      std::filesystem::remove(path_);
    }
}

TEST_F(MatlabReader, ReadsSparseTablesThatTakeSeveralPieces) {
  constexpr std::int32_t kRows = 1000;
  constexpr std::int32_t kCols = 150;
  const auto is_stored = [](Index i, Index r) { return (i + r) % 3 != 0 && r != 7; };
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> starts{0};
  std::vector<double> values;
  for (std::int32_t r = 0; r < kCols; ++r) {
    for (std::int32_t i = 0; i < kRows; ++i)
      if (is_stored(i, r)) {
        rows.push_back(i);
        values.push_back(i * kCols + r + 1);
      }
    starts.push_back(static_cast<std::int32_t>(rows.size()));
  }
  for (const Level level : {Level::five, Level::seven_3})
    for (const bool compressed : {false, true}) {
      MatFile(path_, level, compressed).add_sparse("X", {kRows, kCols}, rows, starts, values);
      const Table table = read_table(path_);
      ASSERT_TRUE(table.view().is_sparse());
      for (Index i = 0; i < kRows; ++i)
        for (Index r = 0; r < kCols; ++r)
          ASSERT_EQ(value_at(table, i, r),
                    is_stored(i, r) ? static_cast<double>(i * kCols + r + 1) : 0.0);
      std::filesystem::remove(path_);
    }
}

TEST_F(MatlabReader, ReadsATableThatIsItsLabelsToo) {
  for (const Level level : {Level::five, Level::seven_3}) {
    { MatFile(path_, level).add("Y", doubles(), 2, 1, std::vector<double>{3, 4}); }
    const Table table = read_table(path_, {.table_name = "Y"});
    EXPECT_EQ(value_at(table, 1, 0), 4.0);
    EXPECT_EQ(table.label_texts, (Names{"3", "4"}));
    std::filesystem::remove(path_);
  }
}

TEST_F(MatlabReader, ComparesTheChecksumOfACompressedTable) {
  {
    MatFile(path_, Level::five, /*compressed=*/true)
        .add("X", doubles(), 2, 3, by_columns<double>());
  }
  std::string bytes = bytes_of(path_);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  directory_.with("t.mat", bytes);
  EXPECT_EQ(refusal(), path_ + ": the MATLAB file is cut off or damaged");
}

TEST_F(MatlabReader, ReadsTextLabels) {
  for (const Level level : {Level::five, Level::seven_3}) {
    SCOPED_TRACE(static_cast<int>(level));
    {
      MatFile file(path_, level);
      file.add("X", doubles(), 2, 3, by_columns<double>());
      file.add("C", chars(), 2, 2, std::vector<std::uint8_t>{'a', 'c', 'b', ' '});
      file.add_cells("Y", {"first", "second one"});
      file.add_cells("feature_names", {"p", "q", "r"});
    }
    const Table table = read_table(path_);
    EXPECT_EQ(table.label_texts, (Names{"first", "second one"}));
    EXPECT_EQ(table.feature_names, (Names{"p", "q", "r"}));
    EXPECT_EQ(read_table(path_, {.matlab_labels = "C"}).label_texts, (Names{"ab", "c"}));
    std::filesystem::remove(path_);
  }
}

TEST_F(MatlabReader,
       DecodesUtf16BeyondTheFirstPlane) {  // each surrogate was a character of its own
  const NumberClass<std::uint16_t> utf16{"char", 4, 17, H5T_NATIVE_UINT16};
  for (const Level level : {Level::five, Level::seven_3}) {
    SCOPED_TRACE(static_cast<int>(level));
    {
      MatFile file(path_, level);
      file.add("X", doubles(), 2, 3, by_columns<double>());
      // By columns: U+1F600 (two units) and an e with acute; a lone surrogate, a euro sign, a
      // blank.
      file.add("Y", utf16, 2, 3,
               std::vector<std::uint16_t>{0xD83D, 0xDE00, 0xDE00, 0x20AC, 0x00E9, ' '});
    }
    EXPECT_EQ(read_table(path_).label_texts,
              (Names{"\xF0\x9F\x98\x80\xC3\xA9", "\xEF\xBF\xBD\xE2\x82\xAC"}));
    std::filesystem::remove(path_);
  }
}

TEST_F(MatlabReader, ReplacesWhatIsNoCharacterOfUtf32) {
  const NumberClass<std::uint32_t> utf32{"char", 4, 18, H5T_NATIVE_UINT32};
  {
    MatFile file(path_, Level::five);
    file.add("X", doubles(), 2, 3, by_columns<double>());
    file.add("Y", utf32, 2, 1, std::vector<std::uint32_t>{0x1F600, 0x110000});
  }
  EXPECT_EQ(read_table(path_).label_texts, (Names{"\xF0\x9F\x98\x80", "\xEF\xBF\xBD"}));
}

TEST_F(MatlabReader, RefusesTextsMadeOfFractions) {  // NaN is no unit of a text
  const NumberClass<double> text_of_doubles{"char", 4, 9, H5T_NATIVE_DOUBLE};
  {
    MatFile file(path_, Level::five);
    file.add("X", doubles(), 2, 3, by_columns<double>());
    file.add("Y", text_of_doubles, 2, 1, std::vector<double>{std::nan(""), 1e300});
  }
  EXPECT_EQ(refusal(), path_ + ": variable Y (2 x 1 char) is cut off or damaged");
}

TEST_F(MatlabReader, RefusesSparseRowsBeyondWhatTheFileIsWorthUnlessItIsTrusted) {
  constexpr std::int32_t kRows = 2'000'000;
  for (const Level level : {Level::five, Level::seven_3}) {
    SCOPED_TRACE(static_cast<int>(level));
    if (level == Level::five)
      Mat5File(path_, false).add(Mat5File::sparse("X", {kRows, 1}, {0}, {0, 1}, {1}));
    else
      Mat73File(path_).add_sparse("X", kRows, {0}, {0, 1}, {1});
    EXPECT_EQ(refusal(), path_ +
                             ": variable X (2000000 x 1 sparse) makes a table of as many rows out "
                             "of 32 bytes");
    EXPECT_EQ(remedy_of<DataError>([&] { read_table(path_); }).action, Remedy::Action::trust_file);
    EXPECT_EQ(read_table(path_, {.is_trusted = true}).rows(), kRows);
    std::filesystem::remove(path_);
  }
}

TEST_F(MatlabReader, RefusesCompressedVariablesFarBeyondTheFile) {
  constexpr std::int32_t kRows = 9'000'000;  // of doubles: 72 MB, of which deflate leaves 72 kB
  const std::vector<double> zeros(kRows, 0.0);
  for (const Level level : {Level::five, Level::seven_3}) {
    SCOPED_TRACE(static_cast<int>(level));
    { MatFile(path_, level, /*compressed=*/true).add("X", doubles(), kRows, 1, zeros); }
    EXPECT_EQ(refusal(), fmt::format("{}: its content takes more than 67108864 bytes, the file {}",
                                     path_, std::filesystem::file_size(path_)));
    std::filesystem::remove(path_);
  }
}

TEST_F(MatlabReader, ListsTheVariablesWhenTheTableIsMissing) {
  for (const Level level : {Level::five, Level::seven_3}) {
    { MatFile(path_, level).add("data", doubles(), 2, 3, by_columns<double>()); }
    EXPECT_TRUE(has(refusal(), "has no variable X; it holds data (2 x 3 double)"));
    EXPECT_EQ(remedy_of<DataError>([&] { read_table(path_); }).action,
              Remedy::Action::choose_table);
    EXPECT_TRUE(has(refusal({.table_name = "data", .matlab_labels = "L"}), "has no variable L"));
    std::filesystem::remove(path_);
  }
}

TEST_F(MatlabReader, RefusesWhatIsNoTableOfNumbers) {
  {
    MatFile file(path_, Level::five);
    file.add_cells("X", {"a"});
    file.add("E", doubles(), 0, 3, std::vector<double>{});
    file.add("Z", doubles(), 3, 1, std::vector<double>{1, 2, 3});
    file.add("Y", doubles(), 2, 1, std::vector<double>{1, 2});
  }
  EXPECT_TRUE(has(refusal(), "X (1 x 1 cell) is not a matrix of numbers"));
  EXPECT_TRUE(has(refusal({.table_name = "E"}), "E (0 x 3 double) is empty"));
  EXPECT_TRUE(has(refusal({.table_name = "Z"}), "holds 2 labels, but the table has 3 rows"));
}

TEST_F(MatlabReader, RefusesComplexTables) {
  for (const Level level : {Level::five, Level::seven_3}) {
    { MatFile(path_, level).add_complex("X"); }
    EXPECT_TRUE(has(refusal(), "X (2 x 1 double) is complex"));
    std::filesystem::remove(path_);
  }
}

TEST_F(MatlabReader, ReadsLevel5ThroughGzipAndRefuses73) {
  { MatFile(path_, Level::five).add("X", doubles(), 2, 3, by_columns<double>()); }
  ASSERT_EQ(std::system(("gzip " + path_).c_str()), 0);
  expect_one_to_six(read_table(path_ + ".gz"));
  { MatFile(path_, Level::seven_3).add("X", doubles(), 2, 3, by_columns<double>()); }
  ASSERT_EQ(std::system(("gzip -f " + path_).c_str()), 0);
  EXPECT_TRUE(has(message_of<IoError>([&] { read_table(path_ + ".gz"); }), "plain file"));
}

TEST_F(MatlabReader, RefusesEveryPrefixOfALevel5File) {
  for (const bool compressed : {false, true}) {
    {
      MatFile file(path_, Level::five, compressed);
      file.add("X", doubles(), 2, 3, by_columns<double>());
    }
    const std::string whole = bytes_of(path_);
    for (std::size_t size = 20; size < whole.size(); ++size) {
      const std::string cut = directory_.with("cut.mat", whole.substr(0, size));
      EXPECT_THROW(read_table(cut), DataError) << size;
    }
  }
}

TEST_F(MatlabReader, SurvivesDamageAtLevel5) {
  for (const bool compressed : {false, true}) {
    {
      MatFile file(path_, Level::five, compressed);
      file.add_sparse("X");
      file.add_cells("Y", {"a", "b"});
      file.add("Z", doubles(), 2, 3, by_columns<double>());
    }
    test::survive_damage(path_, 124);
  }
}

TEST_F(MatlabReader, RefusesATruncated73File) {
  { MatFile(path_, Level::seven_3).add("X", doubles(), 2, 3, by_columns<double>()); }
  const std::string whole = bytes_of(path_);
  for (std::size_t size = 20; size < whole.size(); size += 1 + whole.size() / 50) {
    const std::string cut = directory_.with("cut.mat", whole.substr(0, size));
    testing::internal::CaptureStderr();
    EXPECT_THROW(read_table(cut), DataError) << size;
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }
}

TEST_F(MatlabReader, ReadsThePublicDataSets) {
  if (!std::filesystem::exists(test::data_file("TOX-171.mat"))) GTEST_SKIP() << "no data sets here";
  const Table tox = read_table(test::data_file("TOX-171.mat"));
  EXPECT_EQ(tox.rows(), 171);
  EXPECT_EQ(tox.cols(), 5748);
  EXPECT_EQ(tox.label_texts.size(), 171u);
  const Table basehock = read_table(test::data_file("BASEHOCK.mat"));
  EXPECT_EQ(basehock.rows(), 1993);
  EXPECT_EQ(basehock.cols(), 4862);
}

}  // namespace
}  // namespace tamis::test
