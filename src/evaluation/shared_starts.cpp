#include "evaluation/shared_starts.hpp"

#include <ctime>

namespace tamis {
namespace {

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

CostWatch::CostWatch()
    : wall_start_(std::chrono::steady_clock::now()), cpu_start_(thread_seconds()) {}

Cost CostWatch::elapsed() const {
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start_;
  return {thread_seconds() - cpu_start_, wall.count()};
}

Ranking SharedStarts::ranking(const Key& key, const std::function<Ranking()>& rank,
                              const std::function<void(const Cost&)>& charge) {
  if (const auto found = made_.find(key); found != made_.end()) {
    charge(found->second.cost);
    return found->second.ranking;
  }
  const CostWatch watch;
  Ranking made = rank();
  return made_.emplace(key, Start{std::move(made), watch.elapsed()}).first->second.ranking;
}

}  // namespace tamis
