#pragma once

#include <chrono>
#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "tamis/core/index.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// Seconds of this thread, and of the clock on the wall.
struct Cost {
  double cpu_seconds = 0.0;
  double wall_seconds = 0.0;

  Cost operator+(const Cost& other) const {
    return {cpu_seconds + other.cpu_seconds, wall_seconds + other.wall_seconds};
  }
};

class CostWatch {
 public:
  CostWatch();
  Cost elapsed() const;

 private:
  std::chrono::steady_clock::time_point wall_start_;
  double cpu_start_;
};

/// Rankings that several methods of a trial begin with: each is made once, by the first of them.
class SharedStarts {
 public:
  /// What is ranked by, and what of the trial is seen.
  struct Key {
    std::string words;
    bool is_scaled;
    std::optional<Index> n_constraints;

    auto operator<=>(const Key&) const = default;
  };

  /// The ranking of the key, made by rank() unless it is there; then charge() hears what it cost.
  Ranking ranking(const Key& key, const std::function<Ranking()>& rank,
                  const std::function<void(const Cost&)>& charge);

 private:
  struct Start {
    Ranking ranking;
    Cost cost;
  };
  std::map<Key, Start> made_;
};

}  // namespace tamis
