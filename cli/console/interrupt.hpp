#pragma once

namespace tamis::cli {

/// From here on Ctrl-C (also SIGTERM, SIGHUP) removes unfinished output files, clears the
/// progress line and ends the program at once with 130 (143, 129). Signals that the parent made us
/// ignore stay ignored. A closed pipe becomes an error of write() instead of a signal.
void handle_signals();

}  // namespace tamis::cli
