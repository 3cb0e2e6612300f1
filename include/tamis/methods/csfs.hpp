#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/graphs/graph_options.hpp"
#include "tamis/methods/cls.hpp"
#include "tamis/prepare/condense_options.hpp"

namespace tamis {

enum class Linkage { ward };
constexpr auto option_words(Linkage) {
  return std::array{std::pair{std::string_view("ward"), Linkage::ward}};
}

enum class CsfsNeighbors { clusters, nearest };
constexpr auto option_words(CsfsNeighbors) {
  return std::array{std::pair{std::string_view("clusters"), CsfsNeighbors::clusters},
                    std::pair{std::string_view("nearest"), CsfsNeighbors::nearest}};
}

struct CsfsOptions {
  ClsForm form = ClsForm::sum;
  CsfsNeighbors neighbors = CsfsNeighbors::clusters;
  Index n_neighbors = 10;
  bool select_constraints = true;
  Index max_pairs = 2000;
  Linkage linkage = Linkage::ward;
  std::optional<Index> max_clusters = std::nullopt;
  Kernel kernel = Kernel::heat;
  double bandwidth = 1.0;
  BandwidthUnit bandwidth_unit = BandwidthUnit::mean_distance;
  CondenseOptions condense = {};

  static constexpr std::array kPaper{
      OptionSetting{"bandwidth", "0.1"}, OptionSetting{"bandwidth_unit", "absolute"},
      OptionSetting{"condense", "som"}, OptionSetting{"form", "full"}};
  static constexpr MethodInfo info{
      .name = "csfs",
      .title = "Constraint selection and adaptive neighbourhood",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::nothing,
      .reference =
          "Hindawi, Allab, Benabdeslem, Constraint selection-based semi-supervised feature "
          "selection, ICDM 2011",
      .measures_distances = true,
      .draws = true,  // some pairs of many
      .paper = kPaper,
      .streams = Streams::condensed,
      .streams_if = "condense=som"};
  static constexpr auto fields() {
    using Self = CsfsOptions;
    return joined(
        field_list(
            field("form", &Self::form,
                  "denominator: cannot-links and every row, as often as rows in cannot-links are "
                  "not linked with it, or as all rows are not; cannot-links and unlabeled rows; "
                  "cannot-links alone; a matrix product, for study only"),
            field(
                "neighbors", &Self::neighbors,
                "rows that share a cluster, or the nearest rows of each, whichever of two rows is "
                "among the other's"),
            field("n_neighbors", &Self::n_neighbors, at_least(1),
                  "how many those are if they are the nearest"),
            field("select_constraints", &Self::select_constraints,
                  "keep only the constraints that are as coherent as their set"),
            field(
                "max_pairs", &Self::max_pairs, at_least(2),
                "constraints of a kind of which coherence is measured; of more, as many are drawn "
                "by chance"),
            field("linkage", &Self::linkage, "how rows are clustered"),
            field("max_clusters", &Self::max_clusters, at_least(2),
                  "most clusters that may be chosen; auto: the square root of the rows"),
            field("kernel", &Self::kernel, "weight of a pair: exp(-d^2/t), or 1"),
            field("bandwidth", &Self::bandwidth, positive(),
                  "t of the heat kernel in bandwidth units; larger evens out the weights"),
            field("bandwidth_unit", &Self::bandwidth_unit,
                  "mean squared distance of all rows, that of the neighbours, or 1")),
        nested_fields(&Self::condense));
  }
};

/// Ranks features as cls does, but with coherent constraints only and with a neighbourhood that
/// fits the data: rows are neighbours if they are in the same cluster of Ward's clustering, cut
/// where the Davies-Bouldin index is lowest (or, with `neighbors` nearest, if either is among the
/// nearest of the other). A pair weighs w = exp(-d^2/t) in S if its rows are
/// neighbours; in the numerator must-linked neighbours weigh 0, cannot-linked ones w + w^2, and
/// must-linked rows that are no neighbours w^2. Degrees come from S alone. Lower is better.
///
/// Of more than max_pairs constraints of a kind, coherence is measured on as many that are drawn
/// from stream 0 of the seed; every constraint is kept or not all the same.
///
/// Deterministic for a seed; O(n^2 m). Pairs within clusters, and those of labels, are visited in
/// blocks and never stored.
/// Undefined: a constant column, and one whose denominator is not positive.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if pairs contradict, there are too many to select from, `pairs` or `matrix`
/// find no cannot-link, `matrix` too many for a list, every weight is 0, or every column is
/// undefined
Ranking csfs(const Problem& problem, const CsfsOptions& options = {}, const Run& run = {});

}  // namespace tamis
