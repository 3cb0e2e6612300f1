#include "methods/ridge_omp/level_judgement.hpp"

#include <algorithm>
#include <cmath>

#include "methods/relevance/backed_steps.hpp"
#include "methods/relevance/streams.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kGrain = 64;

double squared_length(const double* values, Index width) {
  double sum = 0.0;
  for (Index c = 0; c < width; ++c) sum += values[c] * values[c];
  return sum;
}

}  // namespace

ShareTarget share_target(const ShareSums& sums, Index first, Index count, Index rows) {
  constexpr double kRounding = 1e-24;
  const auto n = static_cast<double>(rows);
  ShareTarget target;
  double length = 0.0;  // mean squared, of (P - pi) / sqrt(pi)
  for (Index c = first; c < first + count; ++c) {
    const double variance = centred_sum(rows, sums.squares[c], sums.sums[c], sums.sums[c]) / n;
    ShareMoments& moments = target.moments.emplace_back();
    moments = {.mean = static_cast<double>(sums.sums[c]) / n,
               .deviation = std::sqrt(std::max(0.0, variance))};
    if (moments.mean > 0.0) length += variance * kTargetUnit / moments.mean;
  }
  if (length <= kRounding) return target;
  for (const ShareMoments& moments : target.moments)
    target.factors.push_back(
        moments.mean > 0.0 ? kTargetUnit / std::sqrt(moments.mean * kTargetUnit) / std::sqrt(length)
                           : 0.0);
  return target;
}

std::vector<DecoyGroup> planned_decoys(LevelJudging& judging, std::span<const CodeFacts> facts,
                                       const CountsOf& counts, Index n_decoys, std::uint64_t seed) {
  std::vector<DecoyGroup> groups;
  if (n_decoys == 0) return groups;
  RareColumns judged;
  for (Index r = 0; r < std::ssize(facts); ++r) {
    if (judging.fold_of[r] == kNoFold || facts[r].deviation == 0.0) continue;
    const Index off = judging.rows - facts[r].most_frequent;
    judged.columns.push_back(r);
    judged.rows_off.push_back(std::min(judging.rows / 2, off));
    judged.is_rare.push_back(2 * off < judging.rows);
  }
  judging.strata = plan_decoys(judged, n_decoys, seed);
  for (DecoyStratum& stratum : judging.strata) {
    DecoyGroup& group = groups.emplace_back();
    group.permutations = stratum.permutations;
    group.first_stream = stratum.first_stream;
    std::ranges::stable_sort(stratum.drawn, {}, [&](Index r) { return judging.fold_of[r]; });
    RandomStream random(seed, group.first_stream - 1 + kMultiplierStream);
    for (const Index r : stratum.drawn)
      group.columns.push_back(
          decoy_column(r, judging.fold_of[r], draw_multiplier(random, judging.rows), counts(r)));
  }
  return groups;
}

LevelJudgement::LevelJudgement(const LevelJudging& judging, const Sums& sums,
                               const Correlations& correlations, std::span<const CodeFacts> facts,
                               double fdr, std::optional<double> label_p, const Trace& trace)
    : Judgement(fdr, label_p), judging_(judging), correlations_(correlations), facts_(facts) {
  std::vector<SphereLaw> laws;
  for (std::size_t v = 0; v < sums.targets.size(); ++v) {
    add_fold(sums.targets[v], judging.deviations[v]);
    laws.push_back(law_of_squares(squares_[v], judging.rows - 1));
  }
  std::vector<double> log_p(judging_.fold_of.size(), kUndefined);
  for (std::size_t r = 0; r < log_p.size(); ++r) {
    if (judging_.fold_of[r] == kNoFold) continue;
    const RowVectors& told = products_[judging_.fold_of[r]];
    log_p[r] = laws[judging_.fold_of[r]].log_tail(
        squared_length(told.row(static_cast<Index>(r)), told.width));
  }
  if (!judging.strata.empty()) {
    decoys_.emplace(std::ssize(log_p), judging.strata, decoy_surprises(sums, laws), trace);
    for (std::size_t r = 0; r < log_p.size(); ++r)
      log_p[r] = decoys_->corrected(static_cast<Index>(r), log_p[r]);
  }
  judge(judging.null, std::move(log_p));
}

