#pragma once

#include <filesystem>

namespace tamis {

/// The folder of the project, where golden values and documentation lie. A function, so that one
/// file alone is compiled anew for every clone.
std::filesystem::path source_root();

}  // namespace tamis
