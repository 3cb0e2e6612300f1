#include "report/html.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

TEST(Html, EscapesTextAndAttributes) {
  const Html paragraph = element("p", {{"title", "a \"b\" <c>"}}, "x < y & ", "'z'");
  EXPECT_EQ(paragraph.markup(),
            "<p title=\"a &quot;b&quot; &lt;c&gt;\">x &lt; y &amp; &#39;z&#39;</p>");
}

TEST(Html, EscapesTextOnceHoweverDeepItStands) {
  const Html inner = element("b", {}, "<");
  EXPECT_EQ(element("i", {}, element("u", {}, inner)).markup(), "<i><u><b>&lt;</b></u></i>");
}

TEST(Html, ReplacesWhatIsNoUtf8AndControlCharacters) {
  EXPECT_EQ(Html(std::string_view("a\xC3(\0b\x1B", 6)).markup(),
            "a\xEF\xBF\xBD(\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
  EXPECT_EQ(Html("\xED\xA0\x80").markup(), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD") << "surrogate";
  EXPECT_EQ(Html("\xC0\xAF").markup(), "\xEF\xBF\xBD\xEF\xBF\xBD") << "overlong";
  EXPECT_EQ(Html("\xF0\x9F").markup(), "\xEF\xBF\xBD\xEF\xBF\xBD") << "cut";
  EXPECT_EQ(Html("é 遺 😀\tx\n").markup(), "é 遺 😀\tx\n");
}

TEST(Html, WritesCoordinatesBriefly) {
  EXPECT_EQ(leaf("circle", {{"cx", 12.5}, {"cy", 3.0}, {"r", -0.001}, {"n", 7}}).markup(),
            "<circle cx=\"12.5\" cy=\"3\" r=\"0\" n=\"7\"/>");
  EXPECT_EQ(Attribute("x", 100.0).value, "100");
  EXPECT_EQ(Attribute("x", 1.239).value, "1.24");
}

TEST(Html, RefusesRawContentThatWouldEndItsElement) {
  EXPECT_EQ(raw_element("style", {}, "a > b {}").markup(), "<style>a > b {}</style>");
  for (const char* const content : {"x</script>", "x</STYLE", "<!-- x"})
    EXPECT_EQ(message_of<InvalidArgument>([&] { raw_element("script", {}, content); }),
              "html: the content of <script> would end it");
}

TEST(JsonString, EscapesWhatEndsScriptsLinesAndStrings) {
  EXPECT_EQ(json_string("</script>"), "\"\\u003c/script\\u003e\"");
  EXPECT_EQ(json_string("a\"b\\c\nd\te"), "\"a\\\"b\\\\c\\u000ad\\u0009e\"");
  EXPECT_EQ(json_string("x\u2028y\u2029z"), "\"x\\u2028y\\u2029z\"");
  EXPECT_EQ(json_string("<!-- & é"), "\"\\u003c!-- \\u0026 é\"");
}

}  // namespace
}  // namespace tamis
