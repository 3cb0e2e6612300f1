#include "prepare/subproblem.hpp"

namespace tamis {

OwnedProblem subproblem(const Problem& whole, std::span<const Index> rows,
                        std::span<const Index> columns) {
  std::vector<std::string> names;
  if (!whole.feature_names.empty())
    for (const Index r : columns) names.push_back(whole.feature_names[r]);
  return {gathered(whole.matrix, rows, columns), std::move(names), known_about(whole.known, rows)};
}

}  // namespace tamis
