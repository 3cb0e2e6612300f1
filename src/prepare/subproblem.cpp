#include "prepare/subproblem.hpp"

#include <algorithm>
#include <iterator>

namespace tamis {

OwnedProblem subproblem(const Problem& whole, std::span<const Index> rows,
                        std::span<const Index> columns) {
  std::vector<std::string> names;
  if (!whole.feature_names.empty())
    for (const Index r : columns) names.push_back(whole.feature_names[r]);
  return {gathered(whole.matrix, rows, columns), std::move(names), known_about(whole.known, rows)};
}

std::vector<Index> all_but(std::span<const Index> left_out, Index count) {
  std::vector<Index> others;
  std::ranges::set_difference(all_indices(count), left_out, std::back_inserter(others));
  return others;
}

}  // namespace tamis
