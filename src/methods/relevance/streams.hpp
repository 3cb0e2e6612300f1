#pragma once

#include <cstdint>

/// Which random stream of a run's seed each draw of a judgement has; 0 starts the components of the
/// target.
namespace tamis {

inline constexpr std::uint64_t kFoldStream = 1;
inline constexpr std::uint64_t kLabelRowStream = 2;
inline constexpr std::uint64_t kLabelStream = 1000;  ///< + number of the permutation
/// + kStratumStreams times the number of the stratum (its columns), + 1 + number of the permutation
inline constexpr std::uint64_t kDecoyStream = 1'000'000;
inline constexpr std::uint64_t kStratumStreams = 1'000'000;
inline constexpr std::uint64_t kMultiplierStream = kStratumStreams - 1;  ///< the last of a stratum

}  // namespace tamis
