#include "io/matlab.hpp"

#include <matio.h>

#include <array>
#include <memory>
#include <numeric>

#include "files.hpp"

namespace tamis {
namespace {

using test::bytes_of;
using test::has;
using test::message_of;
using test::remedy_of;
using test::TemporaryDirectory;
using test::value_at;
using Names = std::vector<std::string>;
using Variable = std::unique_ptr<matvar_t, void (*)(matvar_t*)>;

/// A MATLAB file in the making.
class MatFile {
 public:
  MatFile(const std::string& path, mat_ft level, bool compressed = false)
      : file_(Mat_CreateVer(path.c_str(), nullptr, level), &Mat_Close),
        compression_(compressed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE) {}

  template <class T>
  void add(const char* name, matio_classes kind, matio_types type, std::size_t rows,
           std::size_t cols, std::vector<T> values, int flags = 0) {
    std::array<std::size_t, 2> shape = {rows, cols};
    write(Mat_VarCreate(name, kind, type, 2, shape.data(), values.data(), flags));
  }

  /// 2 x 3: row 0 is 1, 0, 2; row 1 is 0, 0, 3.
  void add_sparse(const char* name) {
    std::vector<double> values = {1, 2, 3};
    std::vector<mat_uint32_t> rows = {0, 0, 1};
    std::vector<mat_uint32_t> starts = {0, 1, 1, 3};
    mat_sparse_t sparse{3, rows.data(), 3, starts.data(), 4, 3, values.data()};
    std::array<std::size_t, 2> shape = {2, 3};
    write(Mat_VarCreate(name, MAT_C_SPARSE, MAT_T_DOUBLE, 2, shape.data(), &sparse, 0));
  }

  void add_cells(const char* name, Names texts) {
    std::array<std::size_t, 2> shape = {texts.size(), 1};
    matvar_t* const cells =
        Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, shape.data(), nullptr, 0);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::array<std::size_t, 2> one = {1, texts[i].size()};
      Mat_VarSetCell(
          cells, static_cast<int>(i),
          Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF8, 2, one.data(), texts[i].data(), 0));
    }
    write(cells);
  }

 private:
  void write(matvar_t* variable) {
    const Variable owner(variable, &Mat_VarFree);
    ASSERT_EQ(Mat_VarWrite(file_.get(), variable, compression_), 0);
  }

  std::unique_ptr<mat_t, int (*)(mat_t*)> file_;
  matio_compression compression_;
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
  for (const mat_ft level : {MAT_FT_MAT5, MAT_FT_MAT73})
    for (const bool compressed : {false, true}) {
      SCOPED_TRACE(testing::Message() << "level " << level << " compressed " << compressed);
      {
        MatFile file(path_, level, compressed);
        file.add("X", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 3, by_columns<double>());
        file.add("S", MAT_C_SINGLE, MAT_T_SINGLE, 2, 3, by_columns<float>());
        file.add("I", MAT_C_INT16, MAT_T_INT16, 2, 3, by_columns<std::int16_t>());
        file.add("L", MAT_C_UINT8, MAT_T_UINT8, 2, 3, by_columns<std::uint8_t>(), MAT_F_LOGICAL);
        file.add("Y", MAT_C_INT32, MAT_T_INT32, 1, 2, std::vector<std::int32_t>{7, -1});
      }
      for (const std::string name : {"X", "S", "I", "L"}) {
        const Table table = read_table(path_, {.matlab_table = name});
        expect_one_to_six(table);
        EXPECT_EQ(table.view().is_single(), name == "S");
        EXPECT_EQ(table.label_texts, (Names{"7", "-1"}));
        EXPECT_EQ(table.label_name, "Y");
      }
      std::filesystem::remove(path_);
    }
}

TEST_F(MatlabReader, KeepsSparseTablesSparse) {
  for (const mat_ft level : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    { MatFile(path_, level).add_sparse("X"); }
    const Table table = read_table(path_);
    const auto& data = std::get<CsrTable<double>>(table.data);
    EXPECT_EQ(data.offsets, (std::vector<Index>{0, 2, 3}));
    EXPECT_EQ(data.columns, (std::vector<Index>{0, 2, 2}));
    EXPECT_EQ(data.values, (std::vector<double>{1, 2, 3}));
    EXPECT_TRUE(table.label_texts.empty());
    std::filesystem::remove(path_);
  }
}

