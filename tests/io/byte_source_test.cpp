#include "io/byte_source.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include "files.hpp"

namespace tamis {
namespace {

using test::message_of;
using test::TemporaryDirectory;

/// Large enough that no buffer hides how the rest is read.
const std::string kText(std::size_t{1} << 20, 'x');

std::string zipped(const std::string& path, std::size_t zeros) {
  const std::string block(std::size_t{1} << 20, '0');
  const gzFile file = gzopen(path.c_str(), "wb9");
  for (std::size_t written = 0; written < zeros; written += block.size())
    gzwrite(file, block.data(), static_cast<unsigned>(block.size()));
  gzclose(file);
  return path;
}

TEST(ByteSource, KeepsWhatItHasReadOfAFileThatIsCutAfterwards) {  // a mapping died of SIGBUS
  const TemporaryDirectory directory;
  const std::string path = directory.with("t.csv", kText);
  ByteSource source(path);
  const std::string_view text = source.rest();
  std::filesystem::resize_file(path, 10);
  EXPECT_EQ(text, kText);
}

TEST(ByteSource, SaysThatAFileBecameShorterWhileItWasRead) {
  const TemporaryDirectory directory;
  const std::string path = directory.with("t.csv", kText);
  for (const bool takes_all : {true, false}) {
    directory.with("t.csv", kText);
    ByteSource source(path);
    source.peek(1);
    std::filesystem::resize_file(path, kText.size() / 2);
    std::string out(kText.size(), '\0');
    EXPECT_EQ(message_of<IoError>([&] {
                if (takes_all)
                  source.rest();
                else
                  source.read(out.data(), out.size());
              }),
              path + ": became shorter while it was read");
  }
}

TEST(ByteSource, RefusesCompressedContentFarBeyondTheFileUnlessItIsTrusted) {
  constexpr std::size_t kContent = std::size_t{65} << 20;
  const TemporaryDirectory directory;
  const std::string path = zipped(directory.file("t.csv.gz"), kContent);
  ByteSource source(path);
  EXPECT_EQ(message_of<DataError>([&] { source.rest(); }),
            fmt::format("{}: its content takes more than 67108864 bytes, the file {}", path,
                        std::filesystem::file_size(path)));
  EXPECT_EQ(ByteSource(path, /*is_trusted=*/true).rest().size(), kContent);
}

TEST(ByteSource, TakesContentThatIsLargeForItsFileButNotForATable) {
  const TemporaryDirectory directory;
  ByteSource source(zipped(directory.file("t.csv.gz"), std::size_t{60} << 20));
  EXPECT_EQ(source.rest().size(), std::size_t{60} << 20);
}

}  // namespace
}  // namespace tamis
