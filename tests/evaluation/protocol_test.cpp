#include "evaluation/protocol.hpp"

#include <gtest/gtest.h>

#include "core/option_texts.hpp"
#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::string printed(const Protocol& protocol) {
  std::string text;
  for (const auto& [name, value] : resolved_values(protocol))
    text += name + "=" + to_text(value) + " ";
  text.pop_back();
  return text;
}

std::string refusal(const OptionTexts& texts) {
  return message_of<InvalidArgument>([&] { with_settings(Protocol{}, texts); });
}

Protocol with_top(const std::string& text) { return with_settings(Protocol{}, {{"top", text}}); }

TEST(Presets, AreTheExperimentsOfThePapers) {
  const std::string third = "train_share=0.6666666666666666 ";
  const std::vector<std::pair<std::string, std::string>> expected{
      {"tamis",
       "split=fraction " + third +
           "folds=5 runs=20 labels_per_class=3,5 label_budget=per_class top=1:50 "
           "classifier=nearest_neighbor svm_solver=libsvm cost=1 cost_folds=2 scaling=standard "
           "scaled_ranking=false views=both random_draws=10 n_constraints=none kmeans=false"},
      {"cls-2011",
       "split=first_half train_share=0.5 folds=5 runs=100 labels_per_class=5 label_budget=in_all "
       "top=all classifier=nearest_neighbor svm_solver=libsvm cost=1 cost_folds=2 scaling=none "
       "scaled_ranking=false views=transfer random_draws=10 n_constraints=none kmeans=false"},
      {"csfsr-2013",
       "split=fraction train_share=0.5 folds=5 runs=20 labels_per_class=3 label_budget=per_class "
       "top=10:200:10 classifier=svm svm_solver=libsvm cost=auto cost_folds=2 scaling=none "
       "scaled_ranking=false views=transfer random_draws=10 n_constraints=none kmeans=false"},
      {"wckm-2013",
       "split=fraction train_share=0.5 folds=5 runs=20 labels_per_class=3 label_budget=per_class "
       "top=10:200:10 classifier=svm svm_solver=libsvm cost=1 cost_folds=2 scaling=none "
       "scaled_ranking=false views=transfer random_draws=10 n_constraints=none kmeans=false"},
      {"ens-cls-2013",
       "split=fraction " + third +
           "folds=5 runs=10 labels_per_class=3 label_budget=per_class top=1:20 classifier=svm "
           "svm_solver=libsvm cost=1 cost_folds=2 scaling=none scaled_ranking=false "
           "views=transfer random_draws=10 n_constraints=none kmeans=false"},
      {"sselect-2006",
       "split=k_fold " + third +
           "folds=5 runs=20 labels_per_class=2,6,10 label_budget=in_all top=5:50:5 "
           "classifier=nearest_neighbor svm_solver=libsvm cost=1 cost_folds=2 scaling=none "
           "scaled_ranking=false views=transfer random_draws=10 n_constraints=none kmeans=false"},
      {"sbcs-2020",
       "split=fraction train_share=0.5 folds=5 runs=100 labels_per_class=3 label_budget=per_class "
       "top=all classifier=nearest_neighbor svm_solver=libsvm cost=1 cost_folds=2 "
       "scaling=standard scaled_ranking=true views=transfer random_draws=10 n_constraints=none "
       "kmeans=false"},
      {"l2gfs-2013",
       "split=fraction train_share=0.5 folds=5 runs=10 labels_per_class=3 label_budget=per_class "
       "top=10:200:10 classifier=svm svm_solver=libsvm cost=auto cost_folds=3 scaling=none "
       "scaled_ranking=false views=transfer random_draws=10 n_constraints=none kmeans=true"},
      {"constraints-uci-2013",
       "split=fraction train_share=0.5 folds=5 runs=20 labels_per_class=10 label_budget=in_all "
       "top=50% classifier=nearest_neighbor svm_solver=libsvm cost=1 cost_folds=2 scaling=none "
       "scaled_ranking=false views=transfer random_draws=10 n_constraints=5:45:5 kmeans=false"},
      {"constraints-2013",
       "split=fraction train_share=0.5 folds=5 runs=20 labels_per_class=3 label_budget=per_class "
       "top=10 classifier=svm svm_solver=libsvm cost=1 cost_folds=2 scaling=none "
       "scaled_ranking=false views=transfer random_draws=10 n_constraints=5:50:5,all "
       "kmeans=false"}};
  ASSERT_EQ(presets().size(), expected.size());
  for (const auto& [name, settings] : expected)
    EXPECT_EQ(printed(find_preset(name).protocol), settings) << name;
  EXPECT_EQ(presets().front().name, "tamis");
}

TEST(Presets, UnknownNamesSuggestANearOne) {
  EXPECT_EQ(message_of<InvalidArgument>([] { find_preset("cls-2012"); }),
            "evaluate: protocol = 'cls-2012' is not one of tamis, cls-2011, csfsr-2013, wckm-2013, "
            "ens-cls-2013, sselect-2006, sbcs-2020, l2gfs-2013, constraints-uci-2013, "
            "constraints-2013; did you mean 'cls-2011'?");
}

