#pragma once

#include "tamis/core/index.hpp"

namespace tamis {

/// The most memory that this process has held so far.
Index peak_memory_bytes();

}  // namespace tamis
