#pragma once

#include <memory>

#include "streaming/streamed_weights.hpp"
#include "tamis/methods/l2gfs.hpp"
#include "tamis/methods/wckm.hpp"

namespace tamis {

/// wckm from a stream. From the same start it is that of in memory, of values in double, but for
/// what rounding changes of a sum; memberships are not kept.
/// @throws InvalidArgument or DataError as wckm_clustering does, but for values
std::unique_ptr<StreamedWeights> streamed_weights(const WckmOptions& options,
                                                  StreamedProblem problem, ClusterGiven given,
                                                  std::uint64_t seed, StreamedWeights::For what);

/// l2gfs from a stream. From the same start rows are where they are in memory, but for what 31 bits
/// of fixed point change of centroids and dispersions.
/// @throws InvalidArgument or DataError as l2gfs_clustering does, but for values
std::unique_ptr<StreamedWeights> streamed_weights(const L2gfsOptions& options,
                                                  StreamedProblem problem, ClusterGiven given,
                                                  std::uint64_t seed, StreamedWeights::For what);

}  // namespace tamis
