#include "registry/method_call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/option_texts.hpp"
#include "tamis/core/error.hpp"
#include "tamis/registry/methods.hpp"
#include "tamis/registry/projections.hpp"

namespace tamis {
namespace {

void add_option(const std::string& text, const std::string& call, OptionTexts& options) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InvalidArgument(fmt::format("'{}' in '{}' is not option=value", text, call));
  std::string name = text.substr(0, equals);
  std::ranges::replace(name, '-', '_');  // as the program writes flags
  if (!options.emplace(name, text.substr(equals + 1)).second)
    throw InvalidArgument(fmt::format("'{}' gives {} twice", call, name));
}

/// The number that an option of the plan, not of the method, has.
std::optional<Index> taken(OptionTexts& options, const std::string& name, const std::string& call) {
  const auto node = options.extract(name);
  if (node.empty()) return std::nullopt;
  const Index number = detail::parse_integer(call, name, node.mapped());
  detail::check_range(call, name, static_cast<double>(number), at_least(1));
  return number;
}

/// Where options come from that the call does not give.
Settings taken_settings(OptionTexts& options, const std::string& call) {
  Settings settings = Settings::ours;
  if (const auto node = options.extract("settings"); !node.empty())
    detail::parse_into(settings, call, "settings", "", node.mapped());
  return settings;
}

std::string name_in(const std::string& call) { return call.substr(0, call.find(':')); }

OptionTexts options_in(const std::string& call) {
  OptionTexts options;
  for (std::size_t end = call.find(':'); end != std::string::npos;) {
    const std::size_t begin = end + 1;
    end = call.find(',', begin);
    add_option(call.substr(begin, end == std::string::npos ? end : end - begin), call, options);
  }
  return options;
}

bool is_option(const std::string& piece) {
  const std::size_t equals = piece.find('=');
  return equals != std::string::npos && piece.find(':') > equals;
}

}  // namespace

RankingPlan parse_method_call(const std::string& text, bool lets_vote) {
  RankingPlan plan{.method = &find_method(name_in(text)), .options = options_in(text)};
  plan.settings = taken_settings(plan.options, text);
  plan.lets_vote = lets_vote;
  if (const auto members = taken(plan.options, "bagging", text))
    plan.bagging = BaggingOptions{.n_members = *members};
  if (const auto candidates = taken(plan.options, "diversify", text))
    plan.diversify = DiversifyOptions{.n_candidates = *candidates};
  return completed(std::move(plan));
}

std::optional<std::string> base_call(const RankingPlan& plan) {
  for (const auto& [name, value] : plan.resolved())
    if (name == plan.method->info.base_option) return to_text(value);
  return std::nullopt;
}

std::optional<RankingPlan> base_of(const RankingPlan& plan) {
  const auto call = base_call(plan);
  if (!call) return std::nullopt;
  return parse_base(plan.method->info, *call);
}

RankingPlan parse_base(const MethodInfo& method, const std::string& text) {
  try {
    RankingPlan base = parse_method_call(text);
    if (base.selects_subset())
      throw InvalidArgument(
          fmt::format("{} chooses a subset itself; name a method that ranks all features", text));
    return base;
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}: {}: {}", method.name, method.base_option, error.what()));
  }
}

namespace {

std::string with_option(const std::string& call, const OptionSetting& setting) {
  return fmt::format("{}{}{}={}", call, call.find(':') == std::string::npos ? ':' : ',',
                     setting.option, setting.value);
}

/// A method where classes are predicted.
RankingPlan judged_method(const std::string& call) {
  return parse_method_call(call, /*lets_vote=*/true);
}

}  // namespace

Ranker ranker_of(const std::string& call) {
  return [plan = judged_method(call)](const Problem& problem, const Run& run) {
    return plan.rank(problem, run);
  };
}

Projector projector_of(const std::string& call) {
  const ProjectionMethod* const method = projection_called(name_in(call));
  if (method == nullptr) return {};
  OptionTexts options = options_in(call);
  method->resolve(options);
  return [method, options](const Problem& problem, Index n_components, const Run& run) {
    OptionTexts texts = options;
    texts.emplace("n_components", std::to_string(n_components));
    return method->project(problem, texts, run);
  };
}

NamedValues options_of(const std::string& call) {
  const ProjectionMethod* const projection = projection_called(name_in(call));
  return projection == nullptr ? judged_method(call).resolved()
                               : projection->resolve(options_in(call));
}

bool needs_classes(const std::string& call) {
  return projection_called(name_in(call)) == nullptr &&
         judged_method(call).method->info.needs == Needs::classes;
}

std::string first_ranking_of(const std::string& call) {
  if (projection_called(name_in(call)) != nullptr) return "";
  const RankingPlan plan = judged_method(call);
  const auto base = plan.bagging ? std::nullopt : base_of(plan);  // its members have one each
  return base ? base->first_ranking() : plan.first_ranking();
}

std::string with_options(const std::string& call, std::span<const OptionSetting> settings) {
  if (projection_called(name_in(call)) != nullptr) return call;
  const RankingPlan plan = judged_method(call);
  std::string more = call;
  for (const OptionSetting& setting : settings) {
    const auto known =
        std::ranges::find(plan.method->options, std::string(setting.option), &OptionInfo::name);
    if (known != plan.method->options.end() && !plan.options.contains(known->name))
      more = with_option(more, setting);
  }
  return more;
}

std::string following_paper(const std::string& call) {
  if (projection_called(name_in(call)) != nullptr || options_in(call).contains("settings") ||
      judged_method(call).paper().empty())
    return call;
  return with_option(call, {"settings", word_of(Settings::paper)});
}

std::vector<std::string> method_calls(const std::vector<std::string>& pieces) {
  std::vector<std::string> calls;
  for (const std::string& piece : pieces)
    if (is_option(piece) && !calls.empty())
      calls.back() += "," + piece;
    else
      calls.push_back(piece);
  return calls;
}

}  // namespace tamis
