#include "io/arrow_table.hpp"

#include "io/arrow_file.hpp"
#include "reading.hpp"

// What the files hold is tried with those of real tools, by tests/cli/test_arrow.py.
namespace tamis {
namespace {

using test::refusal_of;
using namespace std::string_literals;

TEST(ArrowTable, IsRecognisedByItsFirstBytes) {
  const std::string parquet = refusal_of("PAR1\x15 and no more");
  const std::string file = refusal_of("ARROW1\0\0 and no more"s);
  const std::string stream = refusal_of("\xFF\xFF\xFF\xFF\x10\0\0\0\x04\0\0\0 and no more"s);
  const bool is_available = arrow_library() != nullptr;
  const std::string start = is_available ? ": Arrow cannot read it: " : ": is a";
  EXPECT_TRUE(parquet.starts_with(start)) << parquet;
  EXPECT_TRUE(file.starts_with(start)) << file;
  EXPECT_TRUE(stream.starts_with(start)) << stream;
  EXPECT_EQ(parquet.find("this program is without Arrow") == std::string::npos, is_available);
}

TEST(ArrowTable, IsNoTextThatBeginsLikeIt) {
  EXPECT_EQ(test::read_content("PAR1,b\n1,2\n").feature_names, (test::Texts{"PAR1", "b"}));
  EXPECT_EQ(test::read_content("ARROW1,b\n1,2\n").feature_names, (test::Texts{"ARROW1", "b"}));
}

}  // namespace
}  // namespace tamis
