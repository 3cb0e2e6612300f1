#include "prepare/subproblem.hpp"

#include <algorithm>
#include <iterator>

namespace tamis {

OwnedProblem subproblem(const Problem& whole, std::span<const Index> rows,
                        std::span<const Index> columns) {
  return {gathered(whole.matrix, rows, columns), of_columns(whole.feature_names, columns),
          known_about(whole.known, rows), of_columns(whole.feature_groups, columns)};
}

std::vector<Index> all_but(std::span<const Index> left_out, Index count) {
  std::vector<Index> others;
  std::ranges::set_difference(all_indices(count), left_out, std::back_inserter(others));
  return others;
}

}  // namespace tamis
