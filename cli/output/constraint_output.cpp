#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/constraint_report.hpp"
#include "cli/console/screen_table.hpp"
#include "cli/output/loaded_facts.hpp"
#include "cli/output/output.hpp"
#include "core/peak_memory.hpp"
#include "results/json_fields.hpp"

namespace tamis::cli {
namespace {

constexpr std::size_t kShownOnATerminal = 20;

Json pairs_json(const std::vector<RowPair>& pairs) {
  Json array = Json::array();
  for (const RowPair& pair : pairs) array.push_back(Json::array({pair.first, pair.second}));
  return array;
}

bool has_weights(std::span<const RowPair> pairs) {
  return std::ranges::any_of(pairs, [](const RowPair& pair) { return pair.weight != 1.0; });
}

Json weights_json(const LinkReport& links) {
  if (!has_weights(links.pairs)) return nullptr;
  Json array = Json::array();
  for (const RowPair& pair : links.pairs) array.push_back(pair.weight);
  return array;
}

Json links_json(const LinkReport& links, bool has_coherence) {
  return {{"from_labels", links.from_labels},
          {"from_pairs", links.from_pairs},
          {"implied", links.implied},
          {"deduced", links.deduced},
          {"pairs", pairs_json(links.pairs)},
          {"weights", weights_json(links)},
          {"coherence", has_coherence ? json_of(links.coherence) : Json(nullptr)},
          {"dropped", pairs_json(links.dropped)}};
}

Json deduction_json(const std::optional<DeductionReport>& found) {
  if (!found) return nullptr;
  return {{"correct", json_of(found->correct)},
          {"coverage", json_of(found->coverage)},
          {"given", json_of(found->given)}};
}

Json informativeness_json(const std::optional<InformativenessReport>& found) {
  if (!found) return nullptr;
  return {{"value", found->value},
          {"clusters", found->clusters},
          {"broken_must_link", found->broken.must_link},
          {"broken_cannot_link", found->broken.cannot_link}};
}

/// Calls line(kind, pair, its number among its kind, links) for every constraint.
template <class Line>
void for_each_constraint(const ConstraintReport& report, Line&& line) {
  for (const auto& [kind, links] :
       {std::pair{"must", &report.must_link}, std::pair{"cannot", &report.cannot_link}})
    for (std::size_t k = 0; k < links->pairs.size(); ++k) line(kind, links->pairs[k], k, *links);
}

}  // namespace

std::string constraints_json(const Arguments& arguments, const LoadedProblem& data,
                             const ConstraintQuestions& questions, const ConstraintReport& report,
                             double seconds) {
  const bool has_coherence = report.coherence.has_value();
  const Problem& problem = data.problem;
  return json_line(Json{
      {"schema", "tamis/constraints/1"},
      {"version", TAMIS_VERSION},
      {"seed", questions.seed},
      {"data", json_of(loaded_facts(arguments, data))},
      {"ids", problem.known.sample_ids.empty() ? Json(nullptr) : Json(problem.known.sample_ids)},
      {"closed", questions.closes},
      {"selected", questions.selects},
      {"deduction", deduction_json(report.deduction)},
      {"must_link", links_json(report.must_link, has_coherence)},
      {"cannot_link", links_json(report.cannot_link, has_coherence)},
      {"coherence", json_of(report.coherence)},
      {"coherence_standard_error", json_of(report.coherence_standard_error)},
      {"informativeness", informativeness_json(report.informativeness)},
      {"seconds", seconds},
      {"peak_memory_bytes", peak_memory_bytes()}});
}

std::string pair_file(std::span<const std::string> names, std::span<const RowPair> must_link,
                      std::span<const RowPair> cannot_link) {
  std::vector<std::string> cells;
  for (const std::string& name : names) cells.push_back(csv_cell(name));
  const bool is_weighted = has_weights(must_link) || has_weights(cannot_link);
  std::string text = is_weighted ? "a,b,kind,weight\n" : "a,b,kind\n";
  for (const auto& [kind, pairs] : {std::pair{"must", must_link}, std::pair{"cannot", cannot_link}})
    for (const RowPair& pair : pairs) {
      text.append(cells[pair.first]).append(",").append(cells[pair.second]).append(",");
      text.append(kind);
      if (is_weighted) text.append(fmt::format(",{}", pair.weight));
      text.append("\n");
    }
  return text;
}

std::string pair_file(const Problem& problem, const ConstraintReport& report) {
  std::vector<std::string> names;
  for (Index row = 0; row < problem.rows(); ++row)
    names.push_back(name_in_file(problem.known, row));
  return pair_file(names, report.must_link.pairs, report.cannot_link.pairs);
}

std::string coherence_text(const Problem& problem, const ConstraintReport& report) {
  std::string text = "kind\ta\tb\tcoherence\n";
  for_each_constraint(report, [&](std::string_view kind, const RowPair& pair, std::size_t k,
                                  const LinkReport& links) {
    text +=
        fmt::format("{}\t{}\t{}\t{}\n", kind, printable(name_in_file(problem.known, pair.first)),
                    printable(name_in_file(problem.known, pair.second)), links.coherence[k]);
  });
  return text;
}

std::string constraints_table(const Problem& problem, const ConstraintReport& report,
                              const Screen& screen) {
  TableColumn kinds{.head = "kind", .is_text = true, .style = [](const std::string& kind) {
                      return std::string_view(kind == "must" ? "32" : "31");
                    }};
  TableColumn first{.head = "a", .is_text = true};
  TableColumn second{.head = "b", .is_text = true};
  TableColumn coherence{.head = "coherence"};
  std::size_t all = 0;
  for_each_constraint(report, [&](std::string_view kind, const RowPair& pair, std::size_t k,
                                  const LinkReport& links) {
    if (++all > kShownOnATerminal) return;
    kinds.cells.emplace_back(kind);
    first.cells.push_back(printable(name_in_file(problem.known, pair.first)));
    second.cells.push_back(printable(name_in_file(problem.known, pair.second)));
    if (!links.coherence.empty())
      coherence.cells.push_back(fmt::format("{:.4f}", links.coherence[k]));
  });
  const std::size_t shown = kinds.cells.size();
  std::vector<TableColumn> columns{std::move(kinds), std::move(first), std::move(second)};
  if (report.coherence) columns.push_back(std::move(coherence));
  const ScreenTable table(std::move(columns), screen);
  std::string text =
      fmt::format("\n{}\n", styled(screen, "1", without_trailing_spaces(table.heading())));
  for (std::size_t line = 0; line < shown; ++line)
    text += without_trailing_spaces(table.line(line)) + '\n';
  if (shown < all)
    text +=
        styled(screen, "2", fmt::format("…  {} more; -o FILE writes them all", all - shown)) + '\n';
  return text;
}

}  // namespace tamis::cli
