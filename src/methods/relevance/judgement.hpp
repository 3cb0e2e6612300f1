#pragma once

#include <optional>
#include <string_view>

#include "methods/relevance/crossed_targets.hpp"
#include "methods/relevance/decoys.hpp"
#include "tamis/core/run.hpp"
#include "tamis/methods/relevance_options.hpp"

namespace tamis {

/// The folds of all columns of a table (kNoFold for constant ones), if chance is not to deal them.
using GivenFolds = std::optional<std::vector<Index>>;

/// How the columns of a table fare against chance: each is judged by a target made without it.
class Judgement {
 public:
  /// @param columns those that vary
  /// @throws InvalidArgument if there are too few decoys to read a tail from
  /// @throws DataError if labels of two classes are wanted and not there
  Judgement(std::string_view who, const Knowledge& known, const RankedTable& z,
            const MatchingTarget& target, std::span<const Index> columns,
            const RelevanceOptions& options, const Run& run, const GivenFolds& folds = {});

  /// Of each column; NaN if it is not judged.
  const std::vector<double>& log_p() const { return log_p_; }
  bool is_relevant(Index column) const { return q_[column] <= fdr_; }

  /// What the judgement says once columns are chosen one after the other, with a nugget.
  Relevance relevance(std::span<const Index> chosen, double nugget) const;

 private:
  RankedTable z_;
  double fdr_;
  std::optional<double> label_p_;
  CrossedTargets crossed_;
  std::optional<Decoys> decoys_;
  std::vector<double> log_p_;
  std::vector<double> q_;
};

/// Warns, as `who`, of labels that say no more than random ones.
void warn_of_random_labels(std::string_view who, const Relevance& relevance,
                           Diagnostics& diagnostics);

}  // namespace tamis
