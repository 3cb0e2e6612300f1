#include "results/json_fields.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {
namespace {

enum class Color { red, dark_blue };
constexpr auto option_words(Color) {
  return std::array{std::pair{std::string_view("red"), Color::red},
                    std::pair{std::string_view("dark_blue"), Color::dark_blue}};
}

struct Point {
  Index x = 0;
  double y = 0.0;

  static constexpr auto fields() {
    return field_list(named("x", &Point::x), named("y", &Point::y));
  }
};

/// A member of every kind.
struct Sample {
  bool is_set = false;
  int count = 0;
  std::uint64_t seed = 0;
  double number = 0.0;
  std::string text = {};
  Color color = Color::red;
  std::vector<double> numbers = {};
  std::optional<Index> absent = std::nullopt;
  std::optional<std::vector<Index>> left_out = std::nullopt;
  Point point = {};
  std::vector<Point> points = {};
  std::vector<Point> listed = {};
  std::vector<std::pair<std::string, Index>> pairs = {};
  std::vector<std::pair<std::string, double>> figures = {};
  std::optional<NamedValues> values = std::nullopt;

  Index n_points() const { return std::ssize(points); }

  static constexpr auto fields() {
    using Self = Sample;
    const auto [x, y] = nested_fields(&Self::point);
    return field_list(
        named("is_set", &Self::is_set), named("count", &Self::count), named("seed", &Self::seed),
        named("number", &Self::number), named("text", &Self::text), named("color", &Self::color),
        named("numbers", &Self::numbers), named("absent", &Self::absent),
        named("left_out", &Self::left_out, Form::if_set), y, x, named("points", &Self::points),
        named("n_points", &Self::n_points), named("listed", &Self::listed, Form::list),
        named("pairs", &Self::pairs), named("figures", &Self::figures, Form::object),
        named("values", &Self::values, Form::object));
  }
};

Sample full_sample() {
  return {.is_set = true,
          .count = -3,
          .seed = 18446744073709551615U,
          .number = 0.1,
          .text = "a \"b\"",
          .color = Color::dark_blue,
          .numbers = {0.5, kUndefined, HUGE_VAL, -HUGE_VAL},
          .absent = 7,
          .left_out = {{1, 2}},
          .point = {1, 2.5},
          .points = {{3, 4.0}},
          .listed = {{5, 6.0}, {7, kUndefined}},
          .pairs = {{"b", 1}, {"a", 2}},
          .figures = {{"z", 1.5}, {"a", kUndefined}},
          .values = {{{"yes", true}, {"n", Index{2}}, {"x", 2.0}, {"w", std::string("sum")}}}};
}

constexpr std::string_view kFullSample =
    R"({"is_set":true,"count":-3,"seed":18446744073709551615,"number":0.1,"text":"a \"b\"",)"
    R"("color":"dark_blue","numbers":[0.5,null,"inf","-inf"],"absent":7,"left_out":[1,2],)"
    R"("y":2.5,"x":1,"points":[{"x":3,"y":4.0}],"n_points":1,"listed":[[5,6.0],[7,null]],)"
    R"("pairs":[["b",1],["a",2]],"figures":{"z":1.5,"a":null},)"
    R"("values":{"yes":true,"n":2,"x":2.0,"w":"sum"}})"
    "\n";

/// Why `text` is refused in the place of `name` of the full sample; without text: why the member
/// must be there.
std::string refusal(const std::string& name, const std::string& text = "") {
  Json json = json_of(full_sample());
  if (text.empty())
    json.erase(name);
  else
    json[name] = Json::parse(text);
  return message_of<DataError>([&] { read_json<Sample>(json); });
}

TEST(JsonFields, EveryKindOfMemberHasItsForm) {
  EXPECT_EQ(json_line(json_of(full_sample())), kFullSample);
}

TEST(JsonFields, WhatIsUnsetIsNullOrLeftOut) {
  EXPECT_EQ(json_line(json_of(Sample{})),
            R"({"is_set":false,"count":0,"seed":0,"number":0.0,"text":"","color":"red",)"
            R"("numbers":[],"absent":null,"y":0.0,"x":0,"points":[],"n_points":0,"listed":[],)"
            R"("pairs":[],"figures":{},"values":null})"
            "\n");
}

TEST(JsonFields, ReadBackAsTheyWereWritten) {
  const Sample read = read_json<Sample>(Json::parse(kFullSample));
  EXPECT_EQ(read.seed, full_sample().seed);
  EXPECT_TRUE(std::isnan(read.numbers[1]));
  EXPECT_EQ(read.numbers[2], HUGE_VAL);
  EXPECT_EQ(read.left_out, full_sample().left_out);
  EXPECT_EQ(read.pairs, full_sample().pairs);
  EXPECT_EQ(read.values, full_sample().values);
  EXPECT_EQ(json_line(json_of(read)), kFullSample);
  const std::string none = json_line(json_of(Sample{}));
  EXPECT_EQ(json_line(json_of(read_json<Sample>(Json::parse(none)))), none);
}

TEST(JsonFields, IgnoreMembersThatNobodyDeclared) {
  Json json = Json::parse(kFullSample);
  json["new"] = 1;
  EXPECT_EQ(json_line(json_of(read_json<Sample>(json))), kFullSample);
}

TEST(JsonFields, AMissingMemberIsNamed) {
  EXPECT_EQ(refusal("number"), "number is missing");
  EXPECT_EQ(refusal("points", R"([{"x":1,"y":2},{"x":1}])"), "points[1].y is missing");
}

TEST(JsonFields, AWrongMemberIsNamed) {
  EXPECT_EQ(refusal("is_set", "1"), "is_set should be true or false, not 1");
  EXPECT_EQ(refusal("count", "1.5"), "count should be a whole number, not 1.5");
  EXPECT_EQ(refusal("seed", "-1"), "seed should be a whole number that fits, not -1");
  EXPECT_EQ(refusal("count", "3000000000"),
            "count should be a whole number that fits, not 3000000000");
  EXPECT_EQ(refusal("number", "\"x\""), "number should be a number, not \"x\"");
  EXPECT_EQ(refusal("text", "null"), "text should be a text, not null");
  EXPECT_EQ(refusal("color", "\"pink\""), "color should be red or dark_blue, not \"pink\"");
  EXPECT_EQ(refusal("numbers", "[1,true]"), "numbers[1] should be a number, not true");
  EXPECT_EQ(refusal("points", "{}"), "points should be a list, not {}");
  EXPECT_EQ(refusal("points", "[3]"), "points[0] should be an object, not 3");
  EXPECT_EQ(refusal("listed", "[[1,2],[1]]"), "listed[1] should be a list of 2, not [1]");
  EXPECT_EQ(refusal("listed", "[[\"a\",2]]"), "listed[0].x should be a whole number, not \"a\"");
  EXPECT_EQ(refusal("pairs", "[[1,2]]"), "pairs[0] should be a text, not 1");
  EXPECT_EQ(refusal("figures", "{\"a\":[]}"), "figures.a should be a number, not []");
  EXPECT_EQ(refusal("values", "{\"n\":null}"), "values.n should be a value of an option, not null");
  EXPECT_EQ(refusal("absent", Json(std::string(50, 'x')).dump()),
            "absent should be a whole number, not string");
  EXPECT_EQ(message_of<DataError>([] { read_json<Sample>(Json::array()); }),
            "the JSON should be an object, not []");
}

TEST(JsonLine, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(json_line(Json("a\xff")), "\"a\xef\xbf\xbd\"\n");
}

}  // namespace
}  // namespace tamis
