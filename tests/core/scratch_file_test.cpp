#include "core/scratch_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

TEST(ScratchFile, HoldsWhatIsWrittenAndHasNoName) {
  const std::string folder = testing::TempDir() + "scratch_file_test";
  std::filesystem::create_directories(folder);
  ScratchFile file(folder);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  const std::array<double, 3> written{1.0, 2.0, 3.0};
  file.write(16, std::as_bytes(std::span(written)));
  ScratchFile moved = std::move(file);
  std::array<double, 2> read{};
  moved.read(24, std::as_writable_bytes(std::span(read)));
  EXPECT_EQ(read, (std::array<double, 2>{2.0, 3.0}));
  EXPECT_EQ(message_of<IoError>([&] { moved.read(32, std::as_writable_bytes(std::span(read))); }),
            folder + ": a temporary file there fails: it ends early");
}

TEST(ScratchFile, NamesAFolderThatIsNone) {
  EXPECT_EQ(message_of<IoError>([] { const ScratchFile file("/no such folder"); }),
            "/no such folder: no temporary file can be made there: No such file or directory");
}

}  // namespace
}  // namespace tamis
