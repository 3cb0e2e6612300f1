#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/graphs/graph_options.hpp"
#include "tamis/prepare/condense_options.hpp"

namespace tamis {

/// What a constrained Laplacian score divides by; its page tells the formulas.
enum class ClsForm { sum, full, ensemble, pairs, matrix };
constexpr auto option_words(ClsForm) {
  return std::array{std::pair{std::string_view("sum"), ClsForm::sum},
                    std::pair{std::string_view("full"), ClsForm::full},
                    std::pair{std::string_view("ensemble"), ClsForm::ensemble},
                    std::pair{std::string_view("pairs"), ClsForm::pairs},
                    std::pair{std::string_view("matrix"), ClsForm::matrix}};
}

enum class NeighborsAmong { all, unlabeled };
constexpr auto option_words(NeighborsAmong) {
  return std::array{std::pair{std::string_view("all"), NeighborsAmong::all},
                    std::pair{std::string_view("unlabeled"), NeighborsAmong::unlabeled}};
}

struct ClsOptions {
  GraphOptions graph = {};
  ClsForm form = ClsForm::sum;
  NeighborsAmong neighbors_among = NeighborsAmong::all;
  bool cut_cannot_links = true;
  CondenseOptions condense = {};

  static constexpr std::array kPaper{OptionSetting{"bandwidth", "0.1"},
                                     OptionSetting{"bandwidth_unit", "absolute"},
                                     OptionSetting{"condense", "som"}};
  static constexpr MethodInfo info{
      .name = "cls",
      .title = "Constrained Laplacian score",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::nothing,
      .reference =
          "Benabdeslem, Hindawi, Constrained Laplacian score for semi-supervised feature "
          "selection, ECML PKDD 2011",
      .measures_distances = true,
      .paper = kPaper,
      .streams = Streams::condensed,
      .streams_if = "condense=som"};
  static constexpr auto fields() {
    using Self = ClsOptions;
    return joined(
        nested_fields(&Self::graph),
        field_list(
            field("form", &Self::form,
                  "denominator: cannot-links and every row, as often as rows in cannot-links are "
                  "not linked with it, or as all rows are not; cannot-links and unlabeled rows; "
                  "cannot-links alone; a matrix product, for study only"),
            field("neighbors_among", &Self::neighbors_among,
                  "seek neighbours among all rows, or only among the unlabeled ones"),
            field("cut_cannot_links", &Self::cut_cannot_links,
                  "remove neighbour edges that join cannot-linked rows")),
        nested_fields(&Self::condense));
  }
};

/// Ranks features by how well they keep neighbours and must-linked rows together and cannot-linked
/// rows apart; lower is better. The graph has the edges of the k nearest rows and the must-links,
/// without the cannot-links; D_i sums the weights at row i, J are the rows in some cannot-link, c_i
/// counts the cannot-links of row i, and mu is the plain mean. Form `sum`:
///
///   2 f'Lf / [ sum_CL (D_i + D_j)(f_i - f_j)^2 + sum_i (|J| - c_i) D_i (f_i - mu)^2 ],
///
/// without cannot-links 2 f'Lf / sum_i D_i (f_i - mu)^2; form `full` has the number of rows in
/// place of |J|. The page of the method tells the others.
///
/// Deterministic; O(n^2 m) for the exact graph, then O((nk + must-links) m), must-links of labels
/// being visited in blocks and never listed. Undefined: a constant
/// column, and one whose denominator is not positive.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if pairs contradict, `pairs` or `matrix` find no cannot-link, `matrix` too
/// many for a list, or every column is undefined
Ranking cls(const Problem& problem, const ClsOptions& options = {}, const Run& run = {});

}  // namespace tamis
