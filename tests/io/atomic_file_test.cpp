#include "io/atomic_file.hpp"

#include <sys/stat.h>

#include "files.hpp"

namespace tamis {
namespace {

using test::bytes_of;
using test::has;
using test::message_of;
using test::TemporaryDirectory;

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryDirectory directory;
  const std::string path = directory.with("out", "old");
  AtomicFile file(path);
  file.write("new");
  EXPECT_EQ(bytes_of(path), "old");
  file.commit();
  EXPECT_EQ(bytes_of(path), "new");
  EXPECT_FALSE(std::filesystem::exists(file.temporary_path()));
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const TemporaryDirectory directory;
  { AtomicFile(directory.file("out")).write("half"); }
  EXPECT_TRUE(directory.is_empty());
}

TEST(AtomicFile, RemovesEveryUnfinishedOneForASignalHandler) {
  const TemporaryDirectory directory;
  for (int repetition = 0; repetition < 2; ++repetition) {
    AtomicFile first(directory.file("first"));
    AtomicFile second(directory.file("second"));
    AtomicFile third(directory.file("third"));
    second.write("whole");
    second.commit();
    AtomicFile::remove_unfinished();
    EXPECT_FALSE(std::filesystem::exists(first.temporary_path()));
    EXPECT_FALSE(std::filesystem::exists(third.temporary_path()));
    EXPECT_EQ(bytes_of(directory.file("second")), "whole");
  }
}

TEST(AtomicFile, LeavesFinishedFilesOfTheSameTemporaryNameAlone) {
  const TemporaryDirectory directory;
  std::string temporary;
  {
    AtomicFile file(directory.file("out"));
    temporary = file.temporary_path();
    file.commit();
  }
  std::ofstream(temporary) << "of somebody else";
  AtomicFile::remove_unfinished();
  EXPECT_EQ(bytes_of(temporary), "of somebody else");
}

TEST(AtomicFile, NamesPathAndReason) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(has(message_of<IoError>([&] { AtomicFile(directory.file("none/out")); }),
                  "none/out: cannot be written: No such file or directory"));
  EXPECT_TRUE(has(message_of<IoError>([&] { AtomicFile(directory.file("")); }), "is a directory"));
}

TEST(AtomicFile, KeepsSymbolicLinksAndDevices) {
  const TemporaryDirectory directory;
  const std::string target = directory.with("target", "old");
  std::filesystem::create_symlink(target, directory.file("link"));
  AtomicFile file(directory.file("link"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("link")));
  EXPECT_EQ(bytes_of(target), "new");
  AtomicFile null("/dev/null");
  null.write("gone");
  null.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace tamis
