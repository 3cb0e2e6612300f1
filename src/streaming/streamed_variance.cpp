#include "streaming/streamed_variance.hpp"

namespace tamis {

std::vector<PassPlan> StreamedVariance::passes() const {
  const Index ranges = problem_.cols * 2 * Index{sizeof(double)};
  return {{std::string(RangeState::kKind), ranges},
          {std::string(FixedPointState::kKind),
           ranges + problem_.cols * 3 * FixedPointState::bytes_per_column()}};
}

Index StreamedVariance::result_bytes() const { return passes().back().bytes; }

std::optional<Pass> StreamedVariance::next_pass() {
  if (!ranges_) return RangeState::pass(problem_.cols);
  if (!deviations_) return FixedPointState::pass(*ranges_);
  return std::nullopt;
}

void StreamedVariance::accept(std::unique_ptr<PassState> state) {
  if (ranges_) {
    deviations_ = std::move(state);
    return;
  }
  ranges_ = static_cast<const RangeState&>(*state).ranges();
  refuse_bad_values(ranges_->bad_values(), problem_);
}

Ranking StreamedVariance::ranked(const Run& /*run*/) {
  const auto& sums = static_cast<const FixedPointState&>(*deviations_);
  std::vector<double> scores(problem_.cols, 0.0);
  for (Index r = 0; r < problem_.cols; ++r)
    if (ranges_->varies(r)) scores[r] = sums.variance(r, problem_.rows);
  return rank_features(std::move(scores), Better::higher, {}, "variance: the table has no columns");
}

}  // namespace tamis
