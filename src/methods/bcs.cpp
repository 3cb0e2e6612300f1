#include "tamis/methods/bcs.hpp"

#include <algorithm>

#include "constraints/numbered_pairs.hpp"
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

std::vector<Index> draw_numbers(Index size, Index most, RandomStream& random) {
  std::vector<Index> numbers(std::min(size, most));
  for (Index& number : numbers) number = random.below(size);
  return numbers;
}

/// The weighted sums of squared differences over the drawn pairs, each as often as it was drawn.
std::vector<double> bag_sums(const MatrixView& x, const NumberedPairs& all,
                             std::vector<Index> drawn) {
  std::ranges::sort(drawn);
  std::vector<RowPair> pairs;
  for (auto next = drawn.begin(); next != drawn.end();) {
    const RowPair pair = all[*next];
    const auto end = std::upper_bound(next, drawn.end(), *next);
    pairs.push_back(pair);
    for (++next; next != end; ++next) pairs.back().weight += pair.weight;
  }
  return squared_difference_sums(x, pairs);
}

void record_bag(const Trace& trace, Index number, const Bag& bag) {
  trace.record(TraceEvent{"member"}
                   .with("index", number)
                   .with("must_link", bag.must_link)
                   .with("cannot_link", bag.cannot_link));
}

/// Places from 0 over the number of columns become ranks from 1.
void places_to_ranks(std::vector<double>& scores) {
  for (double& score : scores) score = 1.0 + score * static_cast<double>(scores.size());
}

}  // namespace

Ranking bcs(const Problem& problem, const BcsOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  const std::vector<bool> varies = rankable_columns(options.info, problem);
  const ConstraintSet constraints(problem.known, problem.rows());
  const NumberedPairs must(constraints, LinkKind::must_link);
  const NumberedPairs cannot(constraints, LinkKind::cannot_link);
  const auto draw = [&](Index bag) {
    RandomStream random(run.seed, static_cast<std::uint64_t>(bag));
    std::vector<Index> must_link = draw_numbers(must.size(), options.max_pairs, random);
    return Bag{std::move(must_link), draw_numbers(cannot.size(), options.max_pairs, random)};
  };
  if (run.trace.is_wanted())
    for (Index bag = 0; bag < options.n_bags; ++bag) record_bag(run.trace, bag, draw(bag));
  std::vector<std::vector<Index>> orders(options.vote ? options.n_bags : 0);
  const auto score = [&](Index bag) {
    const Bag drawn = draw(bag);
    const std::vector<double> near = bag_sums(problem.matrix, must, drawn.must_link);
    const std::vector<double> far = bag_sums(problem.matrix, cannot, drawn.cannot_link);
    MemberScores member{all_indices(problem.cols()),
                        std::vector<double>(problem.cols(), kUndefined), Better::lower};
    for (Index r = 0; r < problem.cols(); ++r)
      if (varies[r])
        member.scores[r] = constraint_score({near[r], far[r], must.size() > 0, cannot.size() > 0},
                                            options.form, options.nu);
    if (options.vote) orders[bag] = best_first(member.scores, member.better);
    return member;
  };
  Diagnostics diagnostics;
  warn_of_few_members(options.n_bags, run, diagnostics);
  const bool by_rank = options.combine == BcsCombine::rank;
  Ensemble ensemble(problem.cols(), by_rank ? Combine::rank : Combine::mean);
  add_members(0, options.n_bags, score, run.progress, ensemble);
  std::vector<double> scores = ensemble.combined();
  if (by_rank) places_to_ranks(scores);
  Ranking ranking = ensemble.ranking(std::move(scores), std::move(diagnostics),
                                     "bcs: no column tells any two cannot-linked rows apart; give "
                                     "more labels or pairs",
                                     run);
  ranking.member_orders = std::move(orders);
  return ranking;
}

}  // namespace tamis
