#pragma once

#include <span>
#include <vector>

#include "methods/fw_semifs/leave_one_out.hpp"

namespace tamis {

/// By the normal laws of the other rows, from sums over all rows without the own part.
class BayesOthers final : public LeaveOneOut {
 public:
  BayesOthers(const MatrixView& x, const TaughtRows& taught);

  Index n_right(std::span<const Index> columns) const override;
  Best best_addition(std::span<const Index> chosen,
                     std::span<const Index> candidates) const override;

 private:
  class Laws;

  Laws laws_of(Index column) const;
  Index count_right(std::span<const Laws* const> laws) const;
  bool is_right(std::span<const Laws* const> laws, Index s, std::span<double> logarithms) const;

  MatrixView x_;
  const TaughtRows& taught_;
  std::vector<double> counts_;  // rows of each class
};

}  // namespace tamis
