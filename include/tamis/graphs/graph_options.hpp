#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "tamis/core/options.hpp"

namespace tamis {

enum class Symmetry { either, mutual };
constexpr auto option_words(Symmetry) {
  return std::array{std::pair{std::string_view("either"), Symmetry::either},
                    std::pair{std::string_view("mutual"), Symmetry::mutual}};
}

enum class Kernel { heat, binary };
constexpr auto option_words(Kernel) {
  return std::array{std::pair{std::string_view("heat"), Kernel::heat},
                    std::pair{std::string_view("binary"), Kernel::binary}};
}

enum class BandwidthUnit { mean_distance, mean_edge, absolute };
constexpr auto option_words(BandwidthUnit) {
  return std::array{std::pair{std::string_view("mean_distance"), BandwidthUnit::mean_distance},
                    std::pair{std::string_view("mean_edge"), BandwidthUnit::mean_edge},
                    std::pair{std::string_view("absolute"), BandwidthUnit::absolute}};
}

/// How rows become a weighted graph; part of the options of every graph method.
struct GraphOptions {
  Index n_neighbors = 10;
  Symmetry symmetry = Symmetry::either;
  Kernel kernel = Kernel::heat;
  double bandwidth = 1.0;
  BandwidthUnit bandwidth_unit = BandwidthUnit::mean_distance;

  static constexpr auto fields() {
    using Self = GraphOptions;
    return field_list(
        field("n_neighbors", &Self::n_neighbors, at_least(1), "nearest rows joined to each row"),
        field("symmetry", &Self::symmetry,
              "join two rows if either, or only if both, are among the other's nearest"),
        field("kernel", &Self::kernel, "weight of an edge: exp(-d^2/t), or 1"),
        field("bandwidth", &Self::bandwidth, positive(),
              "t of the heat kernel in bandwidth units; larger evens out the weights"),
        field("bandwidth_unit", &Self::bandwidth_unit,
              "mean squared distance of all rows, that of the edges, or 1"));
  }
};

}  // namespace tamis
