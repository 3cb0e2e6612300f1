#pragma once

#include <optional>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/graphs/graph_options.hpp"
#include "tamis/prepare/condense_options.hpp"

namespace tamis {

/// What mutual information is divided by: the larger entropy, or the geometric mean of both.
enum class NmiNormalization { max, sqrt };
constexpr auto option_words(NmiNormalization) {
  return std::array{std::pair{std::string_view("max"), NmiNormalization::max},
                    std::pair{std::string_view("sqrt"), NmiNormalization::sqrt}};
}

struct SselectOptions {
  GraphOptions graph = {};
  std::optional<double> eta = 0.1;
  Index auto_top = 10;
  NmiNormalization normalization = NmiNormalization::max;
  CondenseOptions condense = {};

  static constexpr MethodInfo info{
      .name = "sselect",
      .title = "Semi-supervised feature selection by spectral analysis (sSelect)",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::nothing,
      .reference = "Zhao, Liu, Semi-supervised feature selection via spectral analysis, SDM 2007",
      .measures_distances = true,
      .streams = Streams::condensed,
      .streams_if = "condense=som"};
  static constexpr auto fields() {
    using Self = SselectOptions;
    return joined(
        nested_fields(&Self::graph),
        field_list(
            field(
                "eta", &Self::eta, between(0, 1),
                "weight of the graph against the labels; auto: the one of 0.1, 0.2, ..., 0.9 whose "
                "best features cut the rows most easily in two"),
            field("auto_top", &Self::auto_top, at_least(1),
                  "number of best features on which eta = auto judges"),
            field("normalization", &Self::normalization,
                  "mutual information over the larger entropy, or over their geometric mean")),
        nested_fields(&Self::condense));
  }
};

/// Ranks features by their Laplacian score and their agreement with the labels; lower is better:
/// eta f~'L f~ / f~'D f~ + (1 - eta)(1 - NMI(sign(f~) on the labeled rows, labels)), sign(0) = +1.
/// figures: eta; for eta = auto also the cut value of the features that it puts first.
///
/// Deterministic; O(n^2 m) for the exact graph, then O(nkm); eta = auto builds at most nine graphs
/// on auto_top features more. Labels of fewer than two classes add nothing: a warning says so.
/// Undefined where laplacian_score is.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if every column is undefined
Ranking sselect(const Problem& problem, const SselectOptions& options = {}, const Run& run = {});

}  // namespace tamis
