#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "tamis/clustering/som_options.hpp"

namespace tamis {

enum class Condense { none, som };
constexpr auto option_words(Condense) {
  return std::array{std::pair{std::string_view("none"), Condense::none},
                    std::pair{std::string_view("som"), Condense::som}};
}

/// Whether a method works on all unlabeled rows or on a map of them.
struct CondenseOptions {
  Condense condense = Condense::none;
  SomOptions som = {};

  static constexpr auto fields() {
    return joined(
        field_list(field("condense", &CondenseOptions::condense,
                         "som: score a self-organizing map's reference vectors in place of the "
                         "unlabeled rows")),
        nested_fields(&CondenseOptions::som));
  }
};

}  // namespace tamis
