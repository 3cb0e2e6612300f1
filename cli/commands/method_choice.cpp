#include "cli/commands/method_choice.hpp"

#include <fmt/format.h>

#include "cli/commands/flags.hpp"
#include "cli/commands/load.hpp"
#include "core/option_texts.hpp"
#include "tamis/core/error.hpp"

namespace tamis::cli {
namespace {

WantedFeatures wanted_features(const Arguments& arguments) {
  const std::string text = arguments.text("top", "all");
  if (text == "all") return {};
  for (const auto& [word, judged] : option_words(Judged{}))
    if (text == word) return {.judged = judged};
  if (const auto percent = parse_percent(arguments.command->name, "--top", text))
    return {.percent = percent};
  return {.count = arguments.integer("top", 0, 1)};
}

/// What --bagging and the flags that belong to it say.
std::optional<BaggingOptions> bagging_of(const Arguments& arguments) {
  for (const char* const flag : {"subspace", "bagging-combine"})
    if (arguments.has(flag) && !arguments.has("bagging"))
      throw InvalidArgument(
          fmt::format("{}: --{} is about the members of an ensemble: give --bagging N too",
                      arguments.command->name, flag));
  if (!arguments.has("bagging")) return std::nullopt;
  BaggingOptions options{.n_members = arguments.integer("bagging", 0, 1)};
  if (arguments.has("subspace")) options.subspace_size = arguments.integer("subspace", 0, 1);
  if (const auto word = arguments.text("bagging-combine"))
    detail::parse_into(options.combine, arguments.command->name, "--bagging-combine", "", *word);
  return options;
}

std::optional<DiversifyOptions> diversify_of(const Arguments& arguments) {
  const std::string text = arguments.text("diversify", "false");
  if (text == "false") return std::nullopt;
  if (text == "true") return DiversifyOptions{};
  return DiversifyOptions{.n_candidates = arguments.integer("diversify", 0, 1)};
}

}  // namespace

RankingPlan choose_method(const Arguments& arguments, const WantedFeatures& without_top) {
  seed_of(arguments);
  const Method& method = chosen_method(arguments);
  return completed({.method = &method,
                    .options = method_options(method.info.name, arguments),
                    .settings = arguments.is_on("paper") ? Settings::paper : Settings::ours,
                    .wanted = arguments.has("top") ? wanted_features(arguments) : without_top,
                    .bagging = bagging_of(arguments),
                    .diversify = diversify_of(arguments),
                    .units_remedy = "--scale standard makes columns alike"});
}

}  // namespace tamis::cli
