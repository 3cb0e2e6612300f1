#include "cli/console/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "cli/console/terminal.hpp"
#include "io/atomic_file.hpp"

namespace tamis::cli {
namespace {

// A lock-free atomic is all that a signal handler may share with the program.
std::atomic<const char*> advice = nullptr;
static_assert(std::atomic<const char*>::is_always_lock_free);

// Only calls that POSIX allows in a signal handler: isatty, write, unlink, _exit.
extern "C" void end_by(int signal) {
  AtomicFile::remove_unfinished();
  if (isatty(STDERR_FILENO) == 1) write_error("\r\033[K");
  write_error("tamis: interrupted");
  if (const char* const words = advice) {
    write_error("; ");
    write_error(words);
  }
  write_error("\n");
  _exit(128 + signal);
}

std::atomic<bool> is_memory_lacking = false;

[[noreturn]] void end_by_exception() {
  if (!is_memory_lacking) std::abort();
  AtomicFile::remove_unfinished();
  write_error("tamis: ");
  write_error(kNoMemory);
  write_error("\n");
  _exit(1);
}

}  // namespace

void handle_lack_of_memory() {
  std::set_new_handler([] {
    is_memory_lacking = true;
    throw std::bad_alloc();
  });
  std::set_terminate(&end_by_exception);
}

void handle_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(number, &end_by) == SIG_IGN) std::signal(number, SIG_IGN);
  // A closed pipe, a full disk: what write() then returns says so.
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
}

InterruptAdvice::InterruptAdvice(const char* words) { advice = words; }
InterruptAdvice::~InterruptAdvice() { advice = nullptr; }

}  // namespace tamis::cli
