#pragma once

#include <span>
#include <vector>

#include "methods/fw_semifs/leave_one_out.hpp"

namespace tamis {

/// By the nearest of the other rows.
class NearestOthers final : public LeaveOneOut {
 public:
  NearestOthers(const MatrixView& x, const TaughtRows& taught) : x_(x), taught_(taught) {}

  Index n_right(std::span<const Index> columns) const override;
  /// Works through the rows some at a time, first those that the chosen columns get wrong, and
  /// drops candidates that are wrong more often than one that was tried on all rows.
  Best best_addition(std::span<const Index> chosen,
                     std::span<const Index> candidates) const override;

 private:
  struct Block;

  Index rows() const { return std::ssize(taught_.rows); }
  std::vector<Index> wrong_first(std::span<const Index> columns) const;
  Block block(std::span<const Index> places, std::span<const Index> columns) const;
  /// Calls visit(place, is_right) for each row of the block, by its columns and a candidate.
  template <class Visit>
  void judge(const Block& block, Index candidate, std::vector<double>& distances,
             const Visit& visit) const;
  void count_wrong(const Block& block, std::span<const Index> candidates,
                   std::span<Index> wrong) const;
  Index n_wrong(std::span<const Index> places, std::span<const Index> chosen,
                Index candidate) const;

  MatrixView x_;
  const TaughtRows& taught_;
};

/// The number of the class of the nearest taught row of each learner.
std::vector<Index> nearest_numbers(const MatrixView& x, const TaughtRows& taught,
                                   std::span<const Index> columns, std::span<const Index> learners);

}  // namespace tamis
