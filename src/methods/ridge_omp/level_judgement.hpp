#pragma once

#include <functional>
#include <span>
#include <vector>

#include "levels/correlations.hpp"
#include "levels/crossed_sums.hpp"
#include "levels/share_sums.hpp"
#include "methods/relevance/judgement.hpp"
#include "methods/relevance/sphere_law.hpp"

namespace tamis {

/// Shares of classes as a target T = (P - pi) / sqrt(pi), scaled to mean squared row length 1.
struct ShareTarget {
  std::vector<ShareMoments> moments = {};  ///< of each class, in whole units
  std::vector<double> factors = {};        ///< from whole units to the target; 0 for empty classes

  bool says_something() const { return !factors.empty(); }
};

/// Of classes first .. first + count - 1.
ShareTarget share_target(const ShareSums& sums, Index first, Index count, Index rows);

/// What a judgement is made of besides sums over the rows.
struct LevelJudging {
  Null null = Null::table;
  Index rows = 0;                   ///< that are judged
  std::vector<Index> fold_of = {};  ///< of each column, or kNoFold
  /// Of each column of each fold's target, which is cut and then given it back.
  std::vector<std::vector<double>> deviations = {};
  std::vector<DecoyStratum> strata = {};
};

/// The codes of a column over the judged rows, and how many have each.
using CountsOf = std::function<std::vector<CodeCount>(Index column)>;

/// Decides on strata, and what decoys are made of in each.
/// @param facts over the judged rows
std::vector<DecoyGroup> planned_decoys(LevelJudging& judging, std::span<const CodeFacts> facts,
                                       const CountsOf& counts, Index n_decoys, std::uint64_t seed);

/// By targets of which nothing but sums over the rows is known.
class LevelJudgement : public Judgement {
 public:
  /// Sums of targets over the rows, and of the decoys that they meet.
  struct Sums {
    std::span<const CrossedSums::Sums> targets;
    std::span<const DecoyGroup> decoys;
    std::span<const std::vector<Int128>> of_decoys;  ///< as DecoySums::sums
  };
  /// @param judging, correlations, facts must outlive it; the last two are over the judged rows
  LevelJudgement(const LevelJudging& judging, const Sums& sums, const Correlations& correlations,
                 std::span<const CodeFacts> facts, double fdr, std::optional<double> label_p,
                 const Trace& trace);

 private:
  std::vector<double> step_probabilities(std::span<const Index> chosen,
                                         double nugget) const override;
  std::vector<std::vector<double>> decoy_surprises(const Sums& sums,
                                                   const std::vector<SphereLaw>& laws) const;
  /// From sums over codes of a column to its products with a target, of length 1 and centred.
  void add_fold(const CrossedSums::Sums& sums, std::span<const double> deviations);
  double product(Index column, Index fold, Index c, Int128 sum) const;

  const LevelJudging& judging_;
  const Correlations& correlations_;
  std::span<const CodeFacts> facts_;
  std::vector<std::vector<Int128>> totals_;   ///< sum t of each column of each fold
  std::vector<std::vector<double>> factors_;  ///< from whole units to the target
  std::vector<RowVectors> products_;          ///< u'T of each fold, one row per column
  std::vector<std::vector<double>> squares_;  ///< T'T of each fold
  std::optional<Decoys> decoys_;
};

}  // namespace tamis
