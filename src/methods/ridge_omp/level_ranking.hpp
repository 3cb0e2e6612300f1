#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
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

/// How questions are divided where memory is short: each part is one look at the table more.
struct LevelDivision {
  Index levels = 1;    ///< parts of the columns whose slots are counted at once
  Index products = 1;  ///< parts of the products of all pairs of columns
  std::optional<std::string> folder = std::nullopt;  ///< of a file for products; none: in memory
};

/// ridge_omp with ranks = levels, as questions to a table that is never seen as a whole. Each
/// question is answered by all rows, in blocks of any size and order:
///
///   scan     ColumnScan(cols)
///   levels   LevelCounts(levels() of the part, part().first), once more as long as slots are too
///   full codes    CodeSums(levels() up to the end of the part, code_rows(), part().first) shares
///   ShareSums(levels(), share_question())      if classes are spread crossed CrossedSums(levels(),
///   crossed_question())  if columns are judged by the table
///
/// Answers are whole numbers, and all that follows from them is computed in one place: neither
/// blocks nor threads nor parts change a bit.
class LevelRanking {
 public:
  enum class Asks { scan, levels, codes, shares, crossed, nothing };

  /// @param asker in whose name it refuses
  /// @throws InvalidArgument if an option is out of range
  /// @throws DataError if pairs contradict
  LevelRanking(Index rows, Index cols, const Knowledge& known, const RidgeOmpOptions& options,
               std::uint64_t seed, const MethodInfo& asker = RidgeOmpOptions::info);
  LevelRanking(const LevelRanking&) = delete;
  LevelRanking& operator=(const LevelRanking&) = delete;

  /// Before anything is asked. @throws IoError if no file can be made in the folder
  void divide(const LevelDivision& division);

  /// Columns that stand for one feature (Problem::feature_groups) are judged without each other.
  /// Before anything is asked.
  void set_feature_groups(std::vector<Index> groups) { feature_groups_ = std::move(groups); }

  /// All that is asked, in order; levels once more as soon as it is known that they must be.
  std::vector<Asks> questions() const;
  /// What is asked now.
  Asks asks() const { return asks_; }
  /// The columns of which it is asked, of levels and codes.
  ColumnPart part() const { return (asks_ == Asks::codes ? product_parts_ : level_parts_)[part_]; }
  const std::vector<LevelTree>& levels() const { return levels_; }
  const CodeRows& code_rows() const { return code_rows_; }
  const RowTargets& share_question() const { return share_question_; }
  const CrossedQuestion& crossed_question() const { return crossed_question_; }

  /// @throws DataError if every column is constant
  void accept(const ColumnScan& scan);
  /// Takes the counts of a column away as soon as it needs them no more.
  void accept(LevelCounts&& counts);
  void accept(CodeSums&& sums);
  void accept(const ShareSums& sums);
  void accept(const CrossedSums& sums);

  /// Once nothing is asked any more. @param run who listens; the seed is the one given before
  Ranking result(Run run, const std::vector<std::string>& feature_names);

  /// What result() is made of, for whoever has candidates and weights of their own: a greedy choice
  /// of columns that explain the target, with the nugget that is meant, and what chance would do;
  /// that is nothing where nothing is to be judged.
  Matching match(std::vector<Index> columns, std::vector<double> weights,
                 const MatchingRules& rules, const Progress& progress) const;
  double nugget() const;
  std::unique_ptr<Judgement> judgement(Run run);
  /// Adds what there is to say of labels and pairs.
  void note_knowledge(Diagnostics& diagnostics) const;

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
  void keep_codes(const CodeSums& sums);
  void accept_part(LabeledSums& sums, const ColumnPart& columns);
  void finish_label_sums();
  void make_targets();
  void plan_judging();
  void ask_shares_or_more();
  void ask_crossed();
  void add_crossed_target(const LevelTarget& target, const ShareTarget& shares);
  /// What the target has to do with each column of length 1.
  RowVectors target_products() const;
  bool is_supervised() const {
    return share_products_.width > 0 || targets_.front().links.width > 0;
  }
  std::unique_ptr<Judgement> label_judgement(const Run& run);
  std::unique_ptr<Judgement> label_sum_judgement(const Run& run);

  Index rows_;
  Index cols_;
  RidgeOmpOptions options_;
  MethodInfo asker_;
  std::uint64_t seed_;
  std::vector<Index> feature_groups_;
  Diagnostics diagnostics_;
  Diagnostics about_knowledge_;
  Null null_ = Null::table;
  bool has_classes_;
  CodeRows code_rows_;
  Knowledge kept_known_;  ///< of the kept rows
  std::unique_ptr<MatchingTarget::Evidence> evidence_;
  Asks asks_ = Asks::scan;
  std::vector<ColumnPart> level_parts_;
  std::vector<ColumnPart> product_parts_;
  std::size_t part_ = 0;
  std::size_t level_rounds_ = 1;
  std::vector<LevelTree> levels_;
  std::vector<std::vector<CodeCount>> counts_;
  std::vector<CodeFacts> facts_;
  std::vector<Index> varying_;
  Buffer<std::int16_t> kept_codes_;  ///< of the kept rows, row-major, until they are ranks
  Correlations correlations_;
  /// Where labels are summed, the same over the labeled rows, unless these are all.
  std::vector<CodeFacts> labeled_facts_;
  Correlations labeled_correlations_;
  std::vector<std::int64_t> class_sums_;  ///< of codes: columns x classes
  CrossedSums::Sums label_products_;      ///< with classes as targets of 0 and 1
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
