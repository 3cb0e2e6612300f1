#include "tamis/core/method.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr double kValues[] = {1, 2, 3, 4};

Problem four_rows(std::vector<Index> labels) {
  return {.matrix = DenseView<double>(kValues, 4, 1), .known = {.labels = std::move(labels)}};
}

MethodInfo method_that_needs(Needs needs) {
  return {.name = "lsdf",
          .title = "Locality sensitive discriminant feature",
          .supervision = Supervision::semi_supervised,
          .needs = needs,
          .reference = ""};
}

std::string complaint(Needs needs, const Problem& problem) {
  return message_of<DataError>([&] { check_needs(method_that_needs(needs), problem); });
}

Remedy remedy(Needs needs, const Problem& problem) {
  return remedy_of<DataError>([&] { check_needs(method_that_needs(needs), problem); });
}

TEST(CheckNeeds, IsContentWithABareTableIfNothingIsNeeded) {
  EXPECT_NO_THROW(check_needs(method_that_needs(Needs::nothing), four_rows({})));
}

TEST(CheckNeeds, RefusesUnlabeledRowsForAMethodOnClasses) {
  const char* const expected = "lsdf needs labels, and no row has one";
  EXPECT_EQ(complaint(Needs::classes, four_rows({})), expected);
  EXPECT_EQ(complaint(Needs::classes, four_rows({-1, -1, -1, -1})), expected);
  EXPECT_EQ(remedy(Needs::classes, four_rows({})).action, Remedy::Action::give_labels);
}

TEST(CheckNeeds, RefusesASingleClassForAMethodOnClasses) {
  EXPECT_EQ(complaint(Needs::classes, four_rows({0, -1, 0, -1})),
            "lsdf needs labels of at least two classes, and the 2 labeled rows all belong to one");
  EXPECT_NO_THROW(check_needs(method_that_needs(Needs::classes), four_rows({0, -1, 1, -1})));
}

TEST(CheckNeeds, TakesPairsOrTwoLabelsForAMethodOnConstraints) {
  const MethodInfo method = method_that_needs(Needs::constraints);
  EXPECT_NO_THROW(check_needs(method, four_rows({0, -1, 0, -1})));
  Problem paired = four_rows({});
  paired.known.pairs = PairConstraints{.must_link = {}, .cannot_link = {{0, 1}}};
  EXPECT_NO_THROW(check_needs(method, paired));
}

TEST(CheckNeeds, RefusesALoneLabelForAMethodOnConstraints) {
  EXPECT_EQ(complaint(Needs::constraints, four_rows({0, -1, -1, -1})),
            "lsdf needs must-link or cannot-link pairs, and there are none");
  EXPECT_EQ(remedy(Needs::constraints, four_rows({})).action, Remedy::Action::give_labels_or_pairs);
  Problem nothing_said = four_rows({});
  nothing_said.known.pairs = PairConstraints{};
  EXPECT_NE(complaint(Needs::constraints, nothing_said), "");
}

TEST(CheckNeeds, RefusesANumericTargetWhereOnlyClassesAreTaken) {
  Problem problem = four_rows({});
  problem.known.values = {1.0, 2.0, 3.0, kUnknownValue};
  for (const Needs needs : {Needs::nothing, Needs::classes, Needs::constraints}) {
    EXPECT_EQ(complaint(needs, problem), "lsdf takes classes, not a numeric target");
    EXPECT_EQ(remedy(needs, problem).action, Remedy::Action::take_method_for_values);
    MethodInfo method = method_that_needs(needs);
    method.takes_values = true;
    EXPECT_NO_THROW(check_needs(method, problem));
  }
  MethodInfo unsupervised = method_that_needs(Needs::nothing);
  unsupervised.supervision = Supervision::unsupervised;
  EXPECT_NO_THROW(check_needs(unsupervised, problem));
  problem.known.labels = {0, 1, -1, -1};
  EXPECT_NO_THROW(check_needs(method_that_needs(Needs::classes), problem)) << "labels decide";
}

TEST(Method, NamesItsSupervisionAndNeeds) {
  EXPECT_EQ(name_of(Supervision::unsupervised), "unsupervised");
  EXPECT_EQ(name_of(Supervision::supervised), "supervised");
  EXPECT_EQ(name_of(Supervision::semi_supervised), "semi-supervised");
  EXPECT_EQ(needs_of(method_that_needs(Needs::nothing)), "nothing but the table");
  EXPECT_EQ(needs_of(method_that_needs(Needs::constraints)),
            "labels or must-link / cannot-link pairs");
  MethodInfo method = method_that_needs(Needs::classes);
  EXPECT_EQ(needs_of(method), "labels of at least two classes");
  method.takes_values = true;
  EXPECT_EQ(needs_of(method), "labels of at least two classes, or a numeric target");
}

}  // namespace
}  // namespace tamis
