#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

enum class Supervision { unsupervised, supervised, semi_supervised };

/// What a method cannot do without.
enum class Needs {
  nothing,
  classes,      ///< labels of at least two classes
  constraints,  ///< labels or pairs, enough for one must-link or cannot-link pair
};

/// An option and a value of it, as people write both.
struct OptionSetting {
  std::string_view option;
  std::string_view value;
};

/// Whether a method ranks a table that does not fit into memory, read in runs of rows.
enum class Streams {
  no,          ///< it looks at all rows at once: a sample of them or a map in their place may do
  condensed,   ///< from a map of the rows, one pass after another, and the rows that are known
  known_rows,  ///< in one pass: it looks at no row but those that are known; the same bits
  passes,      ///< in passes of its own
};
constexpr auto option_words(Streams) {
  return std::array{std::pair{std::string_view("no"), Streams::no},
                    std::pair{std::string_view("condensed"), Streams::condensed},
                    std::pair{std::string_view("known_rows"), Streams::known_rows},
                    std::pair{std::string_view("passes"), Streams::passes}};
}

/// What there is to say about a method besides its options. Each options struct holds one as
/// `info`, and program, bindings and documentation read it there.
struct MethodInfo {
  std::string_view name;  ///< = function = file = documentation page
  std::string_view title;
  Supervision supervision;
  Needs needs;
  std::string_view reference;
  bool selects_subset = false;      ///< besides ranking: its Ranking::subset is set
  bool counts_features = false;     ///< says how many are worth it: its Ranking::relevance is set
  bool takes_values = false;        ///< ranks by a numeric target too, where no classes are known
  bool measures_distances = false;  ///< between rows, of columns as they are
  bool draws = false;  ///< chance decides something: its rankings may depend on the seed
  std::string_view length_option = {};  ///< says how far it chooses one by one, if it does
  std::string_view level_option = {};   ///< says at which level it judges features; 1: not at all
  std::string_view vote_option = {};    ///< lets its members vote where classes are predicted
  std::string_view base_option = {};    ///< names the method whose ranking it begins with
  /// What the text of its paper says of options whose defaults are others.
  std::span<const OptionSetting> paper = {};
  Streams streams = Streams::no;
  std::string_view streams_if = {};  ///< "option=value": only then; empty: always
};

std::string_view name_of(Supervision supervision);
/// What the method cannot do without, in words.
std::string_view needs_of(const MethodInfo& method);

/// @throws DataError if the problem lacks what the method needs, saying what and how to give it; if
/// a numeric target decides, and the method takes labels or pairs only, or the target says nothing
void check_needs(const MethodInfo& method, const Problem& problem);

/// A method as program and bindings see it.
struct Method {
  MethodInfo info;
  std::vector<OptionInfo> options;
  std::function<Ranking(const Problem&, const OptionTexts&, const Run&)> rank;
  /// Every option with the value it would have. @throws InvalidArgument like rank
  std::function<NamedValues(const OptionTexts&)> resolve;
};

/// The options that the settings name, with these values. @throws InvalidArgument like resolve
NamedValues values_of(const Method& method, std::span<const OptionSetting> settings);

}  // namespace tamis
