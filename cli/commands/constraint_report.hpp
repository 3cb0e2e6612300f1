#pragma once

#include <optional>
#include <vector>

#include "cli/commands/load.hpp"
#include "clustering/informativeness.hpp"
#include "constraints/coherence.hpp"
#include "tamis/core/run.hpp"

namespace tamis::cli {

/// The constraints of one kind: where they come from, and which are left.
struct LinkReport {
  Index from_labels = 0;
  Index from_pairs = 0;                ///< besides those that labels imply
  Index implied = 0;                   ///< added by the closure
  Index deduced = 0;                   ///< from the nearest labeled rows
  std::vector<RowPair> pairs = {};     ///< the result, ascending
  std::vector<double> coherence = {};  ///< of each, if it was asked for
  std::vector<RowPair> dropped = {};   ///< by the selection
};

struct InformativenessReport {
  double value = 0.0;
  Index clusters = 0;
  Violations broken = {};  ///< by a k-means that knows no constraint
};

/// How well must-links are deduced from the nearest labeled rows, where the true labels are known:
/// 003 section 5.1 calls them CR, COV and SMC. Of pairs of rows; null where there are none.
struct DeductionReport {
  std::optional<double> correct = std::nullopt;   ///< deduced and true / deduced
  std::optional<double> coverage = std::nullopt;  ///< deduced and true / true
  std::optional<double> given = std::nullopt;     ///< of the labels given / true
};

struct ConstraintReport {
  LinkReport must_link = {};
  LinkReport cannot_link = {};
  std::optional<DeductionReport> deduction = std::nullopt;
  std::optional<double> coherence = std::nullopt;  ///< of the set, before the selection
  std::optional<double> coherence_standard_error = std::nullopt;  ///< if it is that of a sample
  std::optional<InformativenessReport> informativeness = std::nullopt;  ///< of the result
};

/// What is asked of `tamis constraints`.
struct ConstraintQuestions {
  bool deduces = false;
  bool closes = false;
  bool measures_coherence = false;
  bool selects = false;
  bool measures_informativeness = false;
  std::optional<Index> clusters = std::nullopt;  ///< unset: as many as there are classes
  Index max_pairs = kMaxMeasuredPairs;           ///< of a kind: of more, the coherence of a sample
  std::uint64_t seed = 0;
};

/// `true_labels` are those too that the problem does not know, as far as they are known.
/// @throws DataError if there is no constraint, or if there are too many to list
/// @throws InvalidArgument if nothing tells the number of clusters
ConstraintReport examine_constraints(const Problem& problem, std::span<const Index> true_labels,
                                     const ConstraintQuestions& questions, const Run& run);

/// The object of schema tamis/constraints/1, on one line.
std::string constraints_json(const Arguments& arguments, const LoadedProblem& data,
                             const ConstraintQuestions& questions, const ConstraintReport& report,
                             double seconds);

/// a,b,kind and, if one is not 1, weights: what --constraints reads. A name for each row.
std::string pair_file(std::span<const std::string> names, std::span<const RowPair> must_link,
                      std::span<const RowPair> cannot_link);
std::string pair_file(const Problem& problem, const ConstraintReport& report);

/// For a pipe: kind, rows and coherence between tabs, after a header; dropped constraints are left
/// out. Not a pair file, whose fourth field is a weight.
std::string coherence_text(const Problem& problem, const ConstraintReport& report);

/// For a terminal: the first constraints, with their coherence if it is known.
std::string constraints_table(const Problem& problem, const ConstraintReport& report,
                              const Screen& screen);

}  // namespace tamis::cli
