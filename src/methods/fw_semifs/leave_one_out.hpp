#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"
#include "tamis/methods/fw_semifs.hpp"

namespace tamis {

/// Rows of a table with a class each, ascending.
struct TaughtRows {
  std::vector<Index> rows = {};
  std::vector<Index> numbers = {};  ///< of their classes
  Index n_classes = 0;
};

/// How many of some rows a classifier gets right, each from all the others. Safe to call from
/// several threads.
class LeaveOneOut {
 public:
  LeaveOneOut() = default;
  LeaveOneOut(const LeaveOneOut&) = delete;
  LeaveOneOut& operator=(const LeaveOneOut&) = delete;
  virtual ~LeaveOneOut() = default;

  /// By the given columns.
  virtual Index n_right(std::span<const Index> columns) const = 0;

  struct Best {
    Index column = -1;
    Index right = -1;
  };
  /// The candidate with which the chosen columns get most rows right, ties to the first; there is
  /// at least one.
  virtual Best best_addition(std::span<const Index> chosen,
                             std::span<const Index> candidates) const = 0;
};

/// Knows the table by its view and the rows by reference.
std::unique_ptr<LeaveOneOut> leave_one_out(const MatrixView& x, const TaughtRows& taught,
                                           WrappedClassifier classifier);

/// The classes of the learners, predicted from the taught rows by the given columns.
std::vector<Index> predicted_numbers(const MatrixView& x, const TaughtRows& taught,
                                     std::span<const Index> columns,
                                     std::span<const Index> learners, WrappedClassifier classifier);

}  // namespace tamis
