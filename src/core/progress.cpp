#include "tamis/core/progress.hpp"

#include <mutex>
#include <utility>

namespace tamis {

struct Progress::State {
  std::mutex mutex;
  Sink sink;
};

Progress::Progress(Sink sink) : state_(std::make_shared<State>()) {
  state_->sink = std::move(sink);
}

void Progress::Stage::advance(Index steps) {
  if (!progress_.state_) return;
  const std::scoped_lock lock(progress_.state_->mutex);
  done_ += steps;
  progress_.state_->sink(name_, done_, total_);
}

}  // namespace tamis
