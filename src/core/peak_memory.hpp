#pragma once

#include "tamis/core/index.hpp"

namespace tamis {

/// The most memory that this process has held so far.
Index peak_memory_bytes();

/// The memory that it holds now.
Index held_memory_bytes();

/// The memory that it could take besides: what the machine has left, its group of processes and its
/// own limits allow.
Index available_memory_bytes();

/// The address space that this process has now; 0 if the system does not say.
Index address_space_bytes();

}  // namespace tamis
