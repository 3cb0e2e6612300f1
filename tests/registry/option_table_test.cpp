#include "registry/option_table.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/source_root.hpp"

namespace tamis {
namespace {

std::string page_of(const Method& method) {
  std::ifstream file(source_root() / "docs/methods" / (std::string(method.info.name) + ".md"));
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(OptionTable, StandsOnThePageOfEveryMethod) {
  for (const Method& method : methods()) {
    const std::string expected =
        "<!-- options -->\n" + option_table(method) + "<!-- /options -->\n";
    EXPECT_NE(page_of(method).find(expected), std::string::npos)
        << "docs/methods/" << method.info.name << ".md must hold:\n"
        << expected;
  }
}

TEST(OptionTable, ShowsValuesDefaultAndMeaningWithBarsEscaped) {
  EXPECT_EQ(
      option_table(find_method("constraint_score")),
      "| option | values | default | meaning |\n"
      "|---|---|---|---|\n"
      "| `form` | ratio \\| difference | ratio | must-link sum over cannot-link sum, or minus "
      "nu times it |\n"
      "| `nu` | number >= 0 | 1 | weight of the cannot-links in the difference; ignored by the "
      "ratio |\n");
}

TEST(OptionTable, EndsWithWhatThePaperSets) {
  EXPECT_TRUE(option_table(find_method("cls"))
                  .ends_with("\n\n`--paper` sets `bandwidth` to 0.1, `bandwidth_unit` to absolute, "
                             "`condense` to som.\n"));
  EXPECT_TRUE(option_table(find_method("bcs"))
                  .ends_with("\n\n`--paper` sets `vote` to true (in `tamis evaluate`).\n"));
}

TEST(OptionTable, SaysWhenThereIsNothingToChoose) {
  EXPECT_EQ(option_table(find_method("variance")), "This method has no options.\n");
}

}  // namespace
}  // namespace tamis
