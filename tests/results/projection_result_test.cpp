#include "results/projection_result.hpp"

#include <gtest/gtest.h>

#include "results/json_fields.hpp"
#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

ProjectionResult sample_result() {
  ProjectionResult result{.version = "1.2.3",
                          .method = "rca",
                          .options = {{"n_components", Index{2}}, {"ridge", 0.5}},
                          .names = {"a", "b", "c"},
                          .ids = std::vector<std::string>{"x", "y"},
                          .scaling = Scaling{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}};
  result.projection.rank = 2;
  result.projection.eigenvalues = {3.0, 0.25};
  result.projection.mean = {1.0, 2.0, 1.0 / 3.0};
  result.projection.components = {2, 3, {0.1, 0.2, 0.3, -0.4, 0.5, 0.6}};
  result.projection.projected = {2, 2, {1.0, 2.0, 3.0, 4.0}};
  return result;
}

TEST(ProjectionResult, HasTheMembersOfItsSchema) {
  const Json json = Json::parse(json_line(sample_result()));
  EXPECT_EQ(json["schema"], "tamis/projection/1");
  EXPECT_EQ(json["components"], Json::parse("[[0.1,0.2,0.3],[-0.4,0.5,0.6]]"));
  EXPECT_EQ(json["projected"], Json::parse("[[1.0,2.0],[3.0,4.0]]"));
  EXPECT_EQ(json["eigenvalues"], Json::parse("[3.0,0.25]"));
  EXPECT_EQ(json["rank"], 2);
  EXPECT_EQ(json["options"], Json::parse(R"({"n_components":2,"ridge":0.5})"));
}

TEST(ProjectionResult, IsReadBackToTheLastBit) {
  const std::string line = json_line(sample_result());
  const ProjectionResult read = read_projection_result(line);
  EXPECT_EQ(json_line(read), line);
  EXPECT_EQ(read.projection.mean, sample_result().projection.mean);
  EXPECT_EQ(read.projection.components.values, sample_result().projection.components.values);
}

/// What is said of the sample after a change.
std::string refusal(const std::function<void(Json&)>& change) {
  Json json = Json::parse(json_line(sample_result()));
  change(json);
  return message_of<DataError>([&] { read_projection_result(json.dump()); });
}

TEST(ProjectionResult, RefusesWhatDoesNotFitTogether) {
  EXPECT_EQ(message_of<DataError>([] { read_projection_result("c1,c2"); }), "it is no JSON");
  EXPECT_EQ(refusal([](Json& json) { json["schema"] = "tamis/ranking/1"; }),
            "it is no projection: its schema is not tamis/projection/1");
  EXPECT_EQ(message_of<DataError>([] { read_projection_result("[]"); }),
            "it is no projection: its schema is not tamis/projection/1");
  EXPECT_EQ(refusal([](Json& json) { json.erase("mean"); }), "mean is missing");
  EXPECT_EQ(refusal([](Json& json) { json["mean"] = {1.0}; }), "mean has 1 values for 3 names");
  EXPECT_EQ(refusal([](Json& json) { json["mean"][1] = nullptr; }),
            "mean has a value that is not finite");
  EXPECT_EQ(refusal([](Json& json) { json["names"] = Json::array(); }), "names is empty");
  EXPECT_EQ(refusal([](Json& json) { json["components"] = Json::array(); }), "components is empty");
  EXPECT_EQ(refusal([](Json& json) { json["components"][1] = {1.0}; }),
            "components[1] should be a list of 3, not [1.0]");
  EXPECT_EQ(refusal([](Json& json) { json["names"].push_back("d"); }),
            "components[0] has 3 values for 4 names");
  EXPECT_EQ(refusal([](Json& json) { json["components"][0][2] = "x"; }),
            "components[0][2] should be a number, not \"x\"");
  EXPECT_EQ(refusal([](Json& json) { json["scaling"]["width"] = {1.0}; }),
            "scaling.width has 1 values for 3 names");
}

}  // namespace
}  // namespace tamis
