#include "streaming/checkpoint_facts.hpp"

#include <fmt/format.h>

#include <bit>

#include "core/option_texts.hpp"

namespace tamis {
namespace {

/// What is known, in a few digits.
std::string digest(const Knowledge& known) {
  std::uint64_t state = 0;
  const auto add = [&](auto number) {
    state = (std::rotl(state, 5) ^ std::bit_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15ULL;
  };
  for (const Index label : known.labels) add(label);
  for (const double value : known.values) add(value);
  const PairConstraints pairs = known.pairs.value_or(PairConstraints{});
  for (const auto* const list : {&pairs.must_link, &pairs.cannot_link}) {
    add(std::ssize(*list));
    for (const auto& [first, second, weight] : *list) {
      add(first);
      add(second);
      add(weight);
    }
  }
  return fmt::format("{:016x}", state);
}

}  // namespace

Checkpoint::Facts checkpoint_facts(std::string version, const RankingPlan& plan,
                                   const StreamedProblem& problem, std::string fingerprint,
                                   std::uint64_t seed) {
  Checkpoint::Facts facts{{"version of tamis", std::move(version)},
                          {"file", std::move(fingerprint)},
                          {"shape", fmt::format("{} x {}, {}", problem.rows, problem.cols,
                                                problem.is_single ? "single" : "double")},
                          {"set of labels and pairs", digest(problem.known)},
                          {"seed", std::to_string(seed)},
                          {"method", std::string(plan.name())}};
  for (const auto& [name, value] : plan.resolved()) facts.emplace_back(name, to_text(value));
  if (plan.bagging)
    for (const auto& [name, value] : resolved_values(*plan.bagging))
      facts.emplace_back("bagging: " + name, to_text(value));
  return facts;
}

}  // namespace tamis