TEST_F(MatlabReader, ReadsTextLabels) {
  for (const mat_ft level : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    SCOPED_TRACE(level);
    {
      MatFile file(path_, level);
      file.add("X", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 3, by_columns<double>());
      file.add("C", MAT_C_CHAR, MAT_T_UINT8, 2, 2, std::vector<std::uint8_t>{'a', 'c', 'b', ' '});
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

TEST_F(MatlabReader, ListsTheVariablesWhenTheTableIsMissing) {
  for (const mat_ft level : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    { MatFile(path_, level).add("data", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 3, by_columns<double>()); }
    EXPECT_TRUE(has(refusal(), "has no variable X; it holds data (2 x 3 double)"));
    EXPECT_EQ(remedy_of<DataError>([&] { read_table(path_); }).action,
              Remedy::Action::choose_table);
    EXPECT_TRUE(has(refusal({.matlab_table = "data", .matlab_labels = "L"}), "has no variable L"));
    std::filesystem::remove(path_);
  }
}

TEST_F(MatlabReader, RefusesWhatIsNoTableOfNumbers) {
  {
    MatFile file(path_, MAT_FT_MAT5);
    file.add_cells("X", {"a"});
    file.add("E", MAT_C_DOUBLE, MAT_T_DOUBLE, 0, 3, std::vector<double>{});
    file.add("Z", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, 1, std::vector<double>{1, 2, 3});
    file.add("Y", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 1, std::vector<double>{1, 2});
  }
  EXPECT_TRUE(has(refusal(), "X (1 x 1 cell) is not a matrix of numbers"));
  EXPECT_TRUE(has(refusal({.matlab_table = "E"}), "E (0 x 3 double) is empty"));
  EXPECT_TRUE(has(refusal({.matlab_table = "Z"}), "holds 2 labels, but the table has 3 rows"));
}

TEST_F(MatlabReader, RefusesComplexTables) {
  for (const mat_ft level : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    {
      std::vector<double> part = {1, 2};
      mat_complex_split_t complex{part.data(), part.data()};
      std::array<std::size_t, 2> shape = {2, 1};
      const std::unique_ptr<mat_t, int (*)(mat_t*)> file(
          Mat_CreateVer(path_.c_str(), nullptr, level), &Mat_Close);
      const Variable variable(
          Mat_VarCreate("X", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, shape.data(), &complex, MAT_F_COMPLEX),
          &Mat_VarFree);
      Mat_VarWrite(file.get(), variable.get(), MAT_COMPRESSION_NONE);
    }
    EXPECT_TRUE(has(refusal(), "X (2 x 1 double) is complex"));
    std::filesystem::remove(path_);
  }
}

TEST_F(MatlabReader, ReadsLevel5ThroughGzipAndRefuses73) {
  { MatFile(path_, MAT_FT_MAT5).add("X", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 3, by_columns<double>()); }
  ASSERT_EQ(std::system(("gzip " + path_).c_str()), 0);
  expect_one_to_six(read_table(path_ + ".gz"));
  { MatFile(path_, MAT_FT_MAT73).add("X", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 3, by_columns<double>()); }
  ASSERT_EQ(std::system(("gzip -f " + path_).c_str()), 0);
  EXPECT_TRUE(has(message_of<IoError>([&] { read_table(path_ + ".gz"); }), "plain file"));
}

TEST_F(MatlabReader, RefusesEveryPrefixOfALevel5File) {
  for (const bool compressed : {false, true}) {
    {
      MatFile file(path_, MAT_FT_MAT5, compressed);
      file.add("X", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 3, by_columns<double>());
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
      MatFile file(path_, MAT_FT_MAT5, compressed);
      file.add_sparse("X");
      file.add_cells("Y", {"a", "b"});
      file.add("Z", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 3, by_columns<double>());
    }
    test::survive_damage(path_, 124);
  }
}

TEST_F(MatlabReader, RefusesATruncated73File) {
  { MatFile(path_, MAT_FT_MAT73).add("X", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 3, by_columns<double>()); }
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
}  // namespace tamis
