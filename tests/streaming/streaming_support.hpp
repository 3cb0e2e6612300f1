#pragma once

#include <algorithm>
#include <random>
#include <span>

#include "streaming/conversation.hpp"
#include "support/sample.hpp"
#include "tamis/core/table.hpp"

namespace tamis::test {

inline StreamedProblem streamed(const Problem& problem) {
  return {.rows = problem.rows(),
          .cols = problem.cols(),
          .is_single = problem.matrix.is_single(),
          .is_sparse = problem.matrix.is_sparse(),
          .feature_names = problem.feature_names,
          .known = problem.known};
}

/// A run of rows, and where it begins.
struct RowRun {
  Index first = 0;
  Index count = 0;
};

/// Cuts rows into runs at random places, in random order.
inline std::vector<RowRun> random_runs(Index rows, Index pieces, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Index> cuts{0, rows};
  for (Index p = 1; p < pieces; ++p) cuts.push_back(static_cast<Index>(random() % (rows + 1)));
  std::ranges::sort(cuts);
  std::vector<RowRun> runs;
  for (std::size_t c = 1; c < cuts.size(); ++c)
    runs.push_back({cuts[c - 1], cuts[c] - cuts[c - 1]});
  std::ranges::shuffle(runs, random);
  return runs;
}

inline OwnedTable rows_of(const MatrixView& x, const RowRun& run) {
  std::vector<Index> rows;
  for (Index i = 0; i < run.count; ++i) rows.push_back(run.first + i);
  OwnedTable block = empty_like(x);
  append_rows(block, x, rows);
  return block;
}

/// The state of all rows, merged from the states of runs, each of which has travelled as bytes.
inline std::unique_ptr<PassState> merged_state(const Pass& pass, const MatrixView& x,
                                               std::span<const RowRun> runs) {
  auto merged = state_of(pass);
  for (const RowRun& run : runs) {
    auto part = state_of(pass);
    part->update(view_of(rows_of(x, run)), run.first);
    const Bytes bytes = part->bytes();
    merged->merge(*state_of(pass, bytes));
  }
  return merged;
}

/// Drives a conversation by so many runs of rows in random order.
template <class Conversation>
auto converse(Conversation& conversation, const MatrixView& x, Index pieces, std::uint64_t seed) {
  while (const auto pass = conversation.next_pass())
    conversation.accept(merged_state(*pass, x, random_runs(x.rows(), pieces, seed++)));
  return conversation.result({});
}

}  // namespace tamis::test
