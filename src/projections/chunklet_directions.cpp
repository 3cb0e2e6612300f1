#include "projections/chunklet_directions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "clustering/links.hpp"
#include "linalg/gemm.hpp"
#include "projections/pair_scatter.hpp"
#include "tamis/core/error.hpp"

namespace tamis {

std::vector<std::vector<Index>> chunklets(const ProjectionInfo& method, const Problem& problem) {
  refuse_pair_weights(method.name, problem.known);
  const Links links(problem.known, problem.rows());
  std::vector<std::vector<Index>> found;
  for (const std::vector<Index>& group : links.groups())
    if (group.size() >= 2) found.push_back(group);
  if (found.empty())
    throw DataError(
        fmt::format("{} needs rows that belong together, and there is neither a must-link nor a "
                    "class with two labeled rows",
                    method.name),
        {Remedy::Action::give_labels_or_pairs});
  return found;
}

Eigenbasis chunklet_directions(const Fitting& fitting,
                               std::span<const std::vector<Index>> chunklets, double ridge) {
  const Index rank = fitting.rank();
  const auto variances = fitting.variances();
  RowVectors rows = within_groups(fitting.space(), chunklets);
  multiply_all(rows, 1.0 / std::sqrt(static_cast<double>(rows.rows())));
  Buffer<double> within(rank * rank, 0.0);
  add_cross_products(rows.values.data(), rows.rows(), rank, within.data());
  const double mean = std::reduce(variances.begin(), variances.end()) / static_cast<double>(rank);
  Buffer<double> total(rank * rank, 0.0);
  for (Index a = 0; a < rank; ++a) {
    within[a * rank + a] += ridge * mean;
    total[a * rank + a] = variances[a];
  }
  return eigenbasis(std::move(total), std::move(within), rank);
}

}  // namespace tamis
