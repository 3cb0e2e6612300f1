#pragma once

#include <optional>
#include <tuple>

#include "tamis/core/options.hpp"

namespace tamis {

struct SomOptions {
  std::optional<Index> units = std::nullopt;

  static constexpr auto fields() {
    return std::tuple{field("units", &SomOptions::units, at_least(2),
                            "units of the map; auto: 5 times the root of the number of rows")};
  }
};

}  // namespace tamis
