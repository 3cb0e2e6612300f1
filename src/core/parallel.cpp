#include "tamis/core/parallel.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

namespace tamis {

struct ThreadLimit::Control {
  tbb::global_control limit;
};

ThreadLimit::ThreadLimit(int threads) {
  if (threads > 0)
    control_ = std::make_unique<Control>(
        Control{tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads))});
}

ThreadLimit::~ThreadLimit() = default;

void parallel_for(Index n, Index grain, const std::function<void(Index, Index)>& body) {
  const Index pieces = (n + grain - 1) / grain;
  tbb::parallel_for(
      Index{0}, pieces,
      [&](Index piece) { body(piece * grain, std::min(n, (piece + 1) * grain)); },
      tbb::simple_partitioner());
}

}  // namespace tamis
