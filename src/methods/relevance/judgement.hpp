#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "methods/relevance/crossed_targets.hpp"
#include "methods/relevance/decoys.hpp"
#include "tamis/core/run.hpp"
#include "tamis/methods/relevance_options.hpp"

namespace tamis {

/// The folds of all columns of a table (kNoFold for constant ones), if chance is not to deal them.
using GivenFolds = std::optional<std::vector<Index>>;

/// How columns fare against chance: each is judged by a target made without it.
class Judgement {
 public:
  virtual ~Judgement() = default;
  Judgement(const Judgement&) = delete;
  Judgement& operator=(const Judgement&) = delete;

  /// Of each column; NaN if it is not judged.
  const std::vector<double>& log_p() const { return log_p_; }
  bool is_relevant(Index column) const { return q_[column] <= fdr_; }

  /// What the judgement says once columns are chosen one after the other, with a nugget.
  Relevance relevance(std::span<const Index> chosen, double nugget) const;

 protected:
  Judgement(double fdr, std::optional<double> label_p) : fdr_(fdr), label_p_(label_p) {}
  void judge(Null null, std::vector<double> log_p);

 private:
  virtual std::vector<double> step_probabilities(std::span<const Index> chosen,
                                                 double nugget) const = 0;

  Null null_ = Null::table;
  double fdr_;
  std::optional<double> label_p_;
  std::vector<double> log_p_;
  std::vector<double> q_;
};

/// By targets that a table in memory makes.
class TableJudgement : public Judgement {
 public:
  TableJudgement(const RankedTable& z, CrossedTargets crossed, std::optional<double> label_p,
                 const RelevanceOptions& options, const Run& run);

 private:
  std::vector<double> step_probabilities(std::span<const Index> chosen,
                                         double nugget) const override;

  RankedTable z_;
  CrossedTargets crossed_;
  std::optional<Decoys> decoys_;
};

/// @param columns those that vary
/// @throws InvalidArgument if there are too few decoys to read a tail from
/// @throws DataError if labels of two classes or values are wanted and not there
std::unique_ptr<Judgement> judge_table(std::string_view who, const Problem& problem,
                                       const RankedTable& z, const MatchingTarget& target,
                                       std::span<const Index> columns,
                                       const RelevanceOptions& options, const Run& run,
                                       const GivenFolds& folds = {});

/// @throws InvalidArgument if there are too few decoys to read a tail from
void check_decoys(std::string_view who, Index n_decoys);

/// The null that is meant by `wanted`.
/// @throws DataError if labels of two classes or values are wanted and not there
Null resolved_null(std::string_view who, Null wanted, const Knowledge& known, Index rows);

void record_folds(const Trace& trace, std::span<const Index> fold_of);

/// Warns, as `who`, of labels, or values, that say no more than random ones.
void warn_of_random_labels(std::string_view who, const Relevance& relevance, bool has_values,
                           Diagnostics& diagnostics);

}  // namespace tamis
