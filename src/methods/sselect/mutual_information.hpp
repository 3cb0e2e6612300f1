#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "tamis/methods/sselect.hpp"

namespace tamis {

/// Normalised mutual information, in [0, 1], of two partitions given by their contingency table
/// (row-major, `columns` wide: entry (a, b) counts the items in part a of one and part b of the
/// other). 0 if an entropy is 0. Permuting rows or columns of the table changes no bit of it.
double normalized_mutual_information(std::span<const Index> table, Index columns,
                                     NmiNormalization normalization);

}  // namespace tamis
