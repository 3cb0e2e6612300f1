#include "core/peak_memory.hpp"
#include "io/atomic_file.hpp"
#include "python/bindings.hpp"
#include "report/html_report.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis::python {
namespace {

template <class T>
T get(const nb::dict& dict, const char* name) {
  return nb::cast<T>(nb::object(dict[name]));
}

template <class T>
void read(T& value, const nb::dict& dict, const char* name) {
  value = get<T>(dict, name);
}

Diagnostics diagnostics_of(const nb::dict& dict) {
  Diagnostics seen;
  read(seen.undefined, dict, "undefined");
  read(seen.converged, dict, "converged");
  read(seen.iterations, dict, "iterations");
  read(seen.edges, dict, "edges");
  read(seen.effective_edges, dict, "effective_edges");
  read(seen.dropped_constraints, dict, "dropped_constraints");
  for (const auto& [name, value] : get<nb::dict>(dict, "figures"))
    seen.figures.emplace_back(nb::cast<std::string>(name), nb::cast<double>(value));
  read(seen.warnings, dict, "warnings");
  return seen;
}

Stability stability_of(const nb::dict& dict) {
  Stability stability;
  read(stability.sets, dict, "sets");
  read(stability.set_size, dict, "set_size");
  read(stability.nogueira, dict, "nogueira");
  read(stability.nogueira_low, dict, "nogueira_low");
  read(stability.nogueira_high, dict, "nogueira_high");
  read(stability.kuncheva, dict, "kuncheva");
  return stability;
}

Committee committee_of(const nb::dict& dict) {
  Committee committee;
  read(committee.members, dict, "members");
  read(committee.draws, dict, "draws");
  read(committee.mean, dict, "mean");
  read(committee.standard_error, dict, "standard_error");
  read(committee.best_share, dict, "best_share");
  if (const auto stability = get<std::optional<nb::dict>>(dict, "stability"))
    committee.stability = stability_of(*stability);
  return committee;
}

Redundancy redundancy_of(const nb::dict& dict) {
  Redundancy redundancy;
  for (const auto& [first, second, correlation] :
       get<std::vector<std::tuple<Index, Index, double>>>(dict, "tree"))
    redundancy.tree.push_back({first, second, correlation});
  for (const nb::dict& removal : get<std::vector<nb::dict>>(dict, "removed"))
    redundancy.removed.push_back({get<Index>(removal, "feature"), get<Index>(removal, "because_of"),
                                  get<double>(removal, "correlation")});
  read(redundancy.rate, dict, "rate");
  read(redundancy.mean_abs_correlation, dict, "mean_abs_correlation");
  return redundancy;
}

GainCurve curve_of(const nb::dict& dict) {
  GainCurve curve;
  read(curve.n_features, dict, "n_features");
  read(curve.gains, dict, "gains");
  read(curve.shadow_gains, dict, "shadow_gains");
  return curve;
}

/// The ranking that `rank` gave away as plain values.
Ranking ranking_of(const nb::dict& dict) {
  Ranking ranking;
  read(ranking.scores, dict, "scores");
  read(ranking.order, dict, "order");
  read(ranking.subset, dict, "subset");
  const bool is_lower = get<std::string_view>(dict, "better") == name_of(Better::lower);
  ranking.better = is_lower ? Better::lower : Better::higher;
  if (const auto redundancy = get<std::optional<nb::dict>>(dict, "redundancy"))
    ranking.redundancy = redundancy_of(*redundancy);
  if (const auto committee = get<std::optional<nb::dict>>(dict, "committee"))
    ranking.committee = committee_of(*committee);
  if (const auto curve = get<std::optional<nb::dict>>(dict, "curve"))
    ranking.curve = curve_of(*curve);
  ranking.diagnostics = diagnostics_of(get<nb::dict>(dict, "diagnostics"));
  return ranking;
}

RankingFacts facts_of(const nb::dict& ranking, std::string command) {
  const auto data = get<nb::dict>(ranking, "data");
  RankingFacts facts{.version = TAMIS_VERSION,
                     .command = std::move(command),
                     .seed = get<std::uint64_t>(ranking, "seed"),
                     .method = get<std::string>(ranking, "method"),
                     .data = {.name = "Features",
                              .file = get<std::string>(data, "format"),
                              .hash = "",
                              .rows = get<Index>(data, "rows"),
                              .features = get<Index>(data, "features")},
                     .must_link = get<Index>(data, "must_link"),
                     .cannot_link = get<Index>(data, "cannot_link"),
                     .seconds = get<double>(ranking, "seconds"),
                     .peak_memory_bytes = peak_memory_bytes()};
  facts.title = find_method(facts.method).info.title;
  read(facts.feature_names, ranking, "names");
  for (const auto& [name, value] : get<nb::dict>(ranking, "options"))
    facts.options.emplace_back(nb::cast<std::string>(name), nb::cast<OptionValue>(value));
  if (const auto bagging = get<std::optional<nb::dict>>(ranking, "bagging"))
    for (const auto& [name, value] : *bagging)
      facts.options.emplace_back("bagging " + nb::cast<std::string>(name),
                                 nb::cast<OptionValue>(value));
  if (const auto diversify = get<std::optional<nb::dict>>(ranking, "diversify"))
    facts.options.emplace_back("diversify", get<Index>(*diversify, "n_candidates"));
  for (const auto& [name, rows] : get<nb::dict>(ranking, "class_counts"))
    facts.data.classes.emplace_back(nb::cast<std::string>(name), nb::cast<Index>(rows));
  return facts;
}

std::string ranking_page(const nb::dict& ranking, const std::string& command) {
  return html_report(facts_of(ranking, command), ranking_of(ranking));
}

void write_whole(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

void bind_report(nb::module_& module) {
  module.def("ranking_page", &ranking_page, "ranking"_a, "command"_a);
  module.def("write_whole", &write_whole, "path"_a, "text"_a);
}

}  // namespace tamis::python
