#pragma once

#include "io/table_stream.hpp"

namespace tamis {

/// A table that was read whole as one of which runs of rows are read: for formats that have none.
TableStream stream_of(Table table, std::string fingerprint);

}  // namespace tamis
