#include "evaluation/results_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "evaluation/experiment.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
}

}  // namespace

ResultsLog::ResultsLog(std::string path, ExperimentFacts facts, Words words)
    : path_(std::move(path)), words_(std::move(words)), results_{.facts = std::move(facts)} {
  if (path_.empty()) return;
  open();
  struct stat status {};
  if (fstat(descriptor_.value, &status) != 0) fail(path_);
  if (S_ISREG(status.st_mode) && status.st_size > 0)
    continue_file();
  else
    write(to_json_line(results_.facts));
}

ResultsLog::Descriptor::~Descriptor() {
  if (value >= 0) ::close(value);
}

void ResultsLog::close() {
  if (descriptor_.value >= 0 && ::close(std::exchange(descriptor_.value, -1)) != 0) fail(path_);
}

void ResultsLog::open() {
  constexpr mode_t kMode = 0666;
  descriptor_.value = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
  if (descriptor_.value < 0) fail(path_);
  if (flock(descriptor_.value, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw DataError(fmt::format("{}: another process is writing it", path_));
}

void ResultsLog::continue_file() {
  ResultsFile file = read_results(path_);
  const std::string other = difference(file.results.facts, results_.facts);
  if (!other.empty())
    throw DataError(fmt::format(
        "{}: this file holds results of another experiment: {}. Continue with what it was made "
        "with, or {}",
        path_, other, words_.other_file));
  if (file.incomplete_from) {
    if (ftruncate(descriptor_.value, *file.incomplete_from) != 0) fail(path_);
    note("the last line was cut; that run is done again");
  }
  results_.runs = std::move(file.results.runs);
  note(fmt::format("continued after {} result{}", results_.runs.size(),
                   results_.runs.size() == 1 ? "" : "s"));
}

void ResultsLog::note(const std::string& text) const {
  if (words_.note) words_.note(fmt::format("{}: {}", path_, text));
}

void ResultsLog::add(const RunResult& run) {
  write(to_json_line(run));
  results_.runs.push_back(run);
}

void ResultsLog::write(const std::string& line) {
  if (path_.empty()) return;
  const off_t before = lseek(descriptor_.value, 0, SEEK_END);
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t written = ::write(descriptor_.value, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int reason = errno;
      take_back(before);
      errno = reason;
      fail(path_);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Of a line that has no room nothing is left, and no file if that was the first one.
void ResultsLog::take_back(off_t size) {
  if (size < 0 || ftruncate(descriptor_.value, size) != 0) return;  // no regular file
  if (size == 0) unlink(path_.c_str());
}

}  // namespace tamis
