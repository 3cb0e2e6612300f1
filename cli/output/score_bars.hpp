#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tamis/core/ranking.hpp"

namespace tamis::cli {

/// Scores as lengths of bars: 0 for the worst, 1 for the best. Scores that reach over decades are
/// compared by their logarithms, from the power of ten behind the worst that is shown; others from
/// the worst of the table.
class ScoreBars {
 public:
  ScoreBars(const Ranking& ranking, std::span<const Index> shown);

  double share(Index column) const;
  /// What the lengths mean, in at most so many characters; nothing if that takes more.
  std::string head(std::size_t room) const;
  static std::string_view style(double share);

 private:
  const Ranking& ranking_;
  bool is_logarithmic_ = false;
  double worst_ = kUndefined;
  double best_ = kUndefined;
};

}  // namespace tamis::cli
