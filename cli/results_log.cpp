#include "cli/results_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/output.hpp"
#include "cli/run_report.hpp"
#include "tamis/core/error.hpp"
#include "tamis/evaluation/experiment.hpp"

namespace tamis::cli {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
}

}  // namespace

ResultsLog::ResultsLog(Kind kind, std::string path, ExperimentFacts facts, const Voice& voice)
    : kind_(kind), path_(std::move(path)), results_{.facts = std::move(facts)} {
  if (kind_ == Kind::file) open();
  struct stat status {};
  if (kind_ == Kind::file && fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size > 0)
    continue_file(voice);
  else
    write(to_json_line(results_.facts));
}

ResultsLog::~ResultsLog() {
  if (descriptor_ >= 0) close(descriptor_);
}

void ResultsLog::open() {
  constexpr mode_t kMode = 0666;
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
  if (descriptor_ < 0) fail(path_);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw DataError(fmt::format("{}: another process is writing it", path_));
}

void ResultsLog::continue_file(const Voice& voice) {
  ResultsFile file = read_results(path_);
  const std::string other = difference(file.results.facts, results_.facts);
  if (!other.empty())
    throw DataError(fmt::format(
        "{}: this file holds results of another experiment: {}. Continue with what it was made "
        "with, or give -o another file",
        path_, other));
  if (file.incomplete_from) {
    if (ftruncate(descriptor_, *file.incomplete_from) != 0) fail(path_);
    voice.note(fmt::format("{}: the last line was cut; that run is done again", path_));
  }
  results_.runs = std::move(file.results.runs);
  voice.note(
      fmt::format("{}: continued after {}", path_, counted(std::ssize(results_.runs), "result")));
}

void ResultsLog::add(const RunResult& run) {
  write(to_json_line(run));
  results_.runs.push_back(run);
}

void ResultsLog::write(const std::string& line) {
  if (kind_ == Kind::standard_output) write_stdout(line);
  if (kind_ != Kind::file) return;
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path_);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace tamis::cli
