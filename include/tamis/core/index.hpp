#pragma once

#include <cstdint>

namespace tamis {

/// Every row, column and count of non-zeros: signed, so that differences are safe, and 64 bits
/// wide.
using Index = std::int64_t;

}  // namespace tamis
