#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace tamis {

/// What HDF5 files hold in place of a text of variable length.
using Hdf5HeapReference = std::array<char, 16>;

/// The text that a reference leads to, in the global heap of the file whose HDF5 part starts at
/// byte `base`; nothing if it is damaged. Read by our own code, as HDF5 1.10 loops for ever
/// on some heaps with wrong sizes.
/// "HDF5 File Format Specification", III.E, "Disk Format: Level 1E - Global Heap".
std::optional<std::string> read_heap_text(const std::string& path, std::uint64_t base,
                                          const Hdf5HeapReference& reference);

}  // namespace tamis
