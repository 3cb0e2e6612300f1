#pragma once

#include <optional>

#include "cli/command.hpp"
#include "cli/json.hpp"
#include "tamis/core/options.hpp"
#include "tamis/ensembles/bagging.hpp"
#include "tamis/methods/diversify.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis::cli {

/// How many features --top asks for: a number, "auto", or all of them.
struct TopChoice {
  std::optional<Index> count = std::nullopt;
  bool is_automatic = false;

  bool is_all() const { return !count && !is_automatic; }
};

/// A method chosen by flags, checked before any file is read.
struct MethodChoice {
  const Method* method = nullptr;
  OptionTexts texts = {};
  NamedValues resolved = {};
  TopChoice top = {};
  std::optional<BaggingOptions> bagging = std::nullopt;
  std::optional<DiversifyOptions> diversify = std::nullopt;

  /// The subsets of members are not kept.
  bool selects_subset() const { return method->info.selects_subset && !bagging; }
  /// Whether it can say how many features are worth keeping; --diversify can, too.
  bool counts_features() const;
  Ranking rank(const Problem& problem) const;
};

/// @throws InvalidArgument for anything wrong with the method, its options, --bagging and what
/// belongs to it, --diversify, --top or --seed
MethodChoice choose_method(const Arguments& arguments);

/// "method", "options", "bagging" and "diversify" of a result.
Json choice_json(const MethodChoice& choice);

}  // namespace tamis::cli
