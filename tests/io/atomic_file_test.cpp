#include "io/atomic_file.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "files.hpp"

namespace tamis::test {
namespace {

unsigned mode_of(const std::string& path) {
  return static_cast<unsigned>(std::filesystem::status(path).permissions());
}

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

TEST(AtomicFile, MakesTheFileToWhichALinkDangles) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.file("folder"));
  std::filesystem::create_symlink("folder/second", directory.file("first"));
  std::filesystem::create_symlink("third", directory.file("folder/second"));
  AtomicFile file(directory.file("first"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("first")));
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("folder/second")));
  EXPECT_EQ(bytes_of(directory.file("folder/third")), "new");
}

TEST(AtomicFile, RefusesLinksThatLeadBackToThemselves) {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink("two", directory.file("one"));
  std::filesystem::create_symlink("one", directory.file("two"));
  EXPECT_TRUE(has(message_of<IoError>([&] { AtomicFile(directory.file("one")); }),
                  "one: cannot be written: Too many levels of symbolic links"));
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("one")));
}

TEST(AtomicFile, KeepsTheModeOfTheFileThatItReplaces) {
  const TemporaryDirectory directory;
  const std::string path = directory.with("out", "old");
  for (const unsigned mode : {0600U, 0666U, 0640U, 0755U}) {
    std::filesystem::permissions(path, static_cast<std::filesystem::perms>(mode));
    AtomicFile file(path);
    EXPECT_EQ(mode_of(file.temporary_path()), mode);
    file.commit();
    EXPECT_EQ(mode_of(path), mode);
  }
}

TEST(AtomicFile, TakesTheLongestNamesThereAre) {
  const TemporaryDirectory directory;
  const std::string path = directory.file(std::string(255, 'n'));
  AtomicFile file(path);
  file.write("new");
  file.commit();
  EXPECT_EQ(bytes_of(path), "new");
  EXPECT_TRUE(has(message_of<IoError>([&] { AtomicFile(directory.file(std::string(256, 'n'))); }),
                  "cannot be written: File name too long"));
}

/// Leaves a temporary file behind, as a process does that is killed while it writes.
void write_and_be_killed(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(path);
    file.write("half");
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST(AtomicFile, RemovesWhatAKilledProcessLeftInTheFolder) {
  const TemporaryDirectory directory;
  write_and_be_killed(directory.file("other"));
  EXPECT_EQ(directory.names().size(), 1U);
  AtomicFile(directory.file("out")).commit();
  EXPECT_EQ(directory.names(), std::vector<std::string>{"out"});
}

/// A byte from one process to another.
struct Pipe {
  int ends[2] = {-1, -1};

  Pipe() { EXPECT_EQ(pipe(ends), 0); }
  void send() const { EXPECT_EQ(write(ends[1], "!", 1), 1); }
  void wait() const {
    char byte = 0;
    EXPECT_EQ(read(ends[0], &byte, 1), 1);
  }
};

TEST(AtomicFile, LeavesTheTemporaryFilesOfALiveProcessAlone) {
  const TemporaryDirectory directory;
  const Pipe begun;
  const Pipe may_end;
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile live(directory.file("live"));
    live.write("whole");
    begun.send();
    may_end.wait();
    live.commit();
    _exit(0);
  }
  begun.wait();
  AtomicFile(directory.file("out")).commit();
  EXPECT_EQ(directory.names().size(), 2U);
  may_end.send();
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(directory.names(), (std::vector<std::string>{"live", "out"}));
  EXPECT_EQ(bytes_of(directory.file("live")), "whole");
}

TEST(AtomicFile, LeavesWhatOnlyLooksLikeALeftoverAlone) {
  const TemporaryDirectory directory;
  const std::string precious = directory.with("precious", "kept");
  std::filesystem::create_symlink(precious, directory.file(".tamis-1-0.tmp"));
  AtomicFile(directory.file("out")).commit();
  EXPECT_EQ(directory.names().size(), 3U);
  EXPECT_EQ(bytes_of(precious), "kept");
}

}  // namespace
}  // namespace tamis::test
