#include "tamis/methods/ssfi.hpp"

#include "core/ties.hpp"
#include "ensembles/bagging.hpp"
#include "methods/preconditions.hpp"
#include "methods/ssfi/given_draws.hpp"
#include "tamis/methods/ens_cls.hpp"

namespace tamis {
namespace {

/// From the members' own streams of random numbers: features, rows, then the permutation.
TreeDraws draws_from(const Resampling& resampling, Index n_members, Index n_rows) {
  return {.n_members = n_members,
          .member =
              [&resampling](Index member) {
                Draw draw = resampling.draw(member);
                return TreeDraws::Member{std::move(draw.features), std::move(draw.rows)};
              },
          .permutation =
              [&resampling, n_rows](Index member) {
                return RandomStream(resampling.draw(member).seed).sample(n_rows, n_rows);
              }};
}

void record(const Trace& trace, const TreeDraws& draws) {
  if (!trace.is_wanted()) return;
  for (Index member = 0; member < draws.n_members; ++member) {
    const TreeDraws::Member drawn = draws.member(member);
    trace.record(TraceEvent{"member"}
                     .with("index", member)
                     .with("features", drawn.features)
                     .with("rows", drawn.rows)
                     .with("permutation", draws.permutation(member)));
  }
}

}  // namespace

Ranking ssfi_with_draws(const Problem& problem, const SsfiOptions& options, const TreeDraws& draws,
                        const Run& run, Diagnostics diagnostics) {
  const std::vector<bool> varies = rankable_columns(options.info, problem);
  record(run.trace, draws);
  const bool has_unlabeled = !unlabeled_rows(problem).empty();
  const Index rounds = has_unlabeled ? options.rounds : 0;
  Progress::Stage stage(run.progress, "co-training", (rounds + 1) * draws.n_members);
  TreeCommittee committee(problem, draws, stage);
  // A round in which nobody received anything would only be repeated.
  for (Index round = 0; round < rounds; ++round)
    if (!committee.co_train(options.sample, stage)) break;
  committee.close();
  Ensemble ensemble(problem.cols(), Combine::mean);
  add_members(
      0, draws.n_members, [&](Index member) { return committee.importance(member, varies); },
      run.progress, ensemble);
  std::vector<double> scores = ensemble.combined();
  level_ties(scores, Better::higher);
  return ensemble.ranking(std::move(scores), std::move(diagnostics),
                          "ssfi: no member has rows left to judge its features by; give more rows",
                          run);
}

Ranking ssfi(const Problem& problem, const SsfiOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  const Index n_members = options.n_members.value_or(committee_size(problem.cols()));
  const Resampling resampling(
      problem, options.subspace_size.value_or(default_subspace_size(problem.cols())), run.seed);
  Diagnostics diagnostics;
  warn_of_few_draws(resampling, problem.cols(), n_members, run, diagnostics);
  return ssfi_with_draws(problem, options, draws_from(resampling, n_members, problem.rows()), run,
                         std::move(diagnostics));
}

}  // namespace tamis
