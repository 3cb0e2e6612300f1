#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tamis/core/index.hpp"
#include "tamis/core/progress.hpp"
#include "tamis/core/trace.hpp"

namespace tamis {

struct Ranking;

/// Told that nobody will look at rows begin .. end - 1 of the table again.
using ForgetRows = std::function<void(Index begin, Index end)>;

/// What a computation needs besides its data: the seed of everything that chance decides, and who
/// listens. By default nobody does.
struct Run {
  std::uint64_t seed = 0;
  Progress progress = {};
  Trace trace = {};
  /// Called with a warning that should be known before long work begins; it comes again in the
  /// diagnostics.
  std::function<void(const std::string&)> warn_early = nullptr;
  /// Asked for a ranking of the whole problem in place of making it: `words` say all that it
  /// depends on besides problem and seed, and whoever answers may have had it made already, by
  /// rank().
  std::function<Ranking(const std::string& words, const std::function<Ranking()>& rank)> recall =
      nullptr;
  /// Set where nobody else needs the table after the method: one that works on a copy of its own,
  /// made run by run, says which rows it has copied.
  ForgetRows forget = nullptr;
};

}  // namespace tamis
