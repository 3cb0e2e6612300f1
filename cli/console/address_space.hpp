#pragma once

#include <optional>
#include <string>

namespace tamis::cli {

/// What to say if memory is so limited (ulimit -v) that OpenBLAS, which asks for some on each core
/// when it starts, would ask again for ever: the program must end at once. Nothing if it is not.
std::optional<std::string> lack_of_address_space();

}  // namespace tamis::cli
