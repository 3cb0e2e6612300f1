#include "cli/commands/contained_read.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>

#include "core/peak_memory.hpp"
#include "io/byte_source.hpp"
#include "io/expansion.hpp"
#include "io/matlab.hpp"
#include "tamis/core/error.hpp"

namespace tamis::cli {
namespace {

constexpr rlim_t kMegabyte = 1'000'000;

/// Keeps this process, and those that it starts, to so much address space besides what it has.
class MemoryLimit {
 public:
  explicit MemoryLimit(rlim_t bytes) {
#ifdef TAMIS_SANITIZED
    static_cast<void>(bytes);  // AddressSanitizer needs terabytes
#else
    const auto held = static_cast<rlim_t>(address_space_bytes());
    if (held == 0 || getrlimit(RLIMIT_AS, &before_) != 0) return;
    const rlimit lower{std::min(before_.rlim_cur, held + bytes), before_.rlim_max};
    is_set_ = setrlimit(RLIMIT_AS, &lower) == 0;
#endif
  }
  ~MemoryLimit() {
    if (is_set_) setrlimit(RLIMIT_AS, &before_);
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
  bool is_set_ = false;
};

/// Of a plain MATLAB 7.3 file its size.
std::optional<std::size_t> size_if_matlab_73(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return std::nullopt;
  ByteSource source(path);
  return looks_like_matlab_73(source) ? source.remaining() : std::nullopt;
}

/// In a process that nobody hears; errors are said by the one that reads for good.
[[noreturn]] void rehearse(const std::function<void()>& read, rlim_t seconds) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
  std::set_terminate(&std::abort);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  const rlimit no_core{0, 0};
  const rlimit time{seconds, seconds};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_CPU, &time);
  try {
    read();
  } catch (...) {
    _exit(0);
  }
  _exit(0);
}

bool survives(const std::string& path, const std::function<void()>& read, rlim_t seconds) {
  const pid_t child = fork();
  if (child < 0)
    throw IoError(
        fmt::format("{}: no process can be started that tries it: {}", path, std::strerror(errno)),
        {Remedy::Action::trust_file});
  if (child == 0) rehearse(read, seconds);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// All rows, a few at a time, for nothing.
void read_rows(const std::string& path, const ReadOptions& options) {
  constexpr Index kBlockBytes = 8 * Index{kMegabyte};
  const auto stream = open_table_stream(path, options);
  if (!stream) return;
  RowSource& rows = *stream->rows;
  const Index step = std::max<Index>(kBlockBytes / rows.bytes_per_row(), 1);
  OwnedTable block;
  for (Index first = 0; first < rows.rows(); first += step)
    rows.read(first, std::min(step, rows.rows() - first), block);
}

/// Reads, within as much memory as sufficed a process of its own that did `rehearsal` first: what
/// only failed there for want of memory must not take all of it here.
/// @throws DataError if that process does not survive
void try_first(const std::string& path, std::size_t size, bool is_trusted, rlim_t times_content,
               const std::function<void()>& rehearsal, const std::function<void()>& read) {
  const MemoryLimit memory(256 * kMegabyte + times_content * largest_content(size, is_trusted));
  const rlim_t seconds = 20 + size / kMegabyte;
  if (!survives(path, rehearsal, seconds))
    throw DataError(
        fmt::format("{}: the HDF5 file is damaged: the HDF5 library fails on it", path));
  read();
}

}  // namespace

void do_contained(const std::string& path, bool is_trusted, const std::function<void()>& read) {
  // Of content, HDF5 holds what the file has, in bytes perhaps, and we as much in doubles.
  constexpr rlim_t kTimesContent = 10;
  if (const auto size = is_trusted ? std::nullopt : size_if_matlab_73(path))
    return try_first(path, *size, is_trusted, kTimesContent, read, read);
  read();
}

Table read_contained(const std::string& path, const ReadOptions& options) {
  Table table;
  do_contained(path, options.is_trusted, [&] { table = read_table(path, options); });
  return table;
}

std::optional<TableStream> open_contained(const std::string& path, const ReadOptions& options) {
  std::optional<TableStream> stream;
  const auto open = [&] { stream = open_table_stream(path, options); };
  if (const auto size = options.is_trusted ? std::nullopt : size_if_matlab_73(path))
    try_first(
        path, *size, options.is_trusted, 1, [&] { read_rows(path, options); }, open);
  else
    open();
  return stream;
}

}  // namespace tamis::cli
