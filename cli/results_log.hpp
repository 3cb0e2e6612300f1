#pragma once

#include <string>

#include "cli/terminal.hpp"
#include "tamis/evaluation/results.hpp"

namespace tamis::cli {

/// Where the results of an experiment go as they come: to the end of a file that can be continued,
/// to stdout, or nowhere but into memory.
class ResultsLog {
 public:
  enum class Kind { memory, standard_output, file };

  /// Begins with the facts, or continues a file that begins with the same ones; a last line that
  /// was cut is removed.
  /// @throws DataError if the file holds anything else, another experiment's results for instance,
  /// or if another process is writing it
  /// @throws IoError if it cannot be read or written
  ResultsLog(Kind kind, std::string path, ExperimentFacts facts, const Voice& voice);
  ~ResultsLog();
  ResultsLog(const ResultsLog&) = delete;
  ResultsLog& operator=(const ResultsLog&) = delete;

  void add(const RunResult& run);
  const ExperimentResults& results() const { return results_; }

 private:
  void open();
  void continue_file(const Voice& voice);
  void write(const std::string& line);

  Kind kind_;
  std::string path_;
  int descriptor_ = -1;
  ExperimentResults results_;
};

}  // namespace tamis::cli
