#include "cli/method_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/flags.hpp"
#include "cli/load.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/orthogonal_matching.hpp"

namespace tamis::cli {
namespace {

TopChoice top_of(const Arguments& arguments) {
  const std::string text = arguments.text("top", "all");
  if (text == "all") return {};
  if (text == "auto") return {.is_automatic = true};
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

std::optional<DiversifyOptions> diversify_of(const Arguments& arguments,
                                             const MethodChoice& choice) {
  const std::string text = arguments.text("diversify", "false");
  if (text == "false") return std::nullopt;
  if (choice.selects_subset())
    throw InvalidArgument(
        fmt::format("{}: --diversify is for methods that rank; {} removes what repeats a better "
                    "feature itself",
                    arguments.command->name, choice.method->info.name));
  DiversifyOptions options;
  if (text != "true") options.n_candidates = arguments.integer("diversify", 0, 1);
  if (choice.top.is_automatic) options.n_shadows = kManyShadows;
  return options;
}

std::optional<OptionValue> default_of(const Method& method, const std::string& option) {
  const auto found = std::ranges::find(method.options, option, &OptionInfo::name);
  if (found == method.options.end()) return std::nullopt;
  return found->default_value;
}

/// A method that chooses one feature after the other goes as far as --top asks, unless its own
/// options say how far.
void fit_to_top(MethodChoice& choice) {
  const auto greedy = default_of(*choice.method, "n_greedy");
  if (greedy && choice.top.count && *choice.top.count > std::get<Index>(*greedy))
    choice.texts.try_emplace("n_greedy", std::to_string(*choice.top.count));
  if (choice.top.is_automatic && choice.counts_features() && !choice.diversify)
    choice.texts.try_emplace("n_shadows", std::to_string(kManyShadows));
}

void check_automatic_top(const Arguments& arguments, const MethodChoice& choice) {
  if (!choice.top.is_automatic || choice.selects_subset()) return;
  if (!choice.counts_features())
    throw InvalidArgument(fmt::format(
        "{}: --top auto: {} does not say how many features are worth keeping{}: add --diversify, "
        "or give a number",
        arguments.command->name, choice.method->info.name,
        choice.bagging ? " under --bagging" : ""));
  if (!choice.diversify && choice.texts.at("n_shadows") == "0")
    throw InvalidArgument(
        fmt::format("{}: --top auto needs shadow columns to compare with: leave out --n-shadows 0",
                    arguments.command->name));
}

Json diversify_json(const std::optional<DiversifyOptions>& options) {
  if (!options) return nullptr;
  return {{"n_candidates", options->n_candidates}, {"n_shadows", options->n_shadows}};
}

}  // namespace

bool MethodChoice::counts_features() const {
  return diversify || (!bagging && default_of(*method, "n_shadows"));
}

Ranking MethodChoice::rank(const Problem& problem) const {
  const Ranker ranker = [this](const Problem& part) { return method->rank(part, texts); };
  Ranking ranking = bagging ? tamis::bagging(problem, *bagging, ranker) : ranker(problem);
  return diversify ? tamis::diversify(problem, std::move(ranking), *diversify) : ranking;
}

MethodChoice choose_method(const Arguments& arguments) {
  seed_of(arguments);
  MethodChoice choice{.method = &chosen_method(arguments), .top = top_of(arguments)};
  choice.texts = method_options(choice.method->info.name, arguments);
  choice.bagging = bagging_of(arguments);
  choice.diversify = diversify_of(arguments, choice);
  fit_to_top(choice);
  choice.resolved = choice.method->resolve(choice.texts);
  check_automatic_top(arguments, choice);
  return choice;
}

Json choice_json(const MethodChoice& choice) {
  return {
      {"method", choice.method->info.name},
      {"options", options_json(choice.resolved)},
      {"bagging", choice.bagging ? options_json(resolved_values(*choice.bagging)) : Json(nullptr)},
      {"diversify", diversify_json(choice.diversify)}};
}

}  // namespace tamis::cli
