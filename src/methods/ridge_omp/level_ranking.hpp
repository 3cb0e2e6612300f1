#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "levels/code_sums.hpp"
#include "levels/column_scan.hpp"
#include "levels/correlations.hpp"
#include "levels/crossed_sums.hpp"
#include "levels/level_counts.hpp"
#include "levels/share_sums.hpp"
#include "methods/ridge_omp/level_judgement.hpp"
#include "methods/ridge_omp/level_target.hpp"
#include "methods/ridge_omp/matched_ranking.hpp"

namespace tamis {

/// The most columns whose products fit into memory: 4 bytes for each two of them.
inline constexpr Index kMostLevelColumns = 11'000;

/// ridge_omp with ranks = levels, as questions to a table that is never seen as a whole. Each
/// question is answered by all rows, in blocks of any size and order:
///
///   scan     ColumnScan(cols)
///   levels   LevelCounts(levels()), once more as long as slots are too full
///   codes    CodeSums(levels(), code_rows())
///   shares   ShareSums(levels(), share_question())      if classes are spread
///   crossed  CrossedSums(levels(), crossed_question())  if columns are judged by the table
///
/// Answers are whole numbers, and all that follows from them is computed in one place: neither
/// blocks nor threads change a bit.
class LevelRanking {
 public:
  enum class Asks { scan, levels, codes, shares, crossed, nothing };

  /// @throws InvalidArgument if an option is out of range
  /// @throws DataError if there are too many columns, or pairs contradict
  LevelRanking(Index rows, Index cols, const Knowledge& known, const RidgeOmpOptions& options,
               std::uint64_t seed);
  LevelRanking(const LevelRanking&) = delete;
  LevelRanking& operator=(const LevelRanking&) = delete;

  /// All that is asked, in order; levels more than once as soon as it is known that they must be.
  std::vector<Asks> questions() const;
  /// What is asked now.
  Asks asks() const { return asks_; }
  const std::vector<LevelTree>& levels() const { return levels_; }
  const CodeRows& code_rows() const { return code_rows_; }
  const RowTargets& share_question() const { return share_question_; }
  const CrossedQuestion& crossed_question() const { return crossed_question_; }

  /// @throws DataError if every column is constant
  void accept(const ColumnScan& scan);
  /// Takes the counts of a column away as soon as it needs them no more.
  /// @param first_column that was counted: columns may come in parts, from the first to the last
  void accept(LevelCounts&& counts, Index first_column = 0);
  void accept(const CodeSums& sums);
  void accept(const ShareSums& sums);
  void accept(const CrossedSums& sums);

  /// Once nothing is asked any more. @param run who listens; the seed is the one given before
  Ranking result(Run run);

 private:
  bool is_judged() const { return options_.relevance.is_wanted(); }
  /// More labels than columns: sums over their rows are less than the rows.
  bool has_label_sums() const { return code_rows_.labeled.are_asked(); }
  bool is_judged_by_table() const { return is_judged() && null_ == Null::table; }
  void sum_labels(const Knowledge& known);
  void accept(std::vector<SlotCount> contents, Index column);
  /// Decoys are made of how often columns have each code.
  bool needs_counts() const;
  void finish_levels();
  void accept_label_sums(const LabeledSums& sums);
  void make_targets();
  void plan_judging();
  void ask_shares_or_more();
  void ask_crossed();
  void add_crossed_target(const LevelTarget& target, const ShareTarget& shares);
  /// What the target has to do with each column of length 1.
  RowVectors target_products() const;
  std::unique_ptr<Judgement> judgement(const Run& run);
  std::unique_ptr<Judgement> label_judgement(const Run& run);
  std::unique_ptr<Judgement> label_sum_judgement(const Run& run);

  Index rows_;
  Index cols_;
  RidgeOmpOptions options_;
  std::uint64_t seed_;
  Diagnostics diagnostics_;
  Null null_ = Null::table;
  bool has_classes_;
  bool has_values_;
  CodeRows code_rows_;
  Knowledge kept_known_;  ///< of the kept rows
  std::unique_ptr<MatchingTarget::Evidence> evidence_;
  Asks asks_ = Asks::scan;
  std::size_t level_rounds_ = 1;
  std::vector<LevelTree> levels_;
  std::vector<std::vector<CodeCount>> counts_;
  std::vector<CodeFacts> facts_;
  std::vector<Index> varying_;
  Correlations correlations_;
  /// Where labels are summed, the same over the labeled rows, unless these are all.
  std::vector<CodeFacts> labeled_facts_;
  Correlations labeled_correlations_;
  CrossedSums::Sums label_products_;  ///< with classes as targets of 0 and 1
  std::optional<RankedTable> known_table_;
  ColumnEvidence columns_;
  std::vector<LevelTarget> targets_;  ///< of all columns, then without those of each fold
  RowTargets share_question_;
  RowVectors share_products_;               ///< of each column with the shares, as a target
  std::vector<ShareTarget> share_targets_;  ///< of each target that has classes
  LevelJudging judging_;
  CrossedQuestion crossed_question_;
  std::vector<CrossedSums::Sums> crossed_sums_;
  std::vector<std::vector<Int128>> decoy_sums_;
};

}  // namespace tamis
