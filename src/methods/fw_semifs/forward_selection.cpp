#include "methods/fw_semifs/forward_selection.hpp"

#include <algorithm>

namespace tamis {
namespace {

class Selection {
 public:
  Selection(const LeaveOneOut& judge, std::span<const Index> candidates)
      : judge_(judge), free_(candidates.begin(), candidates.end()) {}

  const std::vector<Index>& chosen() const { return chosen_; }
  bool can_grow() const { return !free_.empty(); }

  /// Adds the best candidate; unless that must get more rows right and does not.
  bool add(bool must_improve) {
    const LeaveOneOut::Best best = judge_.best_addition(chosen_, free_);
    if (must_improve && best.right <= right_) return false;
    chosen_.push_back(best.column);
    free_.erase(std::ranges::find(free_, best.column));
    note(best.right);
    return true;
  }

  /// Removes columns as long as that beats all sets of that size.
  void remove_while_better() {
    while (chosen_.size() > 2) {
      LeaveOneOut::Best best;
      for (std::size_t s = 0; s + 1 < chosen_.size(); ++s) {
        const Index right = judge_.n_right(without(chosen_[s]));
        if (right > best.right) best = {chosen_[s], right};
      }
      if (best.right <= most_right_[chosen_.size() - 1]) return;
      chosen_ = without(best.column);
      free_.insert(std::ranges::lower_bound(free_, best.column), best.column);
      note(best.right);
    }
  }

 private:
  std::vector<Index> without(Index column) const {
    std::vector<Index> others = chosen_;
    std::erase(others, column);
    return others;
  }

  void note(Index right) {
    right_ = right;
    most_right_.resize(std::max(most_right_.size(), chosen_.size() + 1), -1);
    most_right_[chosen_.size()] = std::max(most_right_[chosen_.size()], right);
  }

  const LeaveOneOut& judge_;
  std::vector<Index> free_;  // ascending
  std::vector<Index> chosen_;
  Index right_ = -1;
  std::vector<Index> most_right_;  // by number of columns
};

}  // namespace

std::vector<Index> forward_selection(const LeaveOneOut& judge, std::span<const Index> candidates,
                                     Index count, bool floating, bool stop_early) {
  Selection selection(judge, candidates);
  while (std::ssize(selection.chosen()) < count && selection.can_grow()) {
    if (!selection.add(stop_early)) break;
    if (floating) selection.remove_while_better();
  }
  return selection.chosen();
}

}  // namespace tamis
