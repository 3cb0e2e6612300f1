#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// While it lives, parallel loops use at most `threads` threads (0: as many as there are cores).
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Control;
  std::unique_ptr<Control> control_;
};

/// While it lives, parallel loops of this thread run on this thread alone: for tasks of a parallel
/// loop that are many and small, where sharing them out again would cost more than it gains.
class SerialSection {
 public:
  explicit SerialSection(bool is_wanted = true);
  ~SerialSection();
  SerialSection(const SerialSection&) = delete;
  SerialSection& operator=(const SerialSection&) = delete;

 private:
  bool was_serial_;
};

/// How many threads a parallel loop may use now.
Index max_threads();

/// Calls body(begin, end) on pieces of 0 .. n - 1 of at most `grain` indices that together cover
/// it. Pieces always start at multiples of `grain`, whatever the number of threads. A body writes
/// only the outputs of its own indices, so results cannot depend on the schedule. The first
/// exception ends the loop and is rethrown here.
void parallel_for(Index n, Index grain, const std::function<void(Index begin, Index end)>& body);

/// The same with buffers: body(scratch, begin, end) borrows one of the scratch objects that
/// make_scratch() creates, at most one per thread, and finds in it what an earlier piece left.
template <class MakeScratch, class Body>
void parallel_for_with(Index n, Index grain, MakeScratch&& make_scratch, Body&& body) {
  using Scratch = decltype(make_scratch());
  std::mutex mutex;
  std::vector<std::unique_ptr<Scratch>> idle;
  parallel_for(n, grain, [&](Index begin, Index end) {
    std::unique_ptr<Scratch> scratch;
    {
      const std::scoped_lock lock(mutex);
      if (!idle.empty()) {
        scratch = std::move(idle.back());
        idle.pop_back();
      }
    }
    if (!scratch) scratch = std::make_unique<Scratch>(make_scratch());
    body(*scratch, begin, end);
    const std::scoped_lock lock(mutex);
    idle.push_back(std::move(scratch));
  });
}

}  // namespace tamis
