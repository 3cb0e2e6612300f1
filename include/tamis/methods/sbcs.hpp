#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/prepare/condense_options.hpp"

namespace tamis {

/// Which pairs of rows count: all, or those that are linked.
enum class SbcsMode { semi, supervised };
constexpr auto option_words(SbcsMode) {
  return std::array{std::pair{std::string_view("semi"), SbcsMode::semi},
                    std::pair{std::string_view("supervised"), SbcsMode::supervised}};
}

struct SbcsOptions {
  SbcsMode mode = SbcsMode::semi;
  double sigma = 1.0;
  Index max_features = 200;
  CondenseOptions condense = {};

  static constexpr MethodInfo info{
      .name = "sbcs",
      .title = "Similarity-based constraint score",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::classes,
      .reference =
          "Salmi, Hammouche, Macaire, Similarity-based constraint score for feature selection, "
          "Knowledge-Based Systems 209, 2020",
      .selects_subset = true,
      .length_option = "max_features",
      .streams = Streams::condensed,
      .streams_if = "condense=som"};
  static constexpr auto fields() {
    using Self = SbcsOptions;
    return joined(
        field_list(field("mode", &Self::mode,
                         "all pairs of rows count, by the class of the nearest labeled row, or "
                         "must-links and cannot-links only"),
                   field("sigma", &Self::sigma, positive(),
                         "width of the similarity exp(-d^2 / (2 sigma^2)) of standardised rows"),
                   field("max_features", &Self::max_features, at_least(1),
                         "features to choose one by one; the rest follow by what the last choice "
                         "saw in them")),
        nested_fields(&Self::condense));
  }
};

/// Rows of which every two are compared; more are refused.
inline constexpr Index kMaxSbcsRows = 50'000;

/// Chooses features one by one so that rows look as alike as they ought to: with columns
/// standardised over all rows and w_ij(F) = exp(-d^2_F(i, j) / (2 sigma^2)) by the features F,
///
///   eps(F) = sum over ordered pairs i != j of (w_ij(F) - target_ij)^2
///
/// is to be small. Mode `supervised`: over must-links (target 1) and cannot-links (0). Mode `semi`:
/// over all pairs; the target is 1 for rows whose nearest labeled rows (by all columns; a labeled
/// row is its own) share a class and for must-links, 0 for cannot-links and all others. Weights of
/// pairs multiply their terms. Scores are places; `path` has the choices with eps after each;
/// `subset` is the prefix with the smallest eps, the shorter of two that tie.
///
/// Deterministic; O(n^2 m) exponentials at each choice, in tiles of rows: no n x n memory. Errors
/// within 1e-10 (relative) tie: the lower column wins. A constant column is undefined.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if mode `semi` lacks labels of two classes or `supervised` any pair, if every
/// column is constant, if pairs contradict, or for more than kMaxSbcsRows rows (labeled ones, if
/// supervised)
Ranking sbcs(const Problem& problem, const SbcsOptions& options = {}, const Run& run = {});

}  // namespace tamis
