#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "tamis/core/knowledge.hpp"

namespace tamis {

/// The few labels that a simulated user has.
struct LabelSample {
  std::vector<Index> labels = {};                     ///< one per row; all others are unlabeled
  std::optional<std::string> warning = std::nullopt;  ///< which classes have fewer than asked for
};

/// Keeps the labels of `per_class` random rows of each class among `rows`; all of a class that has
/// fewer. Class names, if given, are for the warning.
/// @throws InvalidArgument for per_class < 1
LabelSample sample_labels(std::span<const Index> labels, std::span<const Index> rows,
                          Index per_class, RandomStream& random,
                          std::span<const std::string> class_names = {});

}  // namespace tamis
