#pragma once

#include <optional>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

struct SsfiOptions {
  std::optional<Index> n_members = std::nullopt;
  std::optional<Index> subspace_size = std::nullopt;
  Index rounds = 10;
  Index sample = 1;

  static constexpr MethodInfo info{
      .name = "ssfi",
      .title = "Semi-supervised feature importance (SSFI)",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::classes,
      .reference =
          "Barkia, Elghazel, Aussem, Semi-supervised feature importance evaluation with ensemble "
          "learning, ICDM 2011",
      .draws = true};
  static constexpr auto fields() {
    using Self = SsfiOptions;
    return field_list(
        field("n_members", &Self::n_members, between(2, 10'000'000),
              "trees; auto: ten times as many as draw each feature at least once with probability "
              "0.99"),
        field("subspace_size", &Self::subspace_size, at_least(1),
              "features that each tree draws; auto: the root of their number"),
        field("rounds", &Self::rounds, between(0, 1'000'000),
              "how often trees receive unlabeled rows from the others and are grown anew"),
        field("sample", &Self::sample, at_least(1),
              "unlabeled rows of each class that a tree receives in a round"));
  }
};

/// Ranks features by how much worse trees predict if the values of the feature are permuted; higher
/// is better. Reconstructed from the description in the paper: each member draws `subspace_size`
/// features and a bootstrap of the labeled rows and grows a decision tree. In each of `rounds`
/// rounds of co-training it receives, for every class, the `sample` unlabeled rows that most of the
/// other members vote for, keeps them with that class and is grown anew. Its out-of-bag rows are
/// the labeled rows that it did not draw and the unlabeled ones that it never received, whose class
/// is the majority of the others; a feature's importance is the accuracy on them minus that with
/// the feature's values permuted. The score is the mean over the members that hold the feature and
/// have such rows. Sets Ranking::committee; the trace has every draw.
///
/// Deterministic for a seed and any number of threads; O(members x rows x (rounds + depth x
/// features of a tree)), in parallel over rows and members; the table is copied only a few rows at
/// a time. Ties of votes go to the lower row and class. Undefined: a constant column, and one that
/// no member drew.
/// @throws InvalidArgument if an option is out of range or the subspace larger than the table
/// @throws DataError if fewer than two classes have labeled rows, or every column is undefined
Ranking ssfi(const Problem& problem, const SsfiOptions& options = {}, const Run& run = {});

}  // namespace tamis
