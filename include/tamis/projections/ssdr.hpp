#pragma once

#include <array>

#include "tamis/core/options.hpp"
#include "tamis/core/run.hpp"
#include "tamis/projections/projection.hpp"

namespace tamis {

/// What directions are judged by: cannot-links, must-links and all rows (unlabeled ones too), or
/// fewer of these.
enum class SsdrVariant { cmu, cm, m };
constexpr auto option_words(SsdrVariant) {
  return std::array{std::pair{std::string_view("cmu"), SsdrVariant::cmu},
                    std::pair{std::string_view("cm"), SsdrVariant::cm},
                    std::pair{std::string_view("m"), SsdrVariant::m}};
}

struct SsdrOptions {
  Index n_components = 10;
  SsdrVariant variant = SsdrVariant::cmu;
  double alpha = 1.0;
  double beta = 20.0;

  static constexpr ProjectionInfo info{
      .name = "ssdr",
      .title = "Semi-supervised dimensionality reduction",
      .supervision = Supervision::semi_supervised,
      .reference = "Zhang, Zhou, Chen, Semi-supervised dimensionality reduction, SDM 2007"};
  static constexpr auto fields() {
    using Self = SsdrOptions;
    return field_list(
        field("n_components", &Self::n_components, at_least(1), kComponentsHelp),
        field("variant", &Self::variant,
              "cmu: all rows, cannot-links and must-links; cm: without the rows; m: must-links"),
        field("alpha", &Self::alpha, at_least(0), "weight of the cannot-links"),
        field("beta", &Self::beta, at_least(0), "weight of the must-links"));
  }
};

/// Projects on the orthonormal directions along which rows vary and cannot-linked rows lie apart,
/// but must-linked rows lie close: the leading eigenvectors of
/// X_c'X_c / n + alpha / |CL| sum_CL dd' - beta / |ML| sum_ML dd', d being the difference of a
/// pair's rows (eq. 2.13 of the thesis). Pairs count by their weights. Where eigenvalues are equal
/// (those of `m` that are 0), directions are those in which the rows vary most.
///
/// Deterministic; O(nm min(n, m)), and pairs that labels imply are never listed.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if pairs contradict, all rows are equal, or rows and columns both exceed 20000
Projection ssdr(const Problem& problem, const SsdrOptions& options = {}, const Run& run = {});

}  // namespace tamis
