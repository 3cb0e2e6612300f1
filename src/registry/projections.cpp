#include "tamis/registry/projections.hpp"

#include <algorithm>

#include "core/option_texts.hpp"
#include "registry/find_by_name.hpp"
#include "tamis/projections/cfld.hpp"
#include "tamis/projections/pca.hpp"
#include "tamis/projections/rca.hpp"
#include "tamis/projections/ssdr.hpp"

namespace tamis {
namespace {

template <class Options>
ProjectionMethod entry(Projection (*project)(const Problem&, const Options&, const Run&)) {
  return {.info = Options::info,
          .options = describe_options<Options>(),
          .project =
              [project](const Problem& problem, const OptionTexts& texts, const Run& run) {
                return project(problem, parse_options<Options>(Options::info.name, texts), run);
              },
          .resolve =
              [](const OptionTexts& texts) {
                return resolved_values(parse_options<Options>(Options::info.name, texts));
              }};
}

}  // namespace

std::span<const ProjectionMethod> projections() {
  static const std::vector<ProjectionMethod> all{entry(pca), entry(ssdr), entry(cfld), entry(rca)};
  return all;
}

const ProjectionMethod* projection_called(std::string_view name) {
  const auto found = std::ranges::find(
      projections(), name, [](const ProjectionMethod& method) { return method.info.name; });
  return found == projections().end() ? nullptr : &*found;
}

const ProjectionMethod& find_projection(const std::string& name) {
  return find_by_name(projections(), "projection", name);
}

}  // namespace tamis
