#include "cli/console/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "cli/console/terminal.hpp"
#include "io/atomic_file.hpp"

namespace tamis::cli {
namespace {

// Only calls that POSIX allows in a signal handler: isatty, write, unlink, _exit.
extern "C" void end_by(int signal) {
  AtomicFile::remove_unfinished();
  if (isatty(STDERR_FILENO) == 1) write_error("\r\033[K");
  write_error("tamis: interrupted\n");
  _exit(128 + signal);
}

}  // namespace

void handle_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(number, &end_by) == SIG_IGN) std::signal(number, SIG_IGN);
  // A closed pipe, a full disk: what write() then returns says so.
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
}

}  // namespace tamis::cli
