#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "tamis/core/index.hpp"

namespace tamis {

/// Tells a caller how far long work has come; says nothing by default. Calls are serialised, so the
/// sink needs no lock of its own. A sink that throws (Interrupted, for instance) ends the work.
class Progress {
 public:
  using Sink = std::function<void(std::string_view stage, Index done, Index total)>;

  Progress() = default;
  explicit Progress(Sink sink);

  /// Counts the steps of one stage from any thread.
  class Stage {
   public:
    Stage(const Progress& progress, std::string_view name, Index total)
        : progress_(progress), name_(name), total_(total) {}
    void advance(Index steps = 1);

   private:
    const Progress& progress_;
    std::string_view name_;
    Index total_;
    Index done_ = 0;
  };

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tamis
