#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "evaluation/results.hpp"

namespace tamis {

/// Keeps the results of an experiment as they come, in memory and at the end of a file that can be
/// continued.
class ResultsLog {
 public:
  struct Words {
    std::function<void(const std::string&)> note = {};  ///< hears how a file is continued
    std::string other_file = "choose another file";     ///< advice if it cannot be
  };

  /// Begins with the facts, or continues a file that begins with the same ones; a last line that
  /// was cut is removed. Without a path there is no file.
  /// @throws DataError if the file holds anything else, another experiment's results for instance,
  /// or if another process is writing it
  /// @throws IoError if it cannot be read or written
  ResultsLog(std::string path, ExperimentFacts facts, Words words);
  void add(const RunResult& run);
  /// Network file systems report a full disk only when a file is closed. @throws IoError
  void close();
  const ExperimentResults& results() const { return results_; }

 private:
  /// Closed with its owner, also if a constructor throws: a locked file is set free.
  class Descriptor {
   public:
    Descriptor() = default;
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int value = -1;
  };

  void open();
  void continue_file();
  void note(const std::string& text) const;
  void write(const std::string& line);
  void take_back(off_t size);

  std::string path_;
  Words words_;
  Descriptor descriptor_ = {};
  ExperimentResults results_;
};

}  // namespace tamis
