#pragma once

#include <optional>

#include "tamis/clustering/clustering.hpp"
#include "tamis/core/options.hpp"

namespace tamis {

struct SomOptions {
  std::optional<Index> units = std::nullopt;

  static constexpr ClustererInfo info{.name = "som",
                                      .title = "Self-organizing map",
                                      .reference = "Kohonen, Self-Organizing Maps, Springer 2001",
                                      .counts_clusters = false,
                                      .takes_constraints = false,
                                      .takes_start = false,
                                      .takes_rows = true,
                                      .draws = false,
                                      .streams = true};
  static constexpr auto fields() {
    return field_list(field("units", &SomOptions::units, at_least(2),
                            "units of the map; auto: 5 times the root of the number of rows"));
  }
};

}  // namespace tamis
