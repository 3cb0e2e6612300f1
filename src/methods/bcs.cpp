#include "tamis/methods/bcs.hpp"

#include <cmath>

#include "constraints/constraint_set.hpp"
#include "core/squared_differences.hpp"
#include "ensembles/bagging.hpp"
#include "methods/preconditions.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/methods/constraint_score.hpp"

namespace tamis {
namespace {

/// Positions of pairs as one bag draws them.
struct Bag {
  std::vector<Index> must_link;
  std::vector<Index> cannot_link;
};

Bag draw_bag(std::uint64_t seed, Index bag, std::size_t n_must, std::size_t n_cannot) {
  RandomStream random(seed, static_cast<std::uint64_t>(bag));
  std::vector<Index> must_link = bootstrap(all_indices(static_cast<Index>(n_must)), random);
  return {std::move(must_link), bootstrap(all_indices(static_cast<Index>(n_cannot)), random)};
}

/// The weighted sums of squared differences over the drawn pairs, each as often as it was drawn.
std::vector<double> bag_sums(const MatrixView& x, std::span<const RowPair> all,
                             std::span<const Index> drawn) {
  std::vector<RowPair> pairs(all.begin(), all.end());
  for (RowPair& pair : pairs) pair.weight = 0.0;
  for (const Index position : drawn) pairs[position].weight += all[position].weight;
  std::erase_if(pairs, [](const RowPair& pair) { return pair.weight == 0.0; });
  return squared_difference_sums(x, pairs);
}

void record_bag(const Trace& trace, Index number, const Bag& bag) {
  trace.record(
      {.name = "member",
       .fields = {
           {"index", number}, {"must_link", bag.must_link}, {"cannot_link", bag.cannot_link}}});
}

/// Places from 0 over the number of columns become ranks from 1; what no bag could score is
/// undefined.
void places_to_ranks(std::vector<double>& scores, const Committee& committee) {
  for (Index r = 0; r < std::ssize(scores); ++r)
    scores[r] = std::isnan(committee.mean[r])
                    ? kUndefined
                    : 1.0 + scores[r] * static_cast<double>(scores.size());
}

}  // namespace

Ranking bcs(const Problem& problem, const BcsOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  const std::vector<bool> varies = rankable_columns(options.info, problem);
  const ConstraintSet constraints(problem.known, problem.rows());
  const std::vector<RowPair> must = constraints.must_link_pairs();
  const std::vector<RowPair> cannot = constraints.cannot_link_pairs();
  const auto draw = [&](Index bag) { return draw_bag(run.seed, bag, must.size(), cannot.size()); };
  if (run.trace.is_wanted())
    for (Index bag = 0; bag < options.n_bags; ++bag) record_bag(run.trace, bag, draw(bag));
  const auto score = [&](Index bag) {
    const Bag drawn = draw(bag);
    const std::vector<double> near = bag_sums(problem.matrix, must, drawn.must_link);
    const std::vector<double> far = bag_sums(problem.matrix, cannot, drawn.cannot_link);
    MemberScores member{all_indices(problem.cols()),
                        std::vector<double>(problem.cols(), kUndefined), Better::lower};
    for (Index r = 0; r < problem.cols(); ++r)
      if (varies[r])
        member.scores[r] = constraint_ratio(near[r], far[r], !must.empty(), !cannot.empty());
    return member;
  };
  const bool by_rank = options.combine == BcsCombine::rank;
  Ensemble ensemble(problem.cols(), by_rank ? Combine::rank : Combine::mean);
  add_members(problem.cols(), 0, options.n_bags, score, run.progress, ensemble);
  std::vector<double> scores = ensemble.combined();
  if (by_rank) places_to_ranks(scores, ensemble.committee());
  return ensemble.ranking(std::move(scores), {},
                          "bcs: no column tells any two cannot-linked rows apart; give more labels "
                          "or pairs");
}

}  // namespace tamis
