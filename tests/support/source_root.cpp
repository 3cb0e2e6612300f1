#include "support/source_root.hpp"

namespace tamis {

std::filesystem::path source_root() { return TAMIS_SOURCE_ROOT; }

}  // namespace tamis
