#include "tamis/registry/methods.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/option_texts.hpp"
#include "registry/find_by_name.hpp"
#include "registry/method_call.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/arom_svm.hpp"
#include "tamis/methods/bcs.hpp"
#include "tamis/methods/cls.hpp"
#include "tamis/methods/constraint_score.hpp"
#include "tamis/methods/csfs.hpp"
#include "tamis/methods/csfsr.hpp"
#include "tamis/methods/ens_cls.hpp"
#include "tamis/methods/fcbf.hpp"
#include "tamis/methods/fisher_score.hpp"
#include "tamis/methods/fs_manifold.hpp"
#include "tamis/methods/fw_semifs.hpp"
#include "tamis/methods/information_gain.hpp"
#include "tamis/methods/l2gfs.hpp"
#include "tamis/methods/laplacian_score.hpp"
#include "tamis/methods/lsdf.hpp"
#include "tamis/methods/mrmr.hpp"
#include "tamis/methods/relieff.hpp"
#include "tamis/methods/ridge_omp.hpp"
#include "tamis/methods/sbcs.hpp"
#include "tamis/methods/sc4.hpp"
#include "tamis/methods/spec.hpp"
#include "tamis/methods/spfs.hpp"
#include "tamis/methods/sselect.hpp"
#include "tamis/methods/ssfi.hpp"
#include "tamis/methods/variance.hpp"
#include "tamis/methods/wckm.hpp"
#include "tamis/registry/projections.hpp"

namespace tamis {
namespace {

template <class Options>
Method entry(Ranking (*rank)(const Problem&, const Options&, const Run&)) {
  return {.info = Options::info,
          .options = describe_options<Options>(),
          .rank =
              [rank](const Problem& problem, const OptionTexts& texts, const Run& run) {
                return rank(problem, parse_options<Options>(Options::info.name, texts), run);
              },
          .resolve =
              [](const OptionTexts& texts) {
                return resolved_values(parse_options<Options>(Options::info.name, texts));
              }};
}

/// The only method that takes another by its name.
Method csfsr_entry() {
  const auto parse = [](const OptionTexts& texts) {
    return parse_options<CsfsrOptions>(CsfsrOptions::info.name, texts);
  };
  return {
      .info = CsfsrOptions::info,
      .options = describe_options<CsfsrOptions>(),
      .rank =
          [parse](const Problem& problem, const OptionTexts& texts, const Run& run) {
            const CsfsrOptions options = parse(texts);
            const RankingPlan base = parse_base(CsfsrOptions::info, options.base);
            return csfsr(
                problem, options,
                [&](const Problem& same, const Run& of_base) { return base.rank(same, of_base); },
                run);
          },
      .resolve =
          [parse](const OptionTexts& texts) {
            const CsfsrOptions options = parse(texts);
            parse_base(CsfsrOptions::info, options.base);
            return resolved_values(options);
          }};
}

}  // namespace

std::span<const Method> methods() {
  static const std::vector<Method> all{
      entry<AromSvmOptions>(arom_svm),
      entry<BcsOptions>(bcs),
      entry<ClsOptions>(cls),
      entry<ConstraintScoreOptions>(constraint_score),
      entry<CsfsOptions>(csfs),
      csfsr_entry(),
      entry<EnsClsOptions>(ens_cls),
      entry<FcbfOptions>(fcbf),
      entry<FisherScoreOptions>(fisher_score),
      entry<FsManifoldOptions>(fs_manifold),
      entry<FwSemifsOptions>(fw_semifs),
      entry<InformationGainOptions>(information_gain),
      entry<L2gfsOptions>(l2gfs),
      entry<LaplacianScoreOptions>(laplacian_score),
      entry<LsdfOptions>(lsdf),
      entry<MrmrOptions>(mrmr),
      entry<RelieffOptions>(relieff),
      entry<RidgeOmpOptions>(ridge_omp),
      entry<SbcsOptions>(sbcs),
      entry<Sc4Options>(sc4),
      entry<SpecOptions>(spec),
      entry<SpfsOptions>(spfs),
      entry<SselectOptions>(sselect),
      entry<SsfiOptions>(ssfi),
      entry<VarianceOptions>(variance),
      entry<WckmOptions>(wckm),
  };
  return all;
}

const Method& find_method(const std::string& name) {
  if (projection_called(name) != nullptr)
    throw InvalidArgument(fmt::format(
        "{} is a projection: it makes new features of all columns, and ranks none", name));
  return find_by_name(methods(), "method",
                      name == kAutomatic ? std::string(kAutomaticMethod) : name);
}

std::string methods_for_values() {
  std::vector<std::string_view> names;
  for (const Method& method : methods())
    if (method.info.takes_values) names.push_back(method.info.name);
  return fmt::format("{}", fmt::join(names, " and "));
}

}  // namespace tamis
