#include "core/json_values.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace tamis {
namespace {

using Json = nlohmann::ordered_json;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(JsonValues, WhatIsNotFiniteIsNullOrAWord) {
  const std::vector<double> values{0.1, std::nan(""), kInfinity, -kInfinity};
  EXPECT_EQ(json_line(json_numbers<Json>(values)), "[0.1,null,\"inf\",\"-inf\"]\n");
}

TEST(JsonValues, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(json_line(Json("a\xff")), "\"a\xef\xbf\xbd\"\n");
}

}  // namespace
}  // namespace tamis
