#include "tamis/core/parallel.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <utility>

#ifdef TAMIS_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

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

namespace {

/// Tells the thread sanitizer, which cannot look into TBB, what TBB warrants: the pieces of a loop
/// see what was done before it, and what follows the loop sees what its pieces did.
class LoopOrder {
 public:
  LoopOrder() { announce(&before_); }
  ~LoopOrder() { await(&after_); }
  LoopOrder(const LoopOrder&) = delete;
  LoopOrder& operator=(const LoopOrder&) = delete;

  class Piece {
   public:
    explicit Piece(LoopOrder& loop) : loop_(loop) { await(&loop_.before_); }
    ~Piece() { announce(&loop_.after_); }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

   private:
    LoopOrder& loop_;
  };

 private:
#ifdef TAMIS_THREAD_SANITIZER
  static void announce(void* event) { __tsan_release(event); }
  static void await(void* event) { __tsan_acquire(event); }
#else
  static void announce(void*) {}
  static void await(void*) {}
#endif

  char before_ = 0;  // events are addresses
  char after_ = 0;
};

}  // namespace

void parallel_for(Index n, Index grain, const std::function<void(Index, Index)>& body) {
  const Index pieces = (n + grain - 1) / grain;
  const auto run_piece = [&](Index piece) {
    body(piece * grain, std::min(n, (piece + 1) * grain));
  };
  if (pieces <= 1 || max_threads() == 1) {
    // Workers of an earlier loop leave only after a while and would take a share.
    for (Index piece = 0; piece < pieces; ++piece) run_piece(piece);
  } else {
    LoopOrder order;
    const auto run_in_order = [&](Index piece) {
      const LoopOrder::Piece ordered(order);
      run_piece(piece);
    };
    tbb::parallel_for(Index{0}, pieces, run_in_order, tbb::simple_partitioner());
  }
}

}  // namespace tamis
