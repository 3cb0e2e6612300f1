#pragma once

#include "tamis/core/options.hpp"

namespace tamis {

/// How columns become states; part of the options of every method that counts them.
struct StateOptions {
  double state_width = 0.5;

  static constexpr auto fields() {
    return field_list(field("state_width", &StateOptions::state_width, positive(),
                            "half the width of the middle state in standard deviations; values "
                            "above and below it are the other two"));
  }
};

}  // namespace tamis
