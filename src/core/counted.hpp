#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "tamis/core/index.hpp"

namespace tamis {

/// "1 row", "2 rows"
inline std::string counted(Index count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace tamis
