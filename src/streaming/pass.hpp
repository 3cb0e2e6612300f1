#pragma once

#include <memory>
#include <span>
#include <string>

#include "streaming/bytes.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// What all rows of a table are asked once: a kind of question, and what a worker must know to
/// answer it.
struct Pass {
  std::string kind = {};  ///< its name in the list of passes (passes.cpp), for people too
  Bytes broadcast = {};
};

/// What some rows answer to a pass. Rows may come in any runs, each once; states may be merged in
/// any order: the same rows have the same bytes. So every sum over rows is one of integers, or the
/// rows themselves are kept.
class PassState {
 public:
  PassState() = default;
  virtual ~PassState() = default;
  PassState(const PassState&) = delete;
  PassState& operator=(const PassState&) = delete;

  /// @param first_row which row of the table the first of the block is
  virtual void update(const MatrixView& block, Index first_row) = 0;
  /// Adds what other rows answered to the same pass, and takes it from there if that is cheaper.
  virtual void merge(PassState& other) = 0;
  virtual Bytes bytes() const = 0;
};

/// The answer of no rows. @throws InvalidArgument for a kind that is not known
std::unique_ptr<PassState> state_of(const Pass& pass);
/// An answer that has travelled. @throws DataError if it is cut off or damaged
std::unique_ptr<PassState> state_of(const Pass& pass, std::span<const std::byte> bytes);

}  // namespace tamis
