#include "streaming/streamed_csfsr.hpp"

#include <algorithm>

#include "methods/csfsr_pruning.hpp"
#include "redundancy/correlation.hpp"
#include "redundancy/spanning_tree.hpp"
#include "streaming/column_products.hpp"

namespace tamis {

StreamedCsfsr::StreamedCsfsr(StreamedProblem problem, const CsfsrOptions& options,
                             std::unique_ptr<RankingConversation> base, std::uint64_t seed)
    : cols_(problem.cols),
      options_(options),
      base_(std::move(base)),
      ranges_(std::move(problem)),
      both_(std::in_place, std::vector<Conversation*>{base_.get(), &ranges_}),
      run_{.seed = seed} {
  check_ranges(options.info.name, options);
}

Index StreamedCsfsr::pruning_bytes() const {
  return ranges_.result_bytes() + ColumnProductsState::bytes(std::min(options_.h, cols_));
}

std::vector<PassPlan> StreamedCsfsr::passes() const {
  std::vector<PassPlan> all = both_ ? both_->passes() : first_passes_;
  all.push_back({std::string(ColumnProductsState::kKind), pruning_bytes()});
  return all;
}

Index StreamedCsfsr::result_bytes() const {
  return std::max(both_ ? both_->result_bytes() : 0, pruning_bytes());
}

void StreamedCsfsr::report_to(const Run& run) {
  const std::uint64_t seed = run_.seed;
  run_ = run;
  run_.seed = seed;
  base_->report_to(run_);
}

/// And lets go of what the base holds.
void StreamedCsfsr::rank_by_base() {
  ranking_ = base_->result(run_);
  first_passes_ = both_->passes();
  both_.reset();
  base_.reset();
  candidates_ = redundancy_candidates(options_, *ranking_);
}

std::optional<Pass> StreamedCsfsr::next_pass() {
  if (both_) {
    if (auto pass = both_->next_pass()) return pass;
    rank_by_base();
  }
  if (products_) return std::nullopt;
  return ColumnProductsState::pass(candidates_, ranges_.ranges());
}

void StreamedCsfsr::accept(std::unique_ptr<PassState> state) {
  if (both_)
    both_->accept(std::move(state));
  else
    products_ = std::move(state);
}

Ranking StreamedCsfsr::ranked(const Run& /*run*/) {
  const auto& products = static_cast<const ColumnProductsState&>(*products_);
  const auto correlation = [&](Index a, Index b) { return products.absolute_correlation(a, b); };
  return without_redundant(
      std::move(*ranking_), options_, candidates_, maximum_spanning_tree(candidates_, correlation),
      [&](std::span<const Index> kept) { return mean_absolute_correlation(kept, correlation); });
}

}  // namespace tamis
