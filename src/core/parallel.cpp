#include "tamis/core/parallel.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <utility>

namespace tamis {

struct ThreadLimit::Control {
  explicit Control(int threads)
      : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)) {}
  tbb::global_control limit;  // never copied: destroying a copy would lift the limit
};

ThreadLimit::ThreadLimit(int threads) {
  if (threads > 0) control_ = std::make_unique<Control>(threads);
}

ThreadLimit::~ThreadLimit() = default;

namespace {
thread_local bool is_serial = false;
}  // namespace

SerialSection::SerialSection(bool is_wanted)
    : was_serial_(std::exchange(is_serial, is_serial || is_wanted)) {}
SerialSection::~SerialSection() { is_serial = was_serial_; }

Index max_threads() {
  if (is_serial) return 1;
  const auto allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::min(static_cast<Index>(allowed),
                  static_cast<Index>(tbb::this_task_arena::max_concurrency()));
}

void parallel_for(Index n, Index grain, const std::function<void(Index, Index)>& body) {
  const Index pieces = (n + grain - 1) / grain;
  const auto run_piece = [&](Index piece) {
    body(piece * grain, std::min(n, (piece + 1) * grain));
  };
  if (pieces <= 1 || max_threads() == 1) {
    // Workers of an earlier loop leave only after a while and would take a share.
    for (Index piece = 0; piece < pieces; ++piece) run_piece(piece);
  } else {
    tbb::parallel_for(Index{0}, pieces, run_piece, tbb::simple_partitioner());
  }
}

}  // namespace tamis
