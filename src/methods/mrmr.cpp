#include "tamis/methods/mrmr.hpp"

#include <algorithm>
#include <cmath>

#include "core/ties.hpp"
#include "methods/preconditions.hpp"
#include "methods/states/state_information.hpp"

namespace tamis {
namespace {

/// Features chosen one by one.
class Choice {
 public:
  Choice(const StateInformation& information, MrmrScheme scheme)
      : information_(information),
        scheme_(scheme),
        criteria_(information.with_classes()),
        redundancy_(criteria_.size(), 0.0) {
    for (Index r = 0; r < std::ssize(criteria_); ++r)
      if (!std::isnan(criteria_[r])) candidates_.push_back(r);
  }

  Index n_candidates() const { return std::ssize(candidates_); }
  const SelectionPath& path() const { return path_; }
  /// Of every column at the last step; undefined where it was no candidate.
  const std::vector<double>& criteria() const { return criteria_; }

  void take_next() {
    if (!path_.features.empty()) take_account_of(path_.features.back());
    const Index best = first_of_best(criteria_, Better::higher);
    path_.features.push_back(best);
    path_.criterion.push_back(criteria_[best]);
    std::erase(candidates_, best);
  }

 private:
  void take_account_of(Index chosen) {
    // As in the authors' program, so that a feature without redundancy has a quotient.
    constexpr double kLeastRedundancy = 0.01;
    criteria_[chosen] = kUndefined;
    const std::vector<double> shared = information_.between(chosen, candidates_);
    for (std::size_t s = 0; s < shared.size(); ++s) {
      const Index r = candidates_[s];
      redundancy_[r] += shared[s];
      const double mean = redundancy_[r] / static_cast<double>(path_.features.size());
      const double relevance = information_.with_classes()[r];
      criteria_[r] =
          scheme_ == MrmrScheme::mid ? relevance - mean : relevance / (mean + kLeastRedundancy);
    }
  }

  const StateInformation& information_;
  MrmrScheme scheme_;
  std::vector<double> criteria_;
  std::vector<double> redundancy_;  // sums over what was chosen
  std::vector<Index> candidates_;   // ascending
  SelectionPath path_;
};

}  // namespace

Ranking mrmr(const Problem& problem, const MrmrOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  const StateInformation information(problem, options.states);
  Choice choice(information, options.scheme);
  const Index steps = std::min(options.max_features, choice.n_candidates());
  Progress::Stage stage(run.progress, "choosing features", steps);
  for (Index step = 0; step < steps; ++step) {
    choice.take_next();
    stage.advance();
  }
  std::vector<double> criteria = choice.criteria();
  level_ties(criteria, Better::higher);
  return rank_path(choice.path(), criteria, Better::higher, {},
                   constant_on_labeled_rows(options.info));
}

}  // namespace tamis