double LevelJudgement::product(Index column, Index fold, Index c, Int128 sum) const {
  const CodeFacts& facts = facts_[column];
  if (facts.deviation == 0.0) return 0.0;
  return factors_[fold][c] * centred_sum(judging_.rows, sum, facts.sum, totals_[fold][c]) /
         (facts.deviation * std::sqrt(static_cast<double>(judging_.rows)));
}

void LevelJudgement::add_fold(const CrossedSums::Sums& sums, std::span<const double> deviations) {
  const Index width = std::ssize(deviations);
  const auto fold = std::ssize(totals_);
  totals_.push_back(sums.values);
  std::vector<double>& factors = factors_.emplace_back(width, 0.0);
  std::vector<double>& squares = squares_.emplace_back(width * width, 0.0);
  for (Index c = 0; c < width; ++c) {
    const double variance =
        centred_sum(judging_.rows, sums.squares[c * width + c], sums.values[c], sums.values[c]);
    if (variance > 0.0)
      factors[c] = deviations[c] / std::sqrt(variance / static_cast<double>(judging_.rows));
  }
  for (Index c = 0; c < width; ++c)
    for (Index d = 0; d <= c; ++d)
      squares[c * width + d] = squares[d * width + c] =
          factors[c] * factors[d] *
          centred_sum(judging_.rows, sums.squares[c * width + d], sums.values[c], sums.values[d]);
  const Index cols = std::ssize(facts_);
  RowVectors& told = products_.emplace_back();
  told = {width, Buffer<double>(cols * width)};
  for (Index r = 0; r < cols; ++r)
    for (Index c = 0; c < width; ++c)
      told.row(r)[c] = product(r, fold, c, sums.products[r * width + c]);
}

std::vector<std::vector<double>> LevelJudgement::decoy_surprises(
    const Sums& sums, const std::vector<SphereLaw>& laws) const {
  Index widest = 0;
  for (const RowVectors& told : products_) widest = std::max(widest, told.width);
  std::vector<std::vector<double>> surprises;
  for (std::size_t g = 0; g < sums.decoys.size(); ++g) {
    const DecoyGroup& group = sums.decoys[g];
    std::vector<double>& of_group = surprises.emplace_back(group.decoys());
    parallel_for(group.decoys(), kGrain, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        const DecoyColumn& decoy = group.columns[k % std::ssize(group.columns)];
        double share = 0.0;
        for (Index c = 0; c < products_[decoy.target].width; ++c) {
          const double told =
              product(decoy.column, decoy.target, c, sums.of_decoys[g][k * widest + c]);
          share += told * told;
        }
        of_group[k] = -laws[decoy.target].log_tail(share);
      }
    });
  }
  return surprises;
}

std::vector<double> LevelJudgement::step_probabilities(std::span<const Index> chosen,
                                                       double nugget) const {
  const Index count = std::ssize(chosen);
  ChosenProducts products{.columns = std::vector(count * count, 0.0), .squares = squares_};
  BackedSteps steps{
      .chosen = chosen,
      .judged = std::ranges::count_if(judging_.fold_of, [](Index v) { return v != kNoFold; }),
      .dimension = judging_.rows - 1,
      .nugget = nugget};
  for (Index s = 0; s < count; ++s) {
    steps.folds.push_back(judging_.fold_of[chosen[s]]);
    for (Index t = 0; t < count; ++t)
      products.columns[s * count + t] = correlations_.at(chosen[s], chosen[t]);
  }
  for (const RowVectors& told : products_) {
    RowVectors& some = products.targets.emplace_back();
    some = {told.width, Buffer<double>(count * told.width)};
    for (Index s = 0; s < count; ++s) std::copy_n(told.row(chosen[s]), told.width, some.row(s));
  }
  return tamis::step_probabilities(std::move(products), steps, [&](Index column, double log_p) {
    return decoys_ ? decoys_->corrected(column, log_p) : log_p;
  });
}

}  // namespace tamis
