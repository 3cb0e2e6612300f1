#pragma once

#include <functional>
#include <memory>

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

/// Calls body(begin, end) on pieces of 0 .. n - 1 of at most `grain` indices that together cover it.
/// Pieces always start at multiples of `grain`, whatever the number of threads. A body writes only
/// the outputs of its own indices, so results cannot depend on the schedule. The first exception
/// ends the loop and is rethrown here.
void parallel_for(Index n, Index grain, const std::function<void(Index begin, Index end)>& body);

}  // namespace tamis
