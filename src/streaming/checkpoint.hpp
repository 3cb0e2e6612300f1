#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "streaming/pass.hpp"

namespace tamis {

/// A folder in which answers to passes are kept while a table is read, so that whoever comes after
/// a killed process goes on where that was.
class Checkpoint {
 public:
  using Facts = std::vector<std::pair<std::string, std::string>>;
  using Clock = std::chrono::steady_clock;

  /// @param facts what the answers depend on, by name: the file, its shape, the options, ...
  /// @throws DataError if the folder is of other facts, naming the first that differs; IoError if
  /// it can be neither read nor made
  Checkpoint(std::string folder, Facts facts, Clock::duration interval = std::chrono::minutes(1));

  /// What so many rows, the first ones, have answered.
  struct Answer {
    std::unique_ptr<PassState> state;
    Index rows = 0;
  };
  /// The answer to the n-th pass (from 1) that is kept; that of no rows if none is.
  Answer answer(std::size_t number, const Pass& pass) const;

  void keep(std::size_t number, Index rows, const PassState& state);
  /// The same, but only if the last time is longer ago than the interval.
  void keep_if_due(std::size_t number, Index rows, const PassState& state);

  /// Rows that were kept by another process, over all passes: what need not be read again.
  Index rows_found() const { return rows_found_; }
  /// Removes it: the work is done.
  void remove() const;

 private:
  std::string path_of(std::size_t number) const;
  void find();
  void check_facts(const Facts& found) const;

  std::string folder_;
  Facts facts_;
  Clock::duration interval_;
  Clock::time_point kept_at_;
  Index rows_found_ = 0;
};

}  // namespace tamis
