#pragma once

#include <string>

#include "tamis/core/table.hpp"

namespace tamis {

/// A table of which a run of rows is in memory at a time.
class RowSource {
 public:
  RowSource() = default;
  virtual ~RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  /// Which of the four tables blocks are.
  virtual bool is_single() const = 0;
  virtual bool is_sparse() const { return false; }

  /// Puts `count` rows from row `first` on into the block, whose memory is used again if it can be.
  /// One call at a time, from any thread.
  /// @throws IoError if the source cannot be read, or is not what it was; DataError if its content
  /// is wrong
  virtual void read(Index first, Index count, OwnedTable& block) = 0;

  /// Memory that a row takes in a block; of sparse rows, the most.
  virtual Index bytes_per_row() const { return cols() * (is_single() ? 4 : 8); }
  /// Blocks that start at multiples of it are read with the least effort.
  virtual Index rows_at_once() const { return 1; }
  /// Memory that reading takes besides the block, per row of it.
  virtual Index reading_bytes_per_row() const { return 0; }

  /// What tells this table from another one, and from itself after a change.
  /// @throws IoError if it cannot be looked at
  virtual std::string fingerprint() const = 0;
};

}  // namespace tamis
