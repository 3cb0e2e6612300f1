#include "io/row_lookup.hpp"

#include <fmt/format.h>

#include <charconv>

#include "io/delimited.hpp"
#include "tamis/core/error.hpp"

namespace tamis {

RowLookup::RowLookup(Index rows, const std::vector<std::string>& sample_ids)
    : rows_(rows), sample_ids_(sample_ids) {
  for (Index i = 0; i < std::ssize(sample_ids); ++i) by_id_.emplace(sample_ids[i], i);
}

std::optional<Index> RowLookup::find(std::string_view text) const {
  if (!sample_ids_.empty()) {
    const auto found = by_id_.find(text);
    return found == by_id_.end() ? std::nullopt : std::optional(found->second);
  }
  Index row = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, row);
  if (code != std::errc{} || stop != end || row < 0 || row >= rows_) return std::nullopt;
  return row;
}

Index RowLookup::at(std::string_view text, const std::string& place) const {
  if (const auto row = find(text)) return *row;
  if (sample_ids_.empty())
    throw DataError(fmt::format("{}: {} is no row; the table has rows 0 to {} and no ids", place,
                                shown(text), rows_ - 1));
  throw DataError(fmt::format("{}: no row of the table has the id {}{}", place, shown(text),
                              did_you_mean(text, sample_ids_)));
}

}  // namespace tamis
