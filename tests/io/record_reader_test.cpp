#include "io/record_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/random.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

class TextInMemory final : public StoredText {
 public:
  explicit TextInMemory(std::string text) : text_(std::move(text)) {}

  void read(std::uint64_t offset, std::span<char> out) const override {
    EXPECT_EQ(read_up_to(offset, out), out.size());
  }
  std::size_t read_up_to(std::uint64_t offset, std::span<char> out) const override {
    return text_.copy(out.data(), out.size(), offset);
  }
  std::size_t likely_size() const override { return text_.size(); }
  bool goes_forward() const override { return true; }

 private:
  std::string text_;
};

/// All records as the reader holds them one run after the other.
std::vector<std::string> records_of(const std::string& text, std::size_t begin = 0) {
  RecordReader reader(std::make_shared<TextInMemory>(text), begin, ',');
  std::vector<std::size_t> starts = {begin};
  std::vector<std::string> records;
  while (!reader.is_at_end()) {
    reader.read_on(starts);
    for (std::size_t i = records.size(); i + 1 < starts.size(); ++i) {
      const char* const start = reader.bytes() + (starts[i] - reader.offset());
      EXPECT_LE(start + (starts[i + 1] - starts[i]) + 63, reader.behind());
      records.emplace_back(start, starts[i + 1] - 1 - starts[i]);
    }
  }
  return records;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// Some of them longer than what is read at once.
std::vector<std::string> random_lines(RandomStream& random, Index count, Index longest) {
  std::vector<std::string> lines;
  for (Index i = 0; i < count; ++i)
    lines.emplace_back(static_cast<std::size_t>(1 + random.below(longest)),
                       static_cast<char>('a' + random.below(26)));
  return lines;
}

TEST(RecordReader, FindsEveryLineForAnyNumberOfThreads) {
  RandomStream random(1);
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    for (const Index longest : {1, 50, 3000, 400'000, 3'000'000}) {
      const std::vector<std::string> lines =
          random_lines(random, std::clamp<Index>(6'000'000 / longest, 5, 100'000), longest);
      const std::string text = joined(lines);
      EXPECT_EQ(records_of(text), lines);
      EXPECT_EQ(records_of(text + "\n\r\n\n"), lines);
      EXPECT_EQ(records_of(text.substr(0, text.size() - 1)), lines);
      EXPECT_EQ(records_of("???" + text, 3), lines);
    }
  }
}

TEST(RecordReader, FindsTheEndWhereverItIs) {
  for (const std::size_t size : {1u << 18, 1u << 19, 1u << 20})
    for (const std::size_t more : {0u, 1u, 2u}) {
      const std::string line(size - 2 + more, '1');
      EXPECT_EQ(records_of(line + "\n"), std::vector{line});
      EXPECT_EQ(records_of(line), std::vector{line});
      EXPECT_EQ(records_of("a\n" + line), (std::vector<std::string>{"a", line}));
    }
  EXPECT_EQ(records_of(""), std::vector<std::string>());
  EXPECT_EQ(records_of("\n\n"), std::vector<std::string>());
}

TEST(RecordReader, RefusesWhatIsNoRecord) {
  RandomStream random(2);
  const std::string before = joined(random_lines(random, 30'000, 40));
  for (const std::string line :
       {"\"a\",b", "a\"b", "# comment", "% comment", "! comment", " a", "\ta"})
    for (const std::string& text :
         {line + "\n" + before, before + line + "\n" + before, before + line})
      EXPECT_THROW(records_of(text), LinesAreNoRecords) << line;
  EXPECT_THROW(records_of(before + "\n" + before), LinesAreNoRecords);
  EXPECT_THROW(records_of(before + "\r\n" + before), LinesAreNoRecords);
}

}  // namespace
}  // namespace tamis
