#pragma once

#include <sys/resource.h>

#include <optional>
#include <string>

#include "tamis/io/open.hpp"

namespace tamis {

// The HDF5 library, which parses MATLAB 7.3, h5ad and 10x files, crashes on some damaged ones and
// takes all memory for others. So a file that nobody vouches for is first read by a process that
// does nothing else, within limits: here is what such a process does, and may do. Who starts it
// (the program and Python do) knows what else goes on in the process that asks.

/// What reading a file may cost.
struct ReadingLimits {
  rlim_t bytes;    ///< of address space, besides what the process has
  rlim_t seconds;  ///< of CPU time
};

/// How often the content of a file is in memory at a time, at most.
enum class ContentHeld : rlim_t {
  in_runs = 1,  ///< a run of rows after the other
  whole = 10,   ///< HDF5 holds what the file has, in bytes perhaps, and we as much in doubles
};

/// Of a plain file that HDF5 parses. Nothing of any other.
std::optional<ReadingLimits> limits_of_hdf5(const std::string& path, ContentHeld held);

/// Keeps this process, and those that it starts, to so much address space besides what it has.
class MemoryLimit {
 public:
  explicit MemoryLimit(rlim_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
  bool is_set_ = false;
};

/// Keeps this process to so much CPU time for good, and lets it die without a core dump.
void limit_rehearsal(rlim_t seconds);

/// Reads all rows, a few at a time, for nothing. @returns whether the format has runs of rows
/// @throws what open_table_stream does
bool rehearse_rows(const std::string& path, const ReadOptions& options);

/// @throws DataError that the process did not survive the file
[[noreturn]] void refuse_damaged_hdf5(const std::string& path);

}  // namespace tamis
