#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tamis/core/progress.hpp"
#include "tamis/core/trace.hpp"

namespace tamis {

/// What a computation needs besides its data: the seed of everything that chance decides, and who
/// listens. By default nobody does.
struct Run {
  std::uint64_t seed = 0;
  Progress progress = {};
  Trace trace = {};
  /// Called with a warning that should be known before long work begins; it comes again in the
  /// diagnostics.
  std::function<void(const std::string&)> warn_early = nullptr;
};

}  // namespace tamis
