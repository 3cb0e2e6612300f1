#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "tamis/core/error.hpp"

namespace tamis {

/// The entry of a registry whose info has the name. `kind` is what messages call it.
/// @throws InvalidArgument for an unknown name, suggesting a near one or listing all
template <class Entry>
const Entry& find_by_name(std::span<const Entry> entries, std::string_view kind,
                          const std::string& name) {
  const auto found =
      std::ranges::find(entries, name, [](const Entry& entry) { return entry.info.name; });
  if (found != entries.end()) return *found;
  std::vector<std::string> known;
  for (const Entry& entry : entries) known.emplace_back(entry.info.name);
  const std::string suggestion = did_you_mean(name, known);
  throw InvalidArgument(fmt::format(
      "there is no {} '{}'{}", kind, name,
      suggestion.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : suggestion));
}

}  // namespace tamis
