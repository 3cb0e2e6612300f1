#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/methods/state_options.hpp"

namespace tamis {

/// How relevance is set against redundancy: their difference, or their quotient.
enum class MrmrScheme { mid, miq };
constexpr auto option_words(MrmrScheme) {
  return std::array{std::pair{std::string_view("mid"), MrmrScheme::mid},
                    std::pair{std::string_view("miq"), MrmrScheme::miq}};
}

struct MrmrOptions {
  MrmrScheme scheme = MrmrScheme::mid;
  Index max_features = 200;
  StateOptions states = {};

  static constexpr MethodInfo info{
      .name = "mrmr",
      .title = "Minimum redundancy, maximum relevance (mRMR)",
      .supervision = Supervision::supervised,
      .needs = Needs::classes,
      .reference =
          "Ding, Peng, Minimum redundancy feature selection from microarray gene expression data, "
          "CSB 2003",
      .length_option = "max_features",
      .streams = Streams::known_rows};
  static constexpr auto fields() {
    using Self = MrmrOptions;
    return joined(
        field_list(field("scheme", &Self::scheme,
                         "relevance minus redundancy, or relevance over redundancy"),
                   field("max_features", &Self::max_features, at_least(1),
                         "features to choose one by one; the rest follow by what the last choice "
                         "saw in them")),
        nested_fields(&Self::states));
  }
};

/// Chooses features one by one: first the one with the largest information on the classes, then
/// always the one whose information on the classes, less its mean information on the features
/// chosen so far (scheme mid; miq: divided by it + 0.01), is largest. Over the labeled rows, of
/// states and in nats. Scores are places; `path` has the choices and their criteria.
///
/// Deterministic, O(lm max_features) for l labeled rows, 64 rows at a time. Criteria within 1e-10
/// (relative) tie: the lower column wins. A column that is constant over the labeled rows is
/// undefined.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if fewer than two classes have labeled rows, or every column is undefined
Ranking mrmr(const Problem& problem, const MrmrOptions& options = {}, const Run& run = {});

}  // namespace tamis
