#include "io/h5ad.hpp"

#include <fmt/format.h>

#define H5_USE_110_API
#include <hdf5.h>

#include "files.hpp"
#include "reading.hpp"
#include "streamed_reading.hpp"

namespace tamis::test {
namespace {

void expect_table(const Table& table, double factor = 1.0, bool is_single = false) {
  const Table expected = read_table(made_file("table.csv"));
  EXPECT_EQ(table.format, Format{"h5ad"});
  EXPECT_EQ(table.feature_names, expected.feature_names);
  EXPECT_EQ(table.sample_ids, expected.sample_ids);
  ASSERT_EQ(table.rows(), expected.rows());
  for (Index i = 0; i < table.rows(); ++i)
    for (Index r = 0; r < table.cols(); ++r) {
      const double value = factor * value_at(expected, i, r);
      EXPECT_EQ(value_at(table, i, r), is_single ? static_cast<float>(value) : value);
    }
}

TEST(H5adReader, ReadsDenseAndSparseMatricesAsAnndataWritesThem) {
  for (const std::string kind : {"dense", "csr", "csc", "csr_float32"}) {
    SCOPED_TRACE(kind);
    const bool is_single = kind == "csr_float32";
    const Table table = read_table(made_file(kind + ".h5ad"));
    EXPECT_EQ(table.view().is_sparse(), kind != "dense");
    EXPECT_EQ(table.view().is_single(), is_single);
    expect_table(table, 1.0, is_single);
    EXPECT_EQ(table.label_texts, (Texts{"x", "y", "x", "", "y", "x", "y", ""}));
    EXPECT_EQ(table.label_name, "class");
    expect_table(read_table(made_file(kind + ".h5ad"), {.layer = "doubled"}), 2.0, is_single);
  }
}

TEST(H5adReader, TakesLabelsAndIdsFromColumnsOfObs) {
  const std::string path = made_file("csr.h5ad");
  EXPECT_EQ(read_table(path, {.label_column = "batch"}).label_texts,
            (Texts{"0", "1", "2", "3", "4", "5", "6", "7"}));
  EXPECT_EQ(read_table(path, {.label_column = "none"}).label_texts, Texts{});
  EXPECT_EQ(read_table(path, {.id_column = "batch"}).sample_ids.back(), "7");
  const Table by_gene = read_table(path, {.label_column = "gamma"});
  EXPECT_EQ(by_gene.label_texts.front(), "3.25");
  EXPECT_EQ(by_gene.cols(), 3);
}

TEST(H5adReader, SaysWhichColumnsOfObsMayHoldTheLabels) {
  const std::string path = made_file("csr.h5ad");
  const Table table = read_table(path, {.drop = {"class"}});
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_EQ(table.notes[0].text, "no column of obs is taken as the labels; there are 'batch'");
  EXPECT_EQ(table.notes[0].remedy.action, Remedy::Action::name_label_column);
  EXPECT_TRUE(read_table(path, {.label_column = "none", .drop = {"class"}}).notes.empty());
}

TEST(H5adReader, ReadsRunsOfRows) {
  for (const std::string kind : {"dense", "csr", "csr_float32"}) {
    SCOPED_TRACE(kind);
    const std::string path = made_file(kind + ".h5ad");
    test::expect_streamed_like_table(path);
    test::expect_streamed_like_table(path, {.precision = Precision::single});
    test::expect_streamed_like_table(path, {.layer = "doubled"});
    test::expect_streamed_like_table(path, {.label_column = "batch", .drop = {"delta"}});
    test::expect_streamed_like_table(path, {.label_column = "gamma", .id_column = "batch"});
  }
  EXPECT_FALSE(open_table_stream(made_file("csc.h5ad"), {}));
}

TEST(H5adReader, SaysWhichLayersThereAre) {
  const std::string path = made_file("csr.h5ad");
  EXPECT_EQ(message_of<InvalidArgument>([&] { read_table(path, {.layer = "double"}); }),
            path + ": has no layer double; did you mean 'doubled'?; there are doubled");
}

/// A copy of a file, changed by HDF5.
class Changed {
 public:
  explicit Changed(const std::string& name)
      : path_(directory_.with("t.h5ad", test::bytes_of(made_file(name)))),
        file_(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {}

  hid_t file() const { return file_; }
  void set_text(const char* object, const char* name, const char* text) {
    H5Adelete_by_name(file_, object, name, H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate_by_name(file_, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, &text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  }
  void set_numbers(const char* dataset, const std::vector<std::int64_t>& numbers) {
    const hid_t opened = H5Dopen2(file_, dataset, H5P_DEFAULT);
    H5Dwrite(opened, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    H5Dclose(opened);
  }
  void set_shape(const std::vector<std::int64_t>& shape) {
    H5Adelete_by_name(file_, "X", "shape", H5P_DEFAULT);
    const hsize_t count = shape.size();
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t attribute = H5Acreate_by_name(file_, "X", "shape", H5T_STD_I64LE, space,
                                              H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT64, shape.data());
    H5Aclose(attribute);
    H5Sclose(space);
  }
  /// What is said of it, whether it is read at once or in runs of rows.
  std::string refusal() {
    H5Fclose(file_);
    const std::string said = message_of<DataError>([&] { read_table(path_); });
    EXPECT_EQ(message_of<DataError>([&] {
                auto stream = open_table_stream(path_, {});
                stream ? static_cast<void>(test::read_in_runs(*stream->rows, 3))
                       : static_cast<void>(read_table(path_));
              }),
              said);
    return said.substr(path_.size());
  }

 private:
  TemporaryDirectory directory_;
  std::string path_;
  hid_t file_;
};

TEST(H5adReader, NamesAnEncodingThatItDoesNotKnow) {
  Changed version("csr.h5ad");
  version.set_text("X", "encoding-version", "9.9.9");
  EXPECT_EQ(version.refusal(), ": X is encoded as csr_matrix of version 9.9.9, which is not known");
  Changed type("csr.h5ad");
  type.set_text("X", "encoding-type", "ragged");
  EXPECT_EQ(type.refusal(), ": X is encoded as ragged, which is not read");
  Changed label("csr.h5ad");
  label.set_text("obs/class", "encoding-type", "rainbow");
  EXPECT_EQ(label.refusal(), ": class is encoded as rainbow, which is not read");
}

TEST(H5adReader, RefusesPartsThatDoNotFit) {
  const std::string unfit =
      ": X is damaged: its parts data, indices and indptr do not fit each other";
  Changed indices("csc.h5ad");
  indices.set_numbers("X/indices", std::vector<std::int64_t>(20, 99));
  EXPECT_EQ(indices.refusal(), ": X is damaged: an index is not among 0 to 7");
  Changed beyond("csr.h5ad");
  beyond.set_numbers("X/indices", std::vector<std::int64_t>(20, -1));
  EXPECT_EQ(beyond.refusal(), ": X is damaged: an index is not among 0 to 3");
  Changed far("csr.h5ad");
  far.set_numbers("X/indices", std::vector<std::int64_t>(20, std::int64_t{1} << 32));
  EXPECT_EQ(far.refusal(), ": X is damaged: an index is not among 0 to 3");
  Changed starts("csc.h5ad");
  starts.set_numbers("X/indptr", {0, 9, 3, 4, 99});
  EXPECT_EQ(starts.refusal(), unfit);
  Changed shape("csr.h5ad");
  shape.set_shape({7, 4});
  EXPECT_EQ(shape.refusal(), unfit);
  Changed wide("csr.h5ad");
  wide.set_shape({8, 1 << 24});
  EXPECT_TRUE(has(wide.refusal(), ": makes a table of 8 x 16777216 out of "));
  Changed names("csr.h5ad");
  names.set_shape({8, 5});
  EXPECT_EQ(names.refusal(), ": var names 4 columns, but the table has 5");
  Changed codes("dense.h5ad");
  codes.set_numbers("obs/class/codes", {0, 1, 2, 0, 0, 0, 0, 0});
  EXPECT_EQ(codes.refusal(), ": class is damaged: 2 is no category");
  Changed part("csr.h5ad");
  H5Ldelete(part.file(), "X/indptr", H5P_DEFAULT);
  EXPECT_EQ(part.refusal(), ": X lacks its part indptr");
}

TEST(H5adReader, RefusesAFileThatIsCutAtAnyTenth) {
  const TemporaryDirectory directory;
  const std::string whole = test::bytes_of(made_file("csr.h5ad"));
  for (std::size_t tenth = 1; tenth < 10; ++tenth) {
    const std::string path = directory.with("t.h5ad", whole.substr(0, whole.size() * tenth / 10));
    EXPECT_NE(message_of<DataError>([&] { read_table(path); }), "") << tenth;
  }
}

TEST(H5adWriter, ReadsBackWithNamesIdsAndLabels) {
  const TemporaryDirectory directory;
  for (const std::string kind : {"dense", "csr_float32"}) {
    const Table table = read_table(made_file(kind + ".h5ad"));
    write_h5ad(directory.file("t.h5ad"), table, all_indices(table.cols()));
    const Table again = read_table(directory.file("t.h5ad"));
    expect_table(again, 1.0, kind != "dense");
    EXPECT_EQ(again.label_texts, table.label_texts);
    EXPECT_EQ(again.view().is_sparse(), table.view().is_sparse());
    EXPECT_EQ(again.view().is_single(), table.view().is_single());
  }
}

}  // namespace
}  // namespace tamis::test
