#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// Finds rows by sample id, or by 0-based number where the table has no ids.
class RowLookup {
 public:
  /// `sample_ids` must outlive the lookup.
  RowLookup(Index rows, const std::vector<std::string>& sample_ids);

  std::optional<Index> find(std::string_view text) const;
  /// The same, or @throws DataError "<place>: no row ...", suggesting a near id
  Index at(std::string_view text, const std::string& place) const;

 private:
  Index rows_;
  const std::vector<std::string>& sample_ids_;
  std::unordered_map<std::string_view, Index> by_id_;
};

}  // namespace tamis
