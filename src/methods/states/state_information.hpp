#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/shared_information.hpp"
#include "methods/states/column_states.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/methods/state_options.hpp"

namespace tamis {

/// What the states of columns tell of the classes and of each other, in nats: of the labeled rows.
/// A column that is constant there is undefined; one that varies within one state tells nothing.
class StateInformation {
 public:
  StateInformation(const Problem& problem, const StateOptions& options);

  /// I(f; class), undefined where f is
  const std::vector<double>& with_classes() const { return with_classes_; }
  double entropy(Index column) const { return logs_.nats(all_ - in_sets_[column]); }
  double class_entropy() const { return class_entropy_; }

  /// I(f; g) of one column and each of the others. O(l) for l labeled rows, 64 at a time; the
  /// columns are shared out among threads.
  std::vector<double> between(Index column, std::span<const Index> others) const;

 private:
  void tell_of_classes(const Knowledge& known);

  std::vector<Index> rows_;
  ColumnStates states_;
  CountLogs logs_;
  std::int64_t all_;                   // c ln c of all rows
  std::vector<std::int64_t> log_of_;   // c ln c by count: looked up for pairs of columns
  std::vector<Index> sizes_;           // rows above, rows below, of each column
  std::vector<std::int64_t> in_sets_;  // sum of c ln c over the states of each column
  std::vector<double> with_classes_;
  double class_entropy_ = 0.0;
};

/// 2 I / (H + H), 0 if nothing varies: 1 if either tells all of the other, 0 if nothing (Yu, Liu
/// 2003). Rounded to 10 decimals, so that rounding decides no comparison.
double symmetric_uncertainty(double mutual, double entropy, double other_entropy);

}  // namespace tamis
