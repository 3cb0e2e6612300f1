#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console/address_space.hpp"
#include "cli/console/command.hpp"
#include "cli/console/help.hpp"
#include "cli/console/interrupt.hpp"
#include "cli/console/remedies.hpp"
#include "cli/console/standard_streams.hpp"
#include "cli/console/terminal.hpp"
#include "cli/output/output.hpp"
#include "tamis/core/error.hpp"

namespace tamis::cli {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr int kBadData = 3;
constexpr int kInputOutput = 4;
constexpr int kInterrupted = 130;

int run(std::vector<std::string> words) {
  if (words.empty()) {
    write_error(overview());
    return kUsage;
  }
  const std::string first = words.front();
  words.erase(words.begin());
  if (first == "--version" || first == "-V" || first == "version") {
    write_stdout(fmt::format("tamis {}\n", TAMIS_VERSION));
  } else if (first == "--help" || first == "-h" || (first == "help" && words.empty())) {
    write_stdout(overview());
  } else if (first == "help") {
    write_stdout(command_help(parse(find_command(words.front()), {"--help"})));
  } else {
    const Command& command = find_command(first);
    const Arguments arguments = parse(command, std::move(words));
    if (arguments.is_on("help"))
      write_stdout(command_help(arguments));
    else
      command.run(arguments);
  }
  return kDone;
}

int report(int code, std::string_view message) {
  write_error(fmt::format("{}\n", for_screen(fmt::format("tamis: {}", printable(message)),
                                             screen_of(STDERR_FILENO, {}))));
  return code;
}

int report(int code, const Error& error) {
  return report(code, with_remedy(error.what(), error.remedy()));
}

int report_no_memory() { return report(kFailed, kNoMemory); }

int run_and_report(std::vector<std::string> words) {
  try {
    return run(std::move(words));
  } catch (const ClosedPipe&) {
    return kDone;
  } catch (const InvalidArgument& error) {
    return report(kUsage, error);
  } catch (const DataError& error) {
    return report(kBadData, error);
  } catch (const IoError& error) {
    return report(kInputOutput, error);
  } catch (const Interrupted& error) {
    return report(kInterrupted, error);
  } catch (const std::bad_alloc&) {
    return report_no_memory();
  } catch (const std::length_error&) {  // more than any memory could hold
    return report_no_memory();
  } catch (const std::exception& error) {
    return report(kFailed, error.what());
  }
}

/// Ends the program without its exit handlers, as one of them would wait for OpenBLAS.
void check_address_space() {
  if (const auto lack = lack_of_address_space()) std::_Exit(report(kFailed, *lack));
}

}  // namespace
}  // namespace tamis::cli

// Exit codes: 0 done; 1 the computation failed; 2 the command line is wrong; 3 bad data; 4 I/O;
// 130 interrupted. Results go to stdout, words for people to stderr.
int main(int argc, char** argv) {
  tamis::cli::open_standard_streams();
  tamis::cli::handle_signals();
  tamis::cli::handle_lack_of_memory();
  tamis::cli::check_address_space();
  return tamis::cli::run_and_report({argv + 1, argv + argc});
}
