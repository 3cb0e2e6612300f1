#include "io/byte_source.hpp"

#include <bzlib.h>
#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "files.hpp"
#include "io/decompressor.hpp"
#include "zip_files.hpp"

namespace tamis::test {
namespace {

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

std::string by_zstd(std::string_view content) {
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 3));
  return packed;
}

std::string by_bzip2(std::string_view content) {
  std::string packed(content.size() + content.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(packed.size());
  BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(content.data()),
                           static_cast<unsigned>(content.size()), 9, 0, 0);
  packed.resize(size);
  return packed;
}

std::string by_xz(std::string_view content) {
  std::string packed(lzma_stream_buffer_bound(content.size()), '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<const std::uint8_t*>(content.data()), content.size(),
                          reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size());
  packed.resize(size);
  return packed;
}

std::string by_zip(std::string_view content) { return zip_of({{"t.csv", std::string(content)}}); }

struct Way {
  std::string name;
  std::string (*packed)(std::string_view content);
  bool goes_on;  // two compressed pieces in a row are their contents in a row
};

const std::vector<Way> kWays = {{"zstd", by_zstd, true},
                                {"bzip2", by_bzip2, true},
                                {"xz", by_xz, true},
                                {"zip", by_zip, false}};

TEST(ByteSource, ReadsThroughEveryCompression) {
  const TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += fmt::format("{},{}\n", i, i * 0.7);
  for (const Way& way : kWays)
    for (const std::string& content : {text, kText, std::string("a,b\n1,2\n")}) {
      SCOPED_TRACE(way.name);
      const std::string path = directory.with("t", way.packed(content));
      EXPECT_TRUE(ByteSource(path).rest() == content);
      EXPECT_FALSE(ByteSource(path).is_plain_file());
      ByteSource source(path);
      EXPECT_EQ(source.peek(5), content.substr(0, 5));
      std::string out(content.size() + 1, '\0');
      EXPECT_EQ(source.read(out.data(), out.size()), content.size());
      out.pop_back();
      EXPECT_TRUE(out == content);
    }
}

TEST(ByteSource, ReadsCompressedPiecesInARow) {  // as pbzip2 and pzstd write them
  const TemporaryDirectory directory;
  for (const Way& way : kWays) {
    if (!way.goes_on) continue;
    const std::string path = directory.with("t", way.packed("a,b\n") + way.packed("1,2\n"));
    EXPECT_EQ(ByteSource(path).rest(), "a,b\n1,2\n") << way.name;
  }
}

TEST(ByteSource, RefusesEveryCompressedFileThatIsCut) {
  const TemporaryDirectory directory;
  for (const Way& way : kWays) {
    SCOPED_TRACE(way.name);
    const std::string whole = way.packed("a,b\n1,2\n3,4\n5,6\n");
    for (std::size_t size = kLongestCompressionMagic; size < whole.size(); ++size) {
      const std::string path = directory.with("t", whole.substr(0, size));
      const std::string message = message_of<DataError>([&] { ByteSource(path).rest(); });
      EXPECT_TRUE(test::has(message, "damaged or cut off")) << size;
      EXPECT_TRUE(test::has(message, way.name == "zip" ? "ZIP archive" : way.name)) << size;
    }
  }
}

TEST(ByteSource, NoticesWhatIsDamagedWithin) {
  const TemporaryDirectory directory;
  for (const Way& way : kWays) {
    std::string bytes = way.packed("a,b\n1,2\n3,4\n5,6\n7,8\n");
    if (way.name == "zstd") continue;  // has no checksum unless asked
    const std::size_t place = way.name == "zip" ? 40 : bytes.size() / 2;  // within the content
    bytes[place] = static_cast<char>(bytes[place] ^ 1);
    const std::string path = directory.with("t", bytes);
    EXPECT_NE(message_of<DataError>([&] { ByteSource(path).rest(); }), "") << way.name;
  }
}

TEST(ByteSource, RefusesBombsOfEveryKindUnlessTheyAreTrusted) {
  constexpr std::size_t kContent = std::size_t{65} << 20;
  const std::string zeros(kContent, '0');
  const TemporaryDirectory directory;
  for (const Way& way : kWays) {
    SCOPED_TRACE(way.name);
    const std::string path = directory.with("t", way.packed(zeros));
    EXPECT_EQ(message_of<DataError>([&] { ByteSource(path).rest(); }),
              fmt::format("{}: its content takes more than 67108864 bytes, the file {}", path,
                          std::filesystem::file_size(path)));
    EXPECT_EQ(ByteSource(path, /*is_trusted=*/true).rest().size(), kContent);
  }
}

TEST(ByteSource, LooksIntoAnArchiveOfOneFileOnly) {
  const TemporaryDirectory directory;
  const std::string two = zip_of({{"a.csv", "a\n1\n"}, {"b.csv", "b\n2\n"}});
  EXPECT_EQ(ByteSource(directory.with("t", two)).rest(), two);
  const std::string from_mac = zip_of({{"a.csv", "a\n1\n"}, {"__MACOSX/._a.csv", "x"}});
  EXPECT_EQ(ByteSource(directory.with("t", from_mac)).rest(), "a\n1\n");
}

TEST(ByteSource, RefusesAnArchiveWhoseSizesLie) {
  const TemporaryDirectory directory;
  const std::string whole = zip_of({{"t.csv", kText}});
  const std::string size = {0, 0, 0x10, 0};  // of 1 MiB, as archives have it
  for (const std::string& lie : {std::string{0, 0, 0x0F, 0}, std::string{0, 0, 0x11, 0}}) {
    std::string bytes = whole;
    for (std::size_t at = 0; (at = bytes.find(size, at)) != std::string::npos;)
      bytes.replace(at, size.size(), lie);
    const std::string path = directory.with("t", bytes);
    EXPECT_EQ(message_of<DataError>([&] { ByteSource(path).rest(); }),
              path + ": t.csv in the archive is damaged or cut off");
  }
}

TEST(ByteSource, TakesBytesInMemory) {
  ByteSource source(BytesInMemory{"t.xlsx", "a,b\n"});
  EXPECT_EQ(source.name(), "t.xlsx");
  EXPECT_EQ(source.remaining(), 4u);
  EXPECT_FALSE(source.is_plain_file());
  char first = 0;
  EXPECT_EQ(source.read(&first, 1), 1u);
  EXPECT_EQ(source.rest(), ",b\n");
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
}  // namespace tamis::test
