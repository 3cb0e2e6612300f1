#pragma once

#include <algorithm>
#include <span>

#include "linalg/ranked_table.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {

/// Some columns of the rows of which something is known, row-major.
struct KnownPanel {
  Index first = 0;
  Index width = 0;
  Buffer<double> values = {};
};

/// Calls visit(panel) for panels of at most some megabytes that together are all columns.
template <class Visit>
void for_each_known_panel(const RankedTable& z, std::span<const Index> known, const Visit& visit) {
  constexpr Index kValues = Index{1} << 20;
  const Index width = std::max<Index>(16, kValues / std::ssize(known));
  for (Index first = 0; first < z.cols(); first += width) {
    KnownPanel panel{.first = first, .width = std::min(width, z.cols() - first)};
    panel.values.resize(std::ssize(known) * panel.width);
    z.copy_rows(known, first, panel.width, panel.values.data());
    visit(panel);
  }
}

}  // namespace tamis
