#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

#include "tamis/core/index.hpp"

namespace tamis {

/// Tells a caller how far long work has come; says nothing by default. Calls are serialised, so the
/// sink needs no lock of its own. A sink that throws (Interrupted, for instance) ends the work.
class Progress {
 public:
  using Sink = std::function<void(std::string_view stage, Index done, Index total)>;

  Progress() = default;
  explicit Progress(Sink sink) : state_(std::make_shared<State>()) {
    state_->sink = std::move(sink);
  }

  /// Counts the steps of one stage from any thread.
  class Stage {
   public:
    Stage(const Progress& progress, std::string_view name, Index total)
        : progress_(progress), name_(name), total_(total) {}
    void advance(Index steps = 1) {
      if (!progress_.state_) return;
      const std::scoped_lock lock(progress_.state_->mutex);
      done_ += steps;
      progress_.state_->sink(name_, done_, total_);
    }

   private:
    const Progress& progress_;
    std::string_view name_;
    Index total_;
    Index done_ = 0;
  };

 private:
  struct State {
    std::mutex mutex;
    Sink sink;
  };
  std::shared_ptr<State> state_;
};

}  // namespace tamis
