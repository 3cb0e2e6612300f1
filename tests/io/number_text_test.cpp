#include "io/number_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tamis {
namespace {

template <class T>
std::string appended(T value) {
  std::string text = "a,";
  append_number(text, value);
  return text;
}

TEST(AppendNumber, WritesTheShortestTextThatReadsBackAsTheSameType) {
  EXPECT_EQ(appended(0.1), "a,0.1");
  EXPECT_EQ(appended(0.1F), "a,0.1");
  EXPECT_EQ(appended(double{0.1F}), "a,0.10000000149011612");
  EXPECT_EQ(appended(100000.0), "a,100000");
  EXPECT_EQ(appended(-1e300), "a,-1e+300");
  EXPECT_EQ(appended(5e-324), "a,5e-324");
}

}  // namespace
}  // namespace tamis
