#include "io/table_stream.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "io/memory_rows.hpp"
#include "streamed_reading.hpp"
#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

class TableStreams : public testing::Test {
 protected:
  ~TableStreams() override { std::filesystem::remove(path_); }

  /// Writes an NPY file of 7 x 3 items, number k being k - 5.
  template <class Item>
  void write(const std::string& type, bool is_fortran = false, bool swaps = false) {
    std::ofstream file(path_, std::ios::binary);
    std::string dictionary = "{'descr': '" + type +
                             "', 'fortran_order': " + (is_fortran ? "True" : "False") +
                             ", 'shape': (7, 3), }\n";
    file << std::string("\x93NUMPY\x01\x00", 8);
    file.put(static_cast<char>(dictionary.size()));
    file.put(0);
    file << dictionary;
    for (int k = 0; k < 21; ++k) {
      const Item item = static_cast<Item>(k - 5);
      std::string bytes(reinterpret_cast<const char*>(&item), sizeof item);
      if (swaps) bytes = {bytes.rbegin(), bytes.rend()};
      file << bytes;
    }
  }

  std::string path_ = testing::TempDir() + "/tamis_stream_" + std::to_string(getpid()) + ".npy";
};

TEST_F(TableStreams, ReadRunsOfRowsOfEveryType) {
  write<float>("<f4");
  test::expect_streamed_like_table(path_);
  write<double>("<f8");
  test::expect_streamed_like_table(path_);
  test::expect_streamed_like_table(path_, {.precision = Precision::single});
  write<double>(">f8", false, true);
  test::expect_streamed_like_table(path_);
  write<std::int8_t>("|i1");
  test::expect_streamed_like_table(path_);
  write<std::int32_t>(">i4", false, true);
  test::expect_streamed_like_table(path_);
  write<std::uint64_t>("<u8");
  test::expect_streamed_like_table(path_);
}

TEST_F(TableStreams, TakeLabelsAndIdsFromColumns) {
  write<float>("<f4");
  test::expect_streamed_like_table(path_, {.label_column = "1"});
  test::expect_streamed_like_table(path_, {.label_column = "f2", .id_column = "0"});
  test::expect_streamed_like_table(path_, {.drop = {"0", "2"}});
}

TEST_F(TableStreams, AreNotThereForOtherOrdersAndFormats) {
  write<float>("<f4", /*is_fortran=*/true);
  EXPECT_FALSE(open_table_stream(path_, {}));
  std::ofstream(path_) << "a,b\n1,2\n";
  EXPECT_FALSE(open_table_stream(path_, {}));
  EXPECT_THROW(open_table_stream(path_ + ".missing", {}), IoError);
}

TEST_F(TableStreams, RefuseAFileThatBecameShorterOrChanged) {
  write<double>("<f8");
  auto stream = open_table_stream(path_, {});
  const std::string before = stream->rows->fingerprint();
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 8);
  EXPECT_NE(stream->rows->fingerprint(), before);
  OwnedTable block;
  stream->rows->read(0, 6, block);
  EXPECT_EQ(message_of<IoError>([&] { stream->rows->read(5, 2, block); }),
            path_ + ": became shorter while it was read");
  EXPECT_THROW(open_table_stream(path_, {}), DataError);
}

TEST_F(TableStreams, AreMadeOfATableInMemory) {
  write<double>("<f8");
  const Table whole = read_table(path_);
  TableStream stream = stream_of(read_table(path_), "x");
  OwnedTable block;
  stream.rows->read(2, 3, block);
  EXPECT_EQ(view_of(block).rows(), 3);
  EXPECT_EQ(std::get<DenseTable<double>>(block).values[0], 1.0);
  EXPECT_EQ(stream.rows->fingerprint(), "x");
  EXPECT_EQ(stream.feature_names, whole.feature_names);
}

}  // namespace
}  // namespace tamis
