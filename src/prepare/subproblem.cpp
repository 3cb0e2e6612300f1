#include "prepare/subproblem.hpp"

#include <algorithm>
#include <iterator>

namespace tamis {

std::vector<std::string> names_of(std::span<const std::string> names,
                                  std::span<const Index> columns) {
  std::vector<std::string> some;
  if (!names.empty())
    for (const Index r : columns) some.push_back(names[r]);
  return some;
}

OwnedProblem subproblem(const Problem& whole, std::span<const Index> rows,
                        std::span<const Index> columns) {
  return {gathered(whole.matrix, rows, columns), names_of(whole.feature_names, columns),
          known_about(whole.known, rows)};
}

std::vector<Index> all_but(std::span<const Index> left_out, Index count) {
  std::vector<Index> others;
  std::ranges::set_difference(all_indices(count), left_out, std::back_inserter(others));
  return others;
}

}  // namespace tamis
