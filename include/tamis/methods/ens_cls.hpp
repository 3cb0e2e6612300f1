#pragma once

#include <array>
#include <optional>

#include "tamis/ensembles/combine.hpp"
#include "tamis/methods/cls.hpp"

namespace tamis {

/// How the members of the ensemble use cls.
constexpr ClsOptions member_cls_options() {
  ClsOptions options;
  options.neighbors_among = NeighborsAmong::unlabeled;
  options.condense.condense = Condense::som;
  return options;
}

struct EnsClsOptions {
  std::optional<Index> n_members = std::nullopt;
  std::optional<Index> subspace_size = std::nullopt;
  Combine combine = Combine::mean;
  ClsOptions cls = member_cls_options();

  static constexpr std::array kPaper{
      OptionSetting{"bandwidth", "0.1"}, OptionSetting{"bandwidth_unit", "absolute"},
      OptionSetting{"form", "ensemble"}, OptionSetting{"combine", "literal"}};
  static constexpr MethodInfo info{
      .name = "ens_cls",
      .title = "Ensemble constrained Laplacian score",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::constraints,
      .reference =
          "Hindawi, Elghazel, Benabdeslem, Efficient semi-supervised feature selection by an "
          "ensemble approach, COPEM workshop at ECML PKDD 2013",
      .measures_distances = true,
      .draws = true,
      .paper = kPaper};
  static constexpr auto fields() {
    using Self = EnsClsOptions;
    return joined(
        field_list(field("n_members", &Self::n_members, kMemberCount,
                         "members; auto: ten times as many as draw each feature at least once with "
                         "probability 0.99"),
                   field("subspace_size", &Self::subspace_size, at_least(1),
                         "features that each member draws; auto: the root of their number"),
                   field("combine", &Self::combine, kCombineHelp)),
        nested_fields(&Self::cls));
  }
};

/// Ranks features by the constrained Laplacian scores that the members of an ensemble give them
/// (algorithm 2 of the paper): each draws `subspace_size` features without replacement and a
/// bootstrap of the labeled rows (and of explicit pairs), takes all unlabeled rows, and scores its
/// features by cls, with neighbours among unlabeled rows or their condensed map. Lower is better
/// (combine = borda: higher). Sets Ranking::committee; every draw is in the trace.
///
/// A bootstrap of one class has no cannot-links and uses cls's form without them. Deterministic for
/// a seed and any number of threads; O(members x n^2 sqrt(m)) without condensing, in parallel over
/// members. Undefined: a feature that no member drew or could score (combine = literal gives it 0).
/// @throws InvalidArgument if an option is out of range or the subspace larger than the table
/// @throws DataError if there is neither a must-link nor a cannot-link, pairs contradict, or every
/// column is undefined
Ranking ens_cls(const Problem& problem, const EnsClsOptions& options = {}, const Run& run = {});

/// 10 ceil(log 0.01 / log(1 - 1/sqrt(m))) for m features.
Index committee_size(Index n_features);

/// Features in the subspace of a member: round(sqrt(m)).
Index default_subspace_size(Index n_features);

}  // namespace tamis
