#pragma once

#include <cstdlib>
#include <string>

#include "tamis/io/open.hpp"

namespace tamis::bench {

inline std::string path_of(const std::string& file) {
  const char* const folder = std::getenv("TAMIS_BENCH_DATA");
  return std::string(folder == nullptr ? "." : folder) + "/" + file;
}

/// A table that bench/run made and that the peers read too: same numbers, same run.
inline Table load(const std::string& file) { return read_table(path_of(file)); }

/// "blobs-2000x1000.npy" and the like.
inline std::string blobs_file(std::int64_t rows, std::int64_t cols) {
  return "blobs-" + std::to_string(rows) + "x" + std::to_string(cols) + ".npy";
}

/// "noise-100000x100.npy": no clusters in it, so that k-means takes long to settle.
inline std::string noise_file(std::int64_t rows, std::int64_t cols) {
  return "noise-" + std::to_string(rows) + "x" + std::to_string(cols) + ".npy";
}

/// "members-171x5748.npy": doubles, as most files have them.
inline std::string members_file(std::int64_t rows, std::int64_t cols) {
  return "members-" + std::to_string(rows) + "x" + std::to_string(cols) + ".npy";
}

}  // namespace tamis::bench
