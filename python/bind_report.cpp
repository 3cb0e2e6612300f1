#include <fmt/format.h>

#include "io/atomic_file.hpp"
#include "python/kept_ranking.hpp"
#include "python/plain_values.hpp"
#include "report/html_report.hpp"
#include "results/json_fields.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis::python {
namespace {

/// What `tamis rank --json` prints, with other columns as those that are selected.
std::string json_of_program(KeptRanking kept, std::optional<std::vector<Index>> selected) {
  kept.selected = std::move(selected);
  return json_line(static_cast<const RankingResult&>(kept));
}

std::string ranking_page(const KeptRanking& kept, std::string command) {
  const ProblemFacts& data = kept.task.data;
  RankingFacts facts =
      ranking_facts(kept, std::move(command), find_method(kept.task.method).info.title,
                    {.name = "Features",
                     .file = data.format,
                     .hash = kept.hash,
                     .rows = data.rows,
                     .features = data.features,
                     .classes = kept.class_counts});
  facts.plane = kept.plane;
  return html_report(facts, kept.ranking);
}

/// One at a time: most members are never asked for.
nb::object member(const KeptRanking& kept, const std::string& name) {
  nb::object found;
  tamis::detail::for_each_field<KeptRanking>([&](const auto& field) {
    if (field.name == name) found = plain(field.access(kept), field.form);
  });
  if (!found.is_valid())
    throw nb::attribute_error(fmt::format("a Ranking has no attribute '{}'", name).c_str());
  return found;
}

void write_whole(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

void bind_report(nb::module_& module) {
  nb::class_<KeptRanking>(module, "Ranking")
      .def("member", &member, "name"_a)
      .def("to_json", &json_of_program, "selected"_a.none())
      .def("page", &ranking_page, "command"_a)
      .def("__getstate__", [](const KeptRanking& kept) { return json_line(json_of(kept)); })
      .def("__setstate__", [](KeptRanking& kept, const std::string& text) {
        new (&kept) KeptRanking(read_json<KeptRanking>(Json::parse(text)));
      });
  module.def("write_whole", &write_whole, "path"_a, "text"_a);
}

}  // namespace tamis::python