TEST(Protocol, TriesTheNumbersOfFeaturesThatTopSays) {
  EXPECT_EQ(lengths_for(with_top("1:5"), 10), (std::vector<Index>{1, 2, 3, 4, 5}));
  EXPECT_EQ(lengths_for(with_top("5:50:20"), 100), (std::vector<Index>{5, 25, 45}));
  EXPECT_EQ(lengths_for(with_top("7,1:3,2,5"), 10), (std::vector<Index>{1, 2, 3, 5, 7}));
  EXPECT_EQ(lengths_for(with_top("all"), 3), (std::vector<Index>{1, 2, 3}));
  EXPECT_EQ(lengths_for(with_top("50%"), 7), (std::vector<Index>{4}));
  EXPECT_EQ(lengths_for(with_top("2,50%,all"), 7), (std::vector<Index>{2, 4, 7}));
  EXPECT_EQ(refusal({{"top", "0%"}}),
            "evaluate: top = '0%' is no share of the features: it must be more than 0% and at "
            "most 100%");
}

TEST(Protocol, CountsConstraintsUpToThoseThatThereAre) {
  const auto counts = [](const std::string& text, Index n_pairs) {
    return constraint_counts(with_settings({}, {{"n_constraints", text}, {"top", "5"}}), n_pairs);
  };
  EXPECT_EQ(counts("none", 45), std::vector<Index>{});
  EXPECT_EQ(counts("5:45:20", 45), (std::vector<Index>{5, 25, 45}));
  EXPECT_EQ(counts("5:50:5,all", 12), (std::vector<Index>{5, 10, 12}));
  EXPECT_EQ(counts("20,30", 12), std::vector<Index>{12});
  EXPECT_EQ(counts("all", 12), std::vector<Index>{12});
  EXPECT_EQ(refusal({{"n_constraints", "many"}, {"top", "5"}}),
            "evaluate: n_constraints = 'many': 'many' is neither a number of pairs nor a range "
            "FIRST:LAST or FIRST:LAST:STEP");
  EXPECT_EQ(refusal({{"n_constraints", "50%"}, {"top", "5"}}),
            "evaluate: n_constraints = '50%': '50%' is neither a number of pairs nor a range "
            "FIRST:LAST or FIRST:LAST:STEP");
}

TEST(Protocol, RefusesSeveralNumbersOfFeaturesWhereConstraintsAreCounted) {
  for (const std::string top : {"1:50", "5,10", "all"})
    EXPECT_EQ(refusal({{"n_constraints", "5"}, {"top", top}}),
              "evaluate: n_constraints = '5' needs a single number of features, as in top = 10 or "
              "50%, and not top = '" +
                  top + "'");
}

TEST(Protocol, TriesNoMoreFeaturesThanThereAre) {
  EXPECT_EQ(lengths_for(with_top("1:1000000000000"), 3), (std::vector<Index>{1, 2, 3}));
  EXPECT_EQ(lengths_for(with_top("1:9:9223372036854775807"), 3), (std::vector<Index>{1}));
  EXPECT_EQ(lengths_for(with_top("10,20"), 4), (std::vector<Index>{4}));
}

TEST(Protocol, RefusesWhatIsNoNumberOfFeatures) {
  for (const std::string bad : {"0:5", "5:1", "1:5:0", "1:2:3:4", "x", "1:", ":5", "-3", "1.5"})
    EXPECT_EQ(refusal({{"top", bad}}),
              "evaluate: top = '" + bad + "': '" + bad +
                  "' is neither a number of features nor a range FIRST:LAST or FIRST:LAST:STEP");
  EXPECT_EQ(refusal({{"top", "1:5,,9"}}),
            "evaluate: top = '1:5,,9': '' is neither a number of features nor a range FIRST:LAST "
            "or FIRST:LAST:STEP");
}

TEST(Protocol, TakesSeveralNumbersOfLabels) {
  EXPECT_EQ(label_counts(with_settings({}, {{"labels_per_class", "10,2"}})),
            (std::vector<Index>{10, 2}));
  for (const std::string bad : {"0", "3,3", "a", "3,", "-1"})
    EXPECT_EQ(refusal({{"labels_per_class", bad}}),
              "evaluate: labels_per_class = '" + bad +
                  "' must be one or several different integers >= 1, as in 3,5");
}

TEST(Protocol, RefusesSettingsWithoutEffect) {
  EXPECT_EQ(refusal({{"cost", "2"}}), "evaluate: cost has no effect without classifier = svm");
  EXPECT_EQ(refusal({{"folds", "3"}}), "evaluate: folds has no effect without split = k_fold");
  EXPECT_EQ(refusal({{"train_share", "0.5"}, {"split", "first_half"}}),
            "evaluate: train_share has no effect without split = fraction");
  EXPECT_EQ(refusal({{"cost_folds", "3"}, {"classifier", "svm"}}),
            "evaluate: cost_folds has no effect without classifier = svm and cost = auto");
  EXPECT_EQ(refusal({{"scaling", "none"}, {"scaled_ranking", "true"}}),
            "evaluate: scaled_ranking has no effect without scaling = standard or minmax");
}

TEST(Protocol, RefusesUnknownSettingsAndForbiddenValues) {
  EXPECT_EQ(refusal({{"rusn", "3"}}), "evaluate has no option 'rusn'; did you mean 'runs'?");
  EXPECT_EQ(refusal({{"runs", "0"}}), "evaluate: runs = 0 must be >= 1");
  EXPECT_EQ(refusal({{"train_share", "1"}}), "evaluate: train_share = 1 must be in [0.01, 0.99]");
  EXPECT_EQ(refusal({{"views", "honest"}}),
            "evaluate: views = 'honest' is not one of transfer, realistic, both");
}

}  // namespace
}  // namespace tamis
