#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tamis/io/table.hpp"

namespace tamis {

/// Whether a column of this name holds what rows are called, if its values allow it: id, patient,
/// barcode and the like.
bool names_ids(std::string_view name);

/// Takes columns of distinct integers that are named like ids out of the features: the first one
/// becomes the sample ids, if there are none yet. Warns of other features that tell where a row
/// stands or which one it is: those that rise or fall from row to row, and distinct integers where
/// these are rare. A feature whose entry of `is_kept` (one per column) is set stays what it is.
/// Returns the feature that became the ids: where the file has texts, they say more than numbers.
std::optional<Index> set_ids_apart(Table& table, const std::vector<bool>& is_kept);

}  // namespace tamis
