#pragma once

#include <array>
#include <vector>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/graphs/graph_options.hpp"
#include "tamis/prepare/condense_options.hpp"

namespace tamis {

struct Graph;

struct LaplacianScoreOptions {
  GraphOptions graph = {};
  bool must_link_edges = false;
  CondenseOptions condense = {};

  static constexpr std::array kPaper{OptionSetting{"bandwidth", "0.1"},
                                     OptionSetting{"bandwidth_unit", "absolute"},
                                     OptionSetting{"must_link_edges", "true"}};
  static constexpr MethodInfo info{
      .name = "laplacian_score",
      .title = "Laplacian score",
      .supervision = Supervision::unsupervised,
      .needs = Needs::nothing,
      .reference = "He, Cai, Niyogi, Laplacian score for feature selection, NIPS 2005",
      .measures_distances = true,
      .paper = kPaper,
      .streams = Streams::condensed,
      .streams_if = "condense=som"};
  static constexpr auto fields() {
    using Self = LaplacianScoreOptions;
    return joined(nested_fields(&Self::graph),
                  field_list(field("must_link_edges", &Self::must_link_edges,
                                   "join must-linked rows too (labels, pairs)")),
                  nested_fields(&Self::condense));
  }
};

/// Ranks features by how well they keep neighbouring rows together; lower is better:
/// f~'L f~ / f~'D f~ with f~ = f - (f'D1 / 1'D1) 1 on the heat-kernel graph of the k nearest rows.
///
/// Deterministic; O(n^2 m) for the exact graph, then O(nkm). A column that is constant over the
/// rows with an edge of positive weight is 0/0: undefined.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if every column is undefined
Ranking laplacian_score(const Problem& problem, const LaplacianScoreOptions& options = {},
                        const Run& run = {});

/// The score of each column on a graph that the caller has built, and f'D1 / 1'D1.
struct LaplacianTerms {
  std::vector<double> scores;  ///< kUndefined where the formula has no value
  std::vector<double> means;
};
LaplacianTerms laplacian_terms(const MatrixView& x, const Graph& graph);

}  // namespace tamis
