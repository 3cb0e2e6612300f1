#include "tamis/core/options.hpp"

#include <gtest/gtest.h>

#include <array>

#include "core/option_texts.hpp"
#include "support/message_of.hpp"

namespace tamis {
namespace {

enum class Shape { ratio, difference };
constexpr auto option_words(Shape) {
  return std::array{std::pair{std::string_view("ratio"), Shape::ratio},
                    std::pair{std::string_view("difference"), Shape::difference}};
}

struct Inner {
  Index n_neighbors = 10;
  static constexpr auto fields() {
    return field_list(
        field("n_neighbors", &Inner::n_neighbors, at_least(1), "rows joined to each row"));
  }
};

struct Sample {
  Inner graph = {};
  Shape form = Shape::difference;
  double nu = 0.5;
  std::optional<double> eta = 0.1;
  std::optional<Index> units = std::nullopt;
  bool cut = true;

  static constexpr auto fields() {
    return joined(nested_fields(&Sample::graph),
                  field_list(field("form", &Sample::form, "ratio or difference"),
                             field("nu", &Sample::nu, positive(), "weight"),
                             field("eta", &Sample::eta, between(0, 1), "share"),
                             field("units", &Sample::units, at_least(2), "of the map"),
                             field("cut", &Sample::cut, "leave out edges")));
  }
};

Sample parse(const OptionTexts& texts) { return parse_options<Sample>("sample", texts); }

std::string complaint(const OptionTexts& texts) {
  return message_of<InvalidArgument>([&] { parse(texts); });
}

TEST(Range, ContainsItsBoundsUnlessTheLowIsExcluded) {
  EXPECT_TRUE(between(0, 1).contains(0));
  EXPECT_TRUE(between(0, 1).contains(1));
  EXPECT_FALSE(between(0, 1).contains(1.5));
  EXPECT_FALSE(positive().contains(0));
  EXPECT_TRUE(positive().contains(1e-300));
  EXPECT_FALSE(at_least(1).contains(0));
  EXPECT_TRUE(any_number().contains(-1e300));
}

TEST(ParseOptions, KeepsDefaultsWithoutTexts) {
  const Sample sample = parse({});
  EXPECT_EQ(sample.graph.n_neighbors, 10);
  EXPECT_EQ(sample.form, Shape::difference);
  EXPECT_EQ(sample.eta, 0.1);
  EXPECT_EQ(sample.units, std::nullopt);
  EXPECT_TRUE(sample.cut);
}

TEST(ParseOptions, SetsMembersOfEveryTypeAndOfNestedStructs) {
  const Sample sample = parse({{"n_neighbors", "3"},
                               {"form", "ratio"},
                               {"nu", "2.5e-1"},
                               {"eta", "auto"},
                               {"units", "7"},
                               {"cut", "false"}});
  EXPECT_EQ(sample.graph.n_neighbors, 3);
  EXPECT_EQ(sample.form, Shape::ratio);
  EXPECT_EQ(sample.nu, 0.25);
  EXPECT_EQ(sample.eta, std::nullopt);
  EXPECT_EQ(sample.units, 7);
  EXPECT_FALSE(sample.cut);
}

TEST(ParseOptions, RefusesAnUnknownOptionAndSuggestsANearOne) {
  EXPECT_EQ(complaint({{"n_neighbours", "3"}}),
            "sample has no option 'n_neighbours'; did you mean 'n_neighbors'?");
  EXPECT_EQ(complaint({{"bandwidth", "3"}}),
            "sample has no option 'bandwidth'; it takes n_neighbors, form, nu, eta, units, cut");
}

struct NoOptions {
  static constexpr auto fields() { return field_list(); }
};

TEST(ParseOptions, SaysWhenThereAreNoOptionsAtAll) {
  EXPECT_EQ(message_of<InvalidArgument>([] {
              parse_options<NoOptions>("variance", {{"k", "1"}});
            }),
            "variance has no option 'k'; it takes none");
}

TEST(ParseOptions, RefusesValuesThatAreNotOfTheType) {
  EXPECT_EQ(complaint({{"n_neighbors", "3.5"}}), "sample: n_neighbors = '3.5' is not an integer");
  EXPECT_EQ(complaint({{"n_neighbors", ""}}), "sample: n_neighbors = '' is not an integer");
  EXPECT_EQ(complaint({{"nu", "much"}}), "sample: nu = 'much' is not a number");
  EXPECT_EQ(complaint({{"nu", "1,5"}}), "sample: nu = '1,5' is not a number");
  EXPECT_EQ(complaint({{"cut", "1"}}), "sample: cut = '1' is not true or false");
}

TEST(ParseOptions, RefusesNumbersThatAreNotFinite) {
  EXPECT_EQ(complaint({{"nu", "inf"}}), "sample: nu = 'inf' is not a number");
  EXPECT_EQ(complaint({{"nu", "nan"}}), "sample: nu = 'nan' is not a number");
  EXPECT_EQ(complaint({{"nu", "1e999"}}), "sample: nu = '1e999' is not a number");
}

TEST(ParseOptions, RefusesAnIntegerTooLargeToHold) {
  EXPECT_EQ(complaint({{"n_neighbors", "99999999999999999999"}}),
            "sample: n_neighbors = '99999999999999999999' is not an integer");
}

TEST(ParseOptions, RefusesAnUnknownWordAndListsTheWords) {
  EXPECT_EQ(complaint({{"form", "sum"}}), "sample: form = 'sum' is not one of ratio, difference");
  EXPECT_EQ(complaint({{"form", "ratoi"}}),
            "sample: form = 'ratoi' is not one of ratio, difference; did you mean 'ratio'?");
}

TEST(ParseOptions, RefusesValuesOutsideTheRangeAndSaysTheRange) {
  EXPECT_EQ(complaint({{"n_neighbors", "0"}}), "sample: n_neighbors = 0 must be >= 1");
  EXPECT_EQ(complaint({{"nu", "0"}}), "sample: nu = 0 must be > 0");
  EXPECT_EQ(complaint({{"eta", "1.5"}}), "sample: eta = 1.5 must be in [0, 1]");
}

TEST(CheckRanges, IgnoresAnOptionalThatIsNotSet) {
  EXPECT_NO_THROW(check_ranges("sample", Sample{.units = std::nullopt}));
  EXPECT_THROW(check_ranges("sample", Sample{.units = 1}), InvalidArgument);
}

TEST(DescribeOptions, TellsTypesDefaultsAndWordsInOrder) {
  const std::vector<OptionInfo> options = describe_options<Sample>();
  ASSERT_EQ(options.size(), 6U);
  EXPECT_EQ(options[0].name, "n_neighbors");
  EXPECT_EQ(options[0].type, OptionType::integer);
  EXPECT_EQ(options[0].default_value, OptionValue(Index{10}));
  EXPECT_EQ(options[0].help, "rows joined to each row");
  EXPECT_EQ(options[1].type, OptionType::word);
  EXPECT_EQ(options[1].default_value, OptionValue(std::string("difference")));
  EXPECT_EQ(options[1].words, (std::vector<std::string>{"ratio", "difference"}));
  EXPECT_EQ(options[3].type, OptionType::number);
  EXPECT_EQ(options[3].words, std::vector<std::string>{"auto"});
  EXPECT_EQ(options[4].default_value, OptionValue(std::string("auto")));
  EXPECT_EQ(options[5].type, OptionType::boolean);
}

TEST(DescribeValues, SaysWhatAnOptionMayBe) {
  std::vector<std::string> described;
  for (const OptionInfo& option : describe_options<Sample>())
    described.push_back(describe_values(option));
  EXPECT_EQ(described, (std::vector<std::string>{"integer >= 1", "ratio | difference", "number > 0",
                                                 "number in [0, 1] or auto", "integer >= 2 or auto",
                                                 "true | false"}));
}

TEST(ResolvedValues, ListsEveryOptionWithTheValueItHas) {
  const NamedValues values = resolved_values(Sample{.eta = std::nullopt, .cut = false});
  const NamedValues expected{
      {"n_neighbors", Index{10}},   {"form", std::string("difference")}, {"nu", 0.5},
      {"eta", std::string("auto")}, {"units", std::string("auto")},      {"cut", false}};
  EXPECT_EQ(values, expected);
}

TEST(ResolvedValues, AsTextsGiveTheSameOptionsAgain) {
  const Sample sample{.graph = {.n_neighbors = 4}, .form = Shape::ratio, .nu = 0.1, .units = 9};
  OptionTexts texts;
  for (const auto& [name, value] : resolved_values(sample)) texts[name] = to_text(value);
  EXPECT_EQ(resolved_values(parse(texts)), resolved_values(sample));
}

struct Named {
  std::string base = "variance";
  static constexpr auto fields() {
    return field_list(field("base", &Named::base, "name of another"));
  }
};

TEST(ParseOptions, TakesAnyTextButNoneForAName) {
  EXPECT_EQ(parse_options<Named>("named", {}).base, "variance");
  EXPECT_EQ(parse_options<Named>("named", {{"base", "a:b=c,d=e f"}}).base, "a:b=c,d=e f");
  EXPECT_EQ(message_of<InvalidArgument>([] {
              parse_options<Named>("named", {{"base", ""}});
            }),
            "named: base = '' is not a name");
}

TEST(DescribeOptions, TellsANameAsAWordWithoutWords) {
  const std::vector<OptionInfo> options = describe_options<Named>();
  ASSERT_EQ(options.size(), 1U);
  EXPECT_EQ(options[0].type, OptionType::word);
  EXPECT_TRUE(options[0].words.empty());
  EXPECT_EQ(options[0].default_value, OptionValue(std::string("variance")));
  EXPECT_EQ(describe_values(options[0]), "name");
}

TEST(ToText, WritesNumbersInTheirShortestExactForm) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1.0 / 3.0), "0.3333333333333333");
  EXPECT_EQ(to_text(Index{12}), "12");
  EXPECT_EQ(to_text(true), "true");
}

}  // namespace
}  // namespace tamis
