#include "tamis/registry/methods.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "cli/commands/flags.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/console/terminal.hpp"
#include "cli/output/output.hpp"
#include "registry/option_table.hpp"
#include "results/json_fields.hpp"
#include "tamis/core/error.hpp"
#include "tamis/registry/clusterings.hpp"
#include "tamis/registry/projections.hpp"

namespace tamis::cli {
namespace {

Json limit_json(double limit) { return std::isfinite(limit) ? Json(limit) : Json(nullptr); }

Json options_json(const std::vector<OptionInfo>& options) {
  Json list = Json::array();
  for (const OptionInfo& option : options) {
    Json object = {{"name", option.name},
                   {"flag", "--" + flag_of(option).name},
                   {"values", describe_values(option)},
                   {"words", option.words},
                   {"low", limit_json(option.range.low)},
                   {"high", limit_json(option.range.high)},
                   {"help", option.help}};
    std::visit([&](const auto& value) { object["default"] = value; }, option.default_value);
    list.push_back(std::move(object));
  }
  return list;
}

bool is_default(const Method& method) { return method.info.name == kAutomaticMethod; }

Json method_json(const Method& method) {
  return {{"name", method.info.name},
          {"title", method.info.title},
          {"kind", name_of(method.info.supervision)},
          {"needs", needs_of(method.info)},
          {"needs_classes", method.info.needs == Needs::classes},
          {"needs_knowledge", method.info.needs != Needs::nothing},
          {"selects_subset", method.info.selects_subset},
          {"measures_distances", method.info.measures_distances},
          {"counts_features", method.info.counts_features},
          {"takes_values", method.info.takes_values},
          {"draws", method.info.draws},
          {"streams", word_of(method.info.streams)},
          {"streams_if", method.info.streams_if},
          {"base_option", method.info.base_option},
          {"default", is_default(method)},
          {"reference", method.info.reference},
          {"paper", json_of(values_of(method, method.info.paper), Form::object)},
          {"options", options_json(method.options)}};
}

Json clustering_json(const ClusteringMethod& clustering) {
  return {{"name", clustering.info.name},
          {"title", clustering.info.title},
          {"learns", name_of(clustering.info.learns)},
          {"counts_clusters", clustering.info.counts_clusters},
          {"takes_start", clustering.info.takes_start},
          {"draws", clustering.info.draws},
          {"hard_pairs_only", clustering.info.hard_pairs_only},
          {"streams", clustering.info.streams},
          {"reference", clustering.info.reference},
          {"options", options_json(clustering.options)}};
}

Json projection_json(const ProjectionMethod& projection) {
  return {{"name", projection.info.name},
          {"title", projection.info.title},
          {"kind", name_of(projection.info.supervision)},
          {"needs_must_links", projection.info.needs_must_links},
          {"reference", projection.info.reference},
          {"options", options_json(projection.options)}};
}

Json methods_object(std::span<const Method> listed) {
  Json all = Json::array();
  for (const Method& method : listed) all.push_back(method_json(method));
  return {{"schema", "tamis/methods/1"}, {"version", TAMIS_VERSION}, {"methods", all}};
}

/// All methods, the clusterings of tamis cluster and the projections of tamis project.
std::string full_json() {
  Json object = methods_object(methods());
  object["clusterings"] = Json::array();
  for (const ClusteringMethod& clustering : clusterings())
    object["clusterings"].push_back(clustering_json(clustering));
  object["projections"] = Json::array();
  for (const ProjectionMethod& projection : projections())
    object["projections"].push_back(projection_json(projection));
  return object.dump() + "\n";
}

/// How a method scales to tables larger than memory.
std::string scale_text(const MethodInfo& method) {
  const std::string condition =
      method.streams_if.empty() ? "" : fmt::format(", if {}", method.streams_if);
  switch (method.streams) {
    case Streams::no:
      return "the table must fit into memory; --sample-rows N takes some of a larger one";
    case Streams::condensed:
      return fmt::format("tables larger than memory, from a map of their rows{}", condition);
    case Streams::known_rows:
      return fmt::format("tables larger than memory, read once: it looks at known rows only{}",
                         condition);
    case Streams::passes:
      if (const std::string_view base = method.base_option; !base.empty())
        return fmt::format("tables larger than memory, read once more than by its {}, if that does",
                           base);
      return fmt::format(
          "tables larger than memory, read a few times{}",
          method.streams_if.empty() ? "" : fmt::format(", with {}", method.streams_if));
  }
  return "";
}

std::string list_text(const Screen& screen) {
  std::size_t name_width = 0;
  std::size_t kind_width = 0;
  for (const Method& method : methods()) {
    name_width = std::max(name_width, method.info.name.size());
    kind_width = std::max(kind_width, name_of(method.info.supervision).size());
  }
  std::string text;
  for (const Method& method : methods())
    text += fmt::format(
        "{}  {}  {}\n", styled(screen, "1;36", fitted(method.info.name, name_width)),
        styled(screen, "2", fitted(name_of(method.info.supervision), kind_width)),
        wrapped(fmt::format("{}{}", method.info.title, is_default(method) ? " (the default)" : ""),
                name_width + kind_width + 4, prose_width(screen)));
  return text;
}

/// "bandwidth = 0.1, condense = som"
std::string paper_words(const Method& method) {
  std::vector<std::string> words;
  for (const auto& [option, value] : method.info.paper)
    words.push_back(
        fmt::format("{} = {}{}", option, value,
                    option == method.info.vote_option ? " (where classes are predicted)" : ""));
  return words.empty() ? "sets nothing" : fmt::format("sets {}", fmt::join(words, ", "));
}

std::string method_text(const Method& method, const Screen& screen) {
  const auto line = [&](std::string_view name, std::string_view value) {
    return fmt::format("{} {}\n", styled(screen, "36", fmt::format("{:<10}", name)),
                       wrapped(value, 11, prose_width(screen)));
  };
  std::string text =
      wrapped(fmt::format("{}: {}", styled(screen, "1", method.info.name), method.info.title), 2,
              prose_width(screen));
  text += '\n';
  if (is_default(method)) text += line("default", "yes: what is meant where no method is named");
  text += line("kind", name_of(method.info.supervision));
  text += line("needs", needs_of(method.info));
  if (method.info.takes_values)
    text += line("target", "numbers to predict, too: --target COLUMN, or --regression");
  if (method.info.selects_subset) text += line("result", "a ranking, and a subset of it to keep");
  text += line("chance", method.info.draws ? "decides something: see --seed"
                                           : "decides nothing, but for --bagging and --diversify");
  text += line("scale", scale_text(method.info));
  text += line("reference", method.info.reference);
  text += line("--paper", paper_words(method));
  text += method.options.empty() ? line("options", "none")
                                 : fmt::format("{}\n", styled(screen, "36", "options"));
  for (const OptionInfo& option : method.options)
    text +=
        fmt::format("  {}\n      {}\n      {}\n", styled(screen, "1", "--" + flag_of(option).name),
                    wrapped(option.help, 6, prose_width(screen)),
                    wrapped(fmt::format("{}; default {}", describe_values(option),
                                        styled(screen, "1", to_text(option.default_value))),
                            6, prose_width(screen)));
  return text;
}

void show_methods(const Arguments& arguments) {
  const Screen screen = screen_of(STDOUT_FILENO, arguments);
  if (arguments.operands.empty()) {
    if (arguments.is_on("markdown"))
      throw InvalidArgument("methods: --markdown needs NAME: it prints the options of one method");
    write_stdout(arguments.is_on("json") ? full_json() : list_text(screen));
    Voice(arguments).say("tamis methods NAME says more about one of them");
    return;
  }
  const Method& method = find_method(arguments.operands.front());
  write_stdout(arguments.is_on("json")       ? methods_object({&method, 1}).dump() + "\n"
               : arguments.is_on("markdown") ? option_table(method)
                                             : method_text(method, screen));
}

}  // namespace

Command methods_command() {
  const std::string group = "The result";
  return {
      .name = "methods",
      .summary = "which methods there are, what one needs and takes",
      .description =
          "Lists the methods, or says of one what kind it is, what it needs, where it was "
          "published, and which options it takes.",
      .operands = {{.name = "NAME", .is_optional = true}},
      .flags = joined(
          {{{.name = "json",
             .help = "one JSON object; without NAME also the clusterings of tamis cluster and the "
                     "projections of tamis project",
             .group = group},
            format_flag(group, {"json"}),
            {.name = "markdown",
             .help = "the options of NAME as a Markdown table",
             .group = group}},
           general_flags()}),
      .examples = {{"tamis methods", "the list"}, {"tamis methods cls", "one of them in full"}},
      .run = show_methods};
}

}  // namespace tamis::cli
