#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "clustering/som/som.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/prepare/condense_options.hpp"

namespace tamis {

/// A problem whose unlabeled rows are replaced by the reference vectors of a self-organizing map.
/// Rows with a label or in a pair stay, in their order; the vectors follow.
class CondensedProblem {
 public:
  /// Keeps the problem as it is for Condense::none, and, with a warning, if there are fewer than 4
  /// rows to condense. @throws DataError if pairs contradict (rows still have their own names here)
  CondensedProblem(const Problem& problem, const CondenseOptions& options,
                   Diagnostics& diagnostics);
  CondensedProblem(const CondensedProblem&) = delete;
  CondensedProblem& operator=(const CondensedProblem&) = delete;

  const Problem& problem() const { return condensed_ ? *condensed_ : original_; }

 private:
  void build(std::span<const Index> kept, const Som& som);
  template <class T>
  void fill(std::span<const Index> kept, const Som& som, Buffer<T>& values);

  const Problem& original_;
  Buffer<double> doubles_;
  Buffer<float> floats_;
  std::optional<Problem> condensed_;
};

}  // namespace tamis
