#include "streaming/streamed_som.hpp"

#include <fmt/format.h>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// The problem, in which nothing is known of the rows of the map, and something of all others.
StreamedProblem only_of(StreamedProblem problem, const std::optional<std::vector<Index>>& rows) {
  const Index count = rows ? std::ssize(*rows) : problem.rows;
  if (count < kFewestRowsOfAMap)
    throw DataError(fmt::format("som: a map needs at least {} rows, and there are {}",
                                kFewestRowsOfAMap, count));
  Knowledge others{.sample_ids = std::move(problem.known.sample_ids)};
  if (rows) {
    others.labels.assign(static_cast<std::size_t>(problem.rows), 0);
    for (const Index row : *rows) others.labels[row] = kUnlabeled;
  }
  problem.known = std::move(others);
  return problem;
}

}  // namespace

StreamedSom::StreamedSom(StreamedProblem problem, const SomOptions& options,
                         const std::optional<std::vector<Index>>& rows, std::uint64_t seed)
    : map_(only_of(std::move(problem), rows), options, StreamedMap::Keep::units_of_rows, seed) {}

Clustering StreamedSom::result(const Run& /*run*/) {
  const Som& som = map_.som();
  return {.centroids = som.codebook, .clusters = som.best_units, .warnings = som.warnings};
}

}  // namespace tamis
