#include "methods/relevance/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/relevance/backed_steps.hpp"
#include "methods/relevance/false_discovery.hpp"
#include "methods/relevance/label_permutations.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kGrain = 256;
/// Labels above this say no more than chance.
constexpr double kRandomLabels = 0.05;

/// ln p by the law alone.
std::vector<double> log_p_by_law(const RankedTable& z, const CrossedTargets& crossed,
                                 const std::vector<SphereLaw>& laws) {
  std::vector<double> log_p(z.cols(), kUndefined);
  const auto folds = crossed.columns_by_fold();
  for (std::size_t v = 0; v < folds.size(); ++v) {
    const RowVectors& target = crossed.targets[v];
    const Index width = target.width;
    Buffer<double> products(std::ssize(folds[v]) * width);
    z.dot(folds[v], target.values.data(), width, products.data());
    parallel_for(std::ssize(folds[v]), kGrain, [&](Index begin, Index end) {
      for (Index s = begin; s < end; ++s) {
        double share = 0.0;
        for (Index c = 0; c < width; ++c)
          share += products[s * width + c] * products[s * width + c];
        const double length = crossed.lengths[folds[v][s]];
        log_p[folds[v][s]] = length == 0.0 ? 0.0 : laws[v].log_tail(share / (length * length));
      }
    });
  }
  return log_p;
}

/// Of the columns that are judged; NaN for the others.
std::vector<double> q_of(const std::vector<double>& log_p) {
  std::vector<double> p;
  for (const double value : log_p)
    if (!std::isnan(value)) p.push_back(std::exp(value));
  const std::vector<double> judged = benjamini_hochberg(p);
  std::vector<double> q(log_p.size(), kUndefined);
  for (std::size_t r = 0, s = 0; r < q.size(); ++r)
    if (!std::isnan(log_p[r])) q[r] = judged[s++];
  return q;
}

}  // namespace

void check_decoys(std::string_view who, Index n_decoys) {
  if (n_decoys > 0 && n_decoys <= DecoyTail::kAbove)
    throw InvalidArgument(fmt::format(
        "{}: n_decoys = {} are too few to read a tail from; give more than {}, or 0 for none", who,
        n_decoys, DecoyTail::kAbove));
}

Null resolved_null(std::string_view who, Null wanted, const Knowledge& known, Index rows) {
  const bool has_values = values_decide(known);
  const bool has_labels = has_values || rows_by_class(known).size() >= 2;
  if (wanted == Null::labels && !has_labels)
    throw DataError(
        fmt::format("{}: null = labels needs labels of at least two classes, or a numeric target; "
                    "null = table judges features without them",
                    who));
  if (wanted != Null::automatic) return wanted;
  const Index labeled = std::ssize(has_values ? valued_rows(known) : labeled_rows(known));
  return has_labels && 2 * labeled >= rows ? Null::labels : Null::table;
}

void record_folds(const Trace& trace, std::span<const Index> fold_of) {
  if (!trace.is_wanted()) return;
  std::vector<std::optional<Index>> folds;
  for (const Index fold : fold_of)
    folds.push_back(fold == kNoFold ? std::nullopt : std::optional(fold));
  trace.record(TraceEvent{"folds"}.with("fold", std::move(folds)));
}

void Judgement::judge(Null null, std::vector<double> log_p) {
  null_ = null;
  q_ = q_of(log_p);
  log_p_ = std::move(log_p);
}

TableJudgement::TableJudgement(const RankedTable& z, CrossedTargets crossed,
                               std::optional<double> label_p, const RelevanceOptions& options,
                               const Run& run)
    : Judgement(options.fdr, label_p), z_(z), crossed_(std::move(crossed)) {
  std::vector<SphereLaw> laws;
  for (const RowVectors& of_fold : crossed_.targets)
    laws.push_back(law_of(of_fold, crossed_.dimension()));
  std::vector<double> log_p = log_p_by_law(z, crossed_, laws);
  if (options.n_decoys > 0) {
    decoys_.emplace(z, crossed_, laws, options.n_decoys, run);
    for (Index r = 0; r < z.cols(); ++r) log_p[r] = decoys_->corrected(r, log_p[r]);
  }
  judge(crossed_.null, std::move(log_p));
}

std::unique_ptr<Judgement> judge_table(std::string_view who, const Problem& problem,
                                       const RankedTable& z, const MatchingTarget& target,
                                       std::span<const Index> columns,
                                       const RelevanceOptions& options, const Run& run,
                                       const GivenFolds& folds) {
  check_decoys(who, options.n_decoys);
  const Knowledge& known = problem.known;
  const Null null = resolved_null(who, options.null, known, z.rows());
  const auto recorded_folds = [&] {
    std::vector<Index> fold_of =
        folds ? *folds
              : deal_folds(columns, z.cols(), problem.feature_groups, options.n_folds, run.seed);
    record_folds(run.trace, fold_of);
    return fold_of;
  };
  CrossedTargets crossed = null == Null::labels ? targets_of_labels(known, z, columns)
                                                : targets_of_table(target, z, recorded_folds());
  return std::make_unique<TableJudgement>(z, std::move(crossed), label_p(z, known, run.seed),
                                          options, run);
}

std::vector<double> TableJudgement::step_probabilities(std::span<const Index> chosen,
                                                       double nugget) const {
  if (chosen.empty()) return {};
  return tamis::step_probabilities(chosen_products(z_, crossed_, chosen),
                                   steps_of(crossed_, chosen, nugget),
                                   [&](Index column, double log_p) {
                                     return decoys_ ? decoys_->corrected(column, log_p) : log_p;
                                   });
}

Relevance Judgement::relevance(std::span<const Index> chosen, double nugget) const {
  Relevance result{.null = null_, .fdr = fdr_, .q = q_, .label_p = label_p_};
  for (const double value : log_p_) result.p.push_back(std::exp(value));
  result.step_p = step_probabilities(chosen, nugget);
  result.n_backed = forward_stop(result.step_p, fdr_);
  result.part.resize(q_.size());
  for (Index r = 0; r < std::ssize(q_); ++r) {
    if (std::isnan(q_[r])) continue;
    result.part[r] = is_relevant(r) ? Part::relevant : Part::rest;
    result.n_relevant += is_relevant(r) ? 1 : 0;
  }
  for (Index t = 0; t < result.n_backed; ++t) result.part[chosen[t]] = Part::backed;
  return result;
}

void warn_of_random_labels(std::string_view who, const Relevance& relevance, bool has_values,
                           Diagnostics& diagnostics) {
  if (!relevance.label_p || *relevance.label_p <= kRandomLabels) return;
  diagnostics.warnings.push_back(fmt::format("{}: the {} (p = {})", who,
                                             has_values ? "target can't be told from a random one"
                                                        : "labels can't be told from random ones",
                                             *relevance.label_p));
}

}  // namespace tamis
