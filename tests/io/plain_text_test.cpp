#include "io/plain_text.hpp"

#include "files.hpp"

namespace tamis {
namespace {

std::string read(const std::string& bytes) {
  const test::TemporaryDirectory directory;
  ByteSource source(directory.with("t.txt", bytes));
  std::string recoded;
  return std::string(plain_text(source, recoded));
}

TEST(PlainText, RecodesUtf16OfEitherOrder) {
  using namespace std::string_literals;
  EXPECT_EQ(read("\xFF\xFE\x61\x00\xFC\x00\xAC\x20\x3D\xD8\x00\xDE"s), "a\u00FC\u20AC\U0001F600");
  EXPECT_EQ(read("\xFE\xFF\x00\x61\x00\xFC\x20\xAC\xD8\x3D\xDE\x00"s), "a\u00FC\u20AC\U0001F600");
}

TEST(PlainText, ReplacesHalfCharacters) {
  using namespace std::string_literals;
  EXPECT_EQ(read("\xFF\xFE\x3D\xD8\x61\x00"s), "\uFFFDa");
  EXPECT_EQ(read("\xFF\xFE\x00\xDE\x61\x00"s), "\uFFFDa");
  EXPECT_EQ(read("\xFF\xFE\x3D\xD8"s), "\uFFFD");
  EXPECT_EQ(read("\xFF\xFE\x61\x00\x62"s), "a");  // a byte is left over
}

TEST(PlainText, EndsLinesWhereOnlyCarriageReturnsDo) {
  EXPECT_EQ(read("a\rb\r"), "a\nb\n");
  EXPECT_EQ(read("a\r\nb\rc\n"), "a\r\nb\rc\n");
  EXPECT_EQ(read("\xFF\xFE"), "");
}

}  // namespace
}  // namespace tamis
