#include "streaming/checkpoint_facts.hpp"

#include <fmt/format.h>

#include <bit>

#include "core/option_texts.hpp"

namespace tamis {
namespace {

/// Numbers in a few digits.
class Digest {
 public:
  void add(auto number) {
    state_ = (std::rotl(state_, 5) ^ std::bit_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15ULL;
  }
  std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 0;
};

std::string digest(const Knowledge& known) {
  Digest digest;
  for (const Index label : known.labels) digest.add(label);
  for (const double value : known.values) digest.add(value);
  const PairConstraints pairs = known.pairs.value_or(PairConstraints{});
  for (const auto* const list : {&pairs.must_link, &pairs.cannot_link}) {
    digest.add(std::ssize(*list));
    for (const auto& [first, second, weight] : *list) {
      digest.add(first);
      digest.add(second);
      digest.add(weight);
    }
  }
  return digest.text();
}

}  // namespace

std::string digest(std::span<const double> numbers) {
  Digest digest;
  for (const double number : numbers) digest.add(number);
  return digest.text();
}

Checkpoint::Facts checkpoint_facts(std::string version, const StreamedProblem& problem,
                                   std::string fingerprint, std::uint64_t seed,
                                   const NamedValues& choices) {
  Checkpoint::Facts facts{{"version of tamis", std::move(version)},
                          {"file", std::move(fingerprint)},
                          {"shape", fmt::format("{} x {}, {}", problem.rows, problem.cols,
                                                problem.is_single ? "single" : "double")},
                          {"set of labels and pairs", digest(problem.known)},
                          {"seed", std::to_string(seed)}};
  for (const auto& [name, value] : choices) facts.emplace_back(name, to_text(value));
  return facts;
}

Checkpoint::Facts::value_type fact_of_passes(const Conversation& conversation) {
  std::string kinds;
  for (const PassPlan& pass : conversation.passes())
    kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", pass.kind);
  return {"division into passes, which the memory decides", std::move(kinds)};
}

Checkpoint::Facts checkpoint_facts(std::string version, const RankingPlan& plan,
                                   const StreamedProblem& problem, std::string fingerprint,
                                   std::uint64_t seed) {
  NamedValues choices{{"method", std::string(plan.name())}};
  for (auto& choice : plan.resolved()) choices.push_back(std::move(choice));
  const auto add = [&](std::string_view what, NamedValues values) {
    for (auto& [name, value] : values)
      choices.emplace_back(fmt::format("{} of {}", name, what), std::move(value));
  };
  if (plan.bagging) add("bagging", resolved_values(*plan.bagging));
  if (plan.diversify) add("diversify", resolved_values(*plan.diversify));
  return checkpoint_facts(std::move(version), problem, std::move(fingerprint), seed, choices);
}

}  // namespace tamis
