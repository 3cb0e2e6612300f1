#include "ensembles/resampling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/bit_marks.hpp"
#include "prepare/subproblem.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::vector<Index> joined(std::span<const Index> first, std::span<const Index> second) {
  std::vector<Index> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

/// Sorts different numbers below `end`: by marking them, unless most marks would stay empty.
void sort_different(Index end, std::vector<Index>& numbers) {
  constexpr Index kWordsPerNumber = 8;
  if (words_of_marks(end) > kWordsPerNumber * std::ssize(numbers)) {
    std::ranges::sort(numbers);
    return;
  }
  std::vector<std::uint64_t> marks(words_of_marks(end), 0);
  for (const Index number : numbers)
    marks[number / kMarksOfWord] |= std::uint64_t{1} << (number % kMarksOfWord);
  auto next = numbers.begin();
  for_each_mark(marks.data(), end, [&](Index number) { *next++ = number; });
}

std::vector<RowPair> drawn_pairs(std::span<const RowPair> pairs, std::span<const Index> drawn) {
  std::vector<RowPair> result;
  for (const Index position : drawn) result.push_back(pairs[position]);
  return result;
}

}  // namespace

std::vector<Index> bootstrap(std::span<const Index> items, RandomStream& random) {
  std::vector<Index> drawn(items.size());
  for (Index& item : drawn) item = items[random.below(std::ssize(items))];
  return drawn;
}

Resampling::Resampling(const Problem& problem, Index subspace_size, std::uint64_t seed)
    : seed_(seed),
      subspace_size_(subspace_size),
      features_(all_indices(problem.cols())),
      resampled_rows_(values_decide(problem.known) ? valued_rows(problem.known)
                                                   : labeled_rows(problem.known)),
      common_rows_(all_but(resampled_rows_, problem.rows())) {
  if (subspace_size > problem.cols())
    throw InvalidArgument(
        fmt::format("a subspace of {} features is larger than the table, which has {}; choose a "
                    "smaller one",
                    subspace_size, problem.cols()));
  if (problem.known.pairs) {
    must_links_ = all_indices(std::ssize(problem.known.pairs->must_link));
    cannot_links_ = all_indices(std::ssize(problem.known.pairs->cannot_link));
  }
  if (resampled_rows_.empty() && must_links_.empty() && cannot_links_.empty())
    std::swap(resampled_rows_, common_rows_);
}

RandomStream Resampling::stream_of(Index member) const {
  return RandomStream(seed_, static_cast<std::uint64_t>(member));
}

std::vector<Index> Resampling::draw_features(RandomStream& random) const {
  if (subspace_size_ == std::ssize(features_)) return features_;
  std::vector<Index> features = random.sample(std::ssize(features_), subspace_size_);
  sort_different(std::ssize(features_), features);
  return features;
}

std::vector<Index> Resampling::draw_features(Index member) const {
  RandomStream random = stream_of(member);
  return draw_features(random);
}

Draw Resampling::draw(Index member) const {
  RandomStream random = stream_of(member);
  Draw result{.member = member, .features = draw_features(random)};
  result.rows = bootstrap(resampled_rows_, random);
  result.must_link = bootstrap(must_links_, random);
  result.cannot_link = bootstrap(cannot_links_, random);
  result.seed = random.bits() >> 1;  // fits a signed number, so that the trace can hold it
  return result;
}

void record_draw(const Trace& trace, const Draw& draw) {
  TraceEvent event{"member"};
  event.with("index", draw.member).with("features", draw.features).with("rows", draw.rows);
  if (!draw.must_link.empty() || !draw.cannot_link.empty()) {
    event.with("must_link", draw.must_link).with("cannot_link", draw.cannot_link);
  }
  trace.record(event.with("seed", static_cast<Index>(draw.seed)));
}

OwnedProblem member_problem(const Problem& whole, const GatherSource& table,
                            const Resampling& resampling, const Draw& draw) {
  const std::vector<Index> rows = joined(draw.rows, resampling.common_rows());
  const auto with = [&](const Knowledge& known) {
    return OwnedProblem(table.gathered(rows, draw.features),
                        of_columns(whole.feature_names, draw.features), known_about(known, rows),
                        of_columns(whole.feature_groups, draw.features));
  };
  if (!whole.known.pairs) return with(whole.known);
  Knowledge drawn = whole.known;
  drawn.pairs = PairConstraints{drawn_pairs(whole.known.pairs->must_link, draw.must_link),
                                drawn_pairs(whole.known.pairs->cannot_link, draw.cannot_link)};
  return with(drawn);
}

}  // namespace tamis
