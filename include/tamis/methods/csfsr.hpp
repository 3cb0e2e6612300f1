#pragma once

#include <array>
#include <string>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

struct CsfsrOptions {
  std::string base = "csfs";  ///< read where methods have names; csfsr() takes a ranker
  Index h = 200;
  double threshold = 0.0;

  static constexpr std::array kPaper{OptionSetting{"base", "csfs:settings=paper"}};
  static constexpr MethodInfo info{
      .name = "csfsr",
      .title = "Constraint selection-based feature selection with redundancy elimination (CSFSR)",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::nothing,
      .reference =
          "Hindawi, Feature selection for semi-supervised data analysis in decisional information "
          "systems, thesis, INSA Lyon 2013",
      .selects_subset = true,
      .draws = true,  // if its base does
      .base_option = "base",
      .paper = kPaper,
      .streams = Streams::passes};  // if its base streams
  static constexpr auto fields() {
    using Self = CsfsrOptions;
    return field_list(
        field("base", &Self::base,
              "method that ranks, with options if wanted: name:option=value,option=value"),
        field("h", &Self::h, at_least(1),
              "best features of the base ranking among which redundant ones are sought"),
        field("threshold", &Self::threshold, between(0, 1),
              "smallest absolute correlation at which a kept feature removes another"));
  }
};

/// Ranks features by `base`, then removes redundant ones among the h best: their maximum
/// spanning tree by |rho| is walked down the ranking, and each feature still alive is kept and
/// removes its neighbours in the tree that correlate with it by `threshold` or more.
///
/// Scores and direction are those of the base ranking; `subset` are the kept features in its order;
/// `order` lists them first, then the removed candidates, then the rest, each in the order of the
/// base ranking. Features without a score are no candidates. `redundancy` holds the tree, the
/// reason of each removal, and the redundancy of the subset.
///
/// Deterministic if the base is; O(nh^2) after it for h candidates of n rows, and h^2 floats of
/// memory. Warns if there are fewer features than an h other than the default.
/// @throws InvalidArgument if an option is out of range
Ranking csfsr(const Problem& problem, const CsfsrOptions& options, const Ranker& base,
              const Run& run = {});

}  // namespace tamis
