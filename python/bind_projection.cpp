#include "python/plain_values.hpp"
#include "tamis/registry/projections.hpp"

namespace tamis::python {
namespace {

using python::dict_of;

nb::dict dict_of(const ProjectionMethod& method) {
  nb::list options;
  for (const OptionInfo& option : method.options) options.append(dict_of(option));
  nb::dict dict;
  dict["name"] = method.info.name;
  dict["title"] = method.info.title;
  dict["kind"] = name_of(method.info.supervision);
  dict["needs_must_links"] = method.info.needs_must_links;
  dict["reference"] = method.info.reference;
  dict["options"] = options;
  return dict;
}

nb::list list_projections() {
  nb::list list;
  for (const ProjectionMethod& method : projections()) list.append(dict_of(method));
  return list;
}

nb::object project(const std::string& name, const OptionTexts& options, const Table& table,
                   const Given& known, int threads) {
  const ProjectionMethod& method = find_projection(name);
  const Problem problem = problem_of(table, known);
  const Run run = interruptible_run(0);
  return plain(computed(threads, [&] {
    check_problem(problem);
    return method.project(problem, options, run);
  }));
}

nb::object project_rows(const Table& table, const Column<double>& mean,
                        const Dense<double>& components, int threads) {
  const std::vector<double> center(mean.data(), mean.data() + mean.size());
  const DenseTable<double> directions{
      .rows = static_cast<Index>(components.shape(0)),
      .cols = static_cast<Index>(components.shape(1)),
      .values = {components.data(), components.data() + components.size()}};
  return plain(computed(threads, [&] { return projected_rows(table.view(), center, directions); }));
}

}  // namespace

void bind_projection(nb::module_& module) {
  module.def("projections", &list_projections);
  module.def("project", &project, "method"_a, "options"_a, "table"_a, "known"_a, "threads"_a);
  module.def("project_rows", &project_rows, "table"_a, "mean"_a.noconvert(),
             "components"_a.noconvert(), "threads"_a);
}

}  // namespace tamis::python
