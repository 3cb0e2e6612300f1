#include "prepare/label_sample.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::string short_classes_warning(std::span<const std::string> names, Index per_class) {
  return fmt::format(
      "{} label{} per class {} asked for, but there are fewer of {} {}: all of them "
      "are kept",
      per_class, per_class == 1 ? "" : "s", per_class == 1 ? "was" : "were",
      names.size() == 1 ? "class" : "classes", fmt::join(names, ", "));
}

}  // namespace

LabelSample sample_labels(std::span<const Index> labels, std::span<const Index> rows,
                          Index per_class, RandomStream& random,
                          std::span<const std::string> class_names) {
  if (per_class < 1)
    throw InvalidArgument(
        fmt::format("at least one label of each class must be kept, not {}", per_class));
  std::vector<Index> row_labels;
  for (const Index i : rows) row_labels.push_back(labels[i]);
  LabelSample sample{.labels = std::vector<Index>(labels.size(), kUnlabeled)};
  std::vector<std::string> short_classes;
  for (const auto& [label, positions] : positions_by_class(row_labels)) {
    const Index n = std::ssize(positions);
    if (n < per_class)
      short_classes.push_back(fmt::format(
          "{} ({})", class_names.empty() ? std::to_string(label) : class_names[label], n));
    for (const Index place : random.sample(n, std::min(n, per_class)))
      sample.labels[rows[positions[place]]] = label;
  }
  if (!short_classes.empty()) sample.warning = short_classes_warning(short_classes, per_class);
  return sample;
}

}  // namespace tamis
