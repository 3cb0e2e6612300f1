#pragma once

#include <string_view>

namespace tamis::cli {

/// From here on Ctrl-C (also SIGTERM, SIGHUP) removes unfinished output files, clears the
/// progress line and ends the program at once with 130 (143, 129). Signals that the parent made us
/// ignore stay ignored. A closed pipe and a
/// full disk (a limit on the size of files) become errors of write() instead of signals.
void handle_signals();

inline constexpr std::string_view kNoMemory =
    "not enough memory; --precision single needs half as much";

/// From here on a lack of memory where no exception can be thrown (libraries take memory in their
/// destructors) removes unfinished output files, says so, and ends the program with 1.
void handle_lack_of_memory();

/// What an interrupt says besides, as long as this lives.
class InterruptAdvice {
 public:
  /// @param words must not change or vanish before this does; nullptr: none
  explicit InterruptAdvice(const char* words);
  ~InterruptAdvice();
  InterruptAdvice(const InterruptAdvice&) = delete;
  InterruptAdvice& operator=(const InterruptAdvice&) = delete;
};

}  // namespace tamis::cli
