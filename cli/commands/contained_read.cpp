#include "cli/commands/contained_read.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>

#include "io/rehearsal.hpp"
#include "tamis/core/error.hpp"

namespace tamis::cli {
namespace {

/// In a process that nobody hears; errors are said by the one that reads for good.
[[noreturn]] void rehearse(const std::function<void()>& read, rlim_t seconds) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
  std::set_terminate(&std::abort);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  limit_rehearsal(seconds);
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

/// Reads, within as much memory as sufficed a process of its own that did `rehearsal` first: what
/// only failed there for want of memory must not take all of it here. Just reads where there are no
/// limits. @throws DataError if that process does not survive
void try_first(const std::string& path, const std::optional<ReadingLimits>& limits,
               const std::function<void()>& rehearsal, const std::function<void()>& read) {
  if (!limits) return read();
  const MemoryLimit memory(limits->bytes);
  if (!survives(path, rehearsal, limits->seconds)) refuse_damaged_hdf5(path);
  read();
}

std::optional<ReadingLimits> limits_of(const std::string& path, bool is_trusted, ContentHeld held) {
  return is_trusted ? std::nullopt : limits_of_hdf5(path, held);
}

}  // namespace

void do_contained(const std::string& path, bool is_trusted, const std::function<void()>& read) {
  try_first(path, limits_of(path, is_trusted, ContentHeld::whole), read, read);
}

Table read_contained(const std::string& path, const ReadOptions& options) {
  Table table;
  do_contained(path, options.is_trusted, [&] { table = read_table(path, options); });
  return table;
}

std::optional<TableStream> open_contained(const std::string& path, const ReadOptions& options) {
  std::optional<TableStream> stream;
  try_first(
      path, limits_of(path, options.is_trusted, ContentHeld::in_runs),
      [&] { rehearse_rows(path, options); }, [&] { stream = open_table_stream(path, options); });
  return stream;
}

}  // namespace tamis::cli
