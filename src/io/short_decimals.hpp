#pragma once

#include <concepts>

#include "tamis/core/index.hpp"

namespace tamis {

/// How many are read at once.
inline constexpr Index kDecimalsAtOnce = 4;

/// Reads fields of a record as read_short_decimal() would, several at once, as long as each is
/// [-]digits[.digits], of at most eight characters beside the minus, or sixteen if T is double and
/// holds the digits. Returns how many it read: it stops before kDecimalsAtOnce of which one is
/// something else, and reads none where the CPU cannot do so. Behind the record, so many characters
/// as kShortDecimalReach must be in memory.
/// @param ends of the fields, counted from the start of the record; ends[-1] is that of the field
/// before them, or -1
template <std::floating_point T>
Index read_short_decimals(const char* record, const Index* ends, Index fields, T* out);

}  // namespace tamis
