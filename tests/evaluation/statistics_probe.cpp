#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "evaluation/friedman.hpp"
#include "evaluation/metrics.hpp"
#include "evaluation/paired_tests.hpp"
#include "evaluation/studentized_range.hpp"

/// Reads a JSON list of [what, arguments...] from stdin and prints the list of answers, so that
/// Python can compare them with those of its own libraries.
namespace tamis {
namespace {

using Json = nlohmann::json;
using Numbers = std::vector<double>;
using Labels = std::vector<Index>;

Json to_json(const PairedTest& test) { return {test.statistic, test.p_value}; }

double freedom_of(const Json& value) { return value.is_null() ? HUGE_VAL : value.get<double>(); }

template <class Metric>
auto on_labels(Metric metric) {
  return [metric](const Json& a) -> Json { return metric(a[1].get<Labels>(), a[2].get<Labels>()); };
}

template <class Test>
auto on_pairs(Test test) {
  return [test](const Json& a) { return to_json(test(a[1].get<Numbers>(), a[2].get<Numbers>())); };
}

const std::map<std::string, std::function<Json(const Json&)>> kAnswers{
    {"accuracy", on_labels(accuracy)},
    {"balanced_accuracy", on_labels(balanced_accuracy)},
    {"rand_index", on_labels(rand_index)},
    {"adjusted_rand_index", on_labels(adjusted_rand_index)},
    {"normalized_mutual_information", on_labels(normalized_mutual_information)},
    {"paired_t_test",
     on_pairs([](const Numbers& a, const Numbers& b) { return paired_t_test(a, b); })},
    {"wilcoxon_signed_rank", on_pairs(wilcoxon_signed_rank)},
    {"friedman_test",
     [](const Json& a) -> Json {
       const FriedmanTest test = friedman_test(a[1].get<Numbers>(), a[2].get<Index>());
       return {test.average_ranks, test.chi_square, test.chi_square_p, test.f, test.f_p};
     }},
    {"nemenyi_p_value", [](const Json& a) -> Json { return nemenyi_p_value(a[1], a[2], a[3]); }},
    {"studentized_range_cdf",
     [](const Json& a) -> Json { return studentized_range_cdf(a[1], a[2], freedom_of(a[3])); }},
    {"studentized_range_quantile",
     [](const Json& a) -> Json {
       return studentized_range_quantile(a[1], a[2], freedom_of(a[3]));
     }},
    {"sign_test",
     [](const Json& a) -> Json {
       const SignTest test = sign_test({.wins = a[1], .ties = a[2], .losses = a[3]});
       return {test.wins, test.comparisons, test.p_better, test.p_value};
     }},
    {"holm_adjusted", [](const Json& a) -> Json { return holm_adjusted(a[1].get<Numbers>()); }},
};

}  // namespace
}  // namespace tamis

int main() {  // NOLINT(bugprone-exception-escape): it ends the probe, as it should
  tamis::Json answers = tamis::Json::array();
  for (const tamis::Json& question : tamis::Json::parse(std::cin))
    answers.push_back(tamis::kAnswers.at(question[0])(question));
  std::cout << answers << '\n';
}
