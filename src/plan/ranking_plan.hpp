#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ensembles/bagging.hpp"
#include "plan/diversify.hpp"
#include "tamis/core/method.hpp"

namespace tamis {

/// What may be wanted of features that are judged: those that add what chance would not, or all
/// that have to do with what is known.
enum class Judged { backed, relevant };
constexpr auto option_words(Judged) {
  return std::array{std::pair{std::string_view("auto"), Judged::backed},
                    std::pair{std::string_view("relevant"), Judged::relevant}};
}

/// How many features are wanted: a number of them, a share of those of the table, as many as a
/// judgement says, or all.
struct WantedFeatures {
  std::optional<Index> count = std::nullopt;
  std::optional<double> percent = std::nullopt;  ///< more than 0, at most 100
  std::optional<Judged> judged = std::nullopt;

  bool is_all() const { return !count && !percent && !judged; }
};

/// What "5%" says; nothing for a text that does not end so.
/// @throws InvalidArgument for a share that is no number, not positive or more than all; `who` and
/// `name` are its first words
std::optional<double> parse_percent(std::string_view who, std::string_view name,
                                    std::string_view text);

/// Where options come from that are not given: our defaults, or the text of the method's paper.
enum class Settings { ours, paper };
constexpr auto option_words(Settings) {
  return std::array{std::pair{std::string_view("default"), Settings::ours},
                    std::pair{std::string_view("paper"), Settings::paper}};
}

/// So many percent of the features, rounded up.
Index share_of(double percent, Index n_features);

/// A method and what may go around it: an ensemble, a more diverse order, a number of features.
struct RankingPlan {
  const Method* method = nullptr;
  OptionTexts options = {};
  Settings settings = Settings::ours;
  bool lets_vote = false;  ///< classes will be predicted, so that members may vote
  WantedFeatures wanted = {};
  std::optional<BaggingOptions> bagging = std::nullopt;
  std::optional<DiversifyOptions> diversify = std::nullopt;
  /// What to do about units that differ, in the words of who makes the plan.
  std::string_view units_remedy = "standardised columns would count alike";

  std::string_view name() const { return method->info.name; }
  /// The subsets of members are not kept.
  bool selects_subset() const { return method->info.selects_subset && !bagging; }
  /// Whether the ranking will say how many features are worth it, if that is wanted.
  bool counts_features() const;
  /// Whether chance decides something, so that the ranking may depend on the seed.
  bool draws() const { return bagging || diversify || method->info.draws; }
  /// The same if rows come in runs: a map of them begins with some that are drawn.
  bool draws_in_runs() const { return draws() || method->info.streams == Streams::condensed; }

  /// What the paper of the method sets here: votes only where there are any.
  std::vector<OptionSetting> paper() const;
  /// Every option of the method with the value it has.
  NamedValues resolved() const { return method->resolve(options); }
  /// What ranks before features are put into another order: the method with all its options, and
  /// the ensemble of it.
  std::string first_ranking() const;
  /// Whether the options have the values with which the method reads runs of rows.
  bool has_streaming_options() const;
  /// Columns that stand for one feature stand together (feature_groups.hpp).
  Ranking rank(const Problem& problem, const Run& run = {}) const;
  /// The features that are wanted, best first, and maybe none if a judgement says how many; those
  /// that the method chose if all are wanted, and nothing if it is no method that chooses.
  std::optional<std::vector<Index>> selected(const Ranking& ranking) const;
};

/// The plan with the options that its settings and wishes imply: a method that chooses one feature
/// after the other goes as far as features are wanted, unless its options say something else, and
/// features that are put into another order are judged if that is wanted.
/// @throws InvalidArgument for options that the method does not have or allow, and for wishes that
/// it cannot fulfil
RankingPlan completed(RankingPlan plan);

/// The completed plan for a table of so many features: a share of them becomes a number, rounded
/// up.
RankingPlan for_features(RankingPlan plan, Index n_features);

}  // namespace tamis
