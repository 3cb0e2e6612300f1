#include "tamis/registry/methods.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tamis/core/error.hpp"
#include "tamis/methods/cls.hpp"
#include "tamis/methods/constraint_score.hpp"
#include "tamis/methods/fisher_score.hpp"
#include "tamis/methods/laplacian_score.hpp"
#include "tamis/methods/lsdf.hpp"
#include "tamis/methods/sc4.hpp"
#include "tamis/methods/sselect.hpp"
#include "tamis/methods/variance.hpp"

namespace tamis {
namespace {

template <class Options>
Method entry(Ranking (*rank)(const Problem&, const Options&)) {
  return {.info = Options::info,
          .options = describe_options<Options>(),
          .rank =
              [rank](const Problem& problem, const OptionTexts& texts) {
                return rank(problem, parse_options<Options>(Options::info.name, texts));
              },
          .resolve =
              [](const OptionTexts& texts) {
                return resolved_values(parse_options<Options>(Options::info.name, texts));
              }};
}

}  // namespace

std::span<const Method> methods() {
  static const std::vector<Method> all{
      entry<ClsOptions>(cls),
      entry<ConstraintScoreOptions>(constraint_score),
      entry<FisherScoreOptions>(fisher_score),
      entry<LaplacianScoreOptions>(laplacian_score),
      entry<LsdfOptions>(lsdf),
      entry<Sc4Options>(sc4),
      entry<SselectOptions>(sselect),
      entry<VarianceOptions>(variance),
  };
  return all;
}

const Method& find_method(const std::string& name) {
  const auto found =
      std::ranges::find(methods(), name, [](const Method& method) { return method.info.name; });
  if (found != methods().end()) return *found;
  std::vector<std::string> known;
  for (const Method& method : methods()) known.emplace_back(method.info.name);
  const std::string suggestion = did_you_mean(name, known);
  throw InvalidArgument(fmt::format(
      "there is no method '{}'{}", name,
      suggestion.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : suggestion));
}

}  // namespace tamis
