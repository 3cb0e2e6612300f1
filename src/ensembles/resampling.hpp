#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gather_source.hpp"
#include "core/random.hpp"
#include "prepare/owned_problem.hpp"
#include "tamis/core/trace.hpp"

namespace tamis {

/// As many of the items as there are, drawn with replacement, in the order drawn.
std::vector<Index> bootstrap(std::span<const Index> items, RandomStream& random);

/// What one member of an ensemble works on.
struct Draw {
  Index member = 0;
  std::vector<Index> features = {};     ///< columns, ascending
  std::vector<Index> rows = {};         ///< known rows as drawn; one that comes twice is two rows
  std::vector<Index> must_link = {};    ///< positions in the problem's explicit pairs, as drawn
  std::vector<Index> cannot_link = {};  ///< likewise
  std::uint64_t seed = 0;               ///< of what chance decides within the member
};

/// From what the members of an ensemble draw. What is known is resampled with replacement: the
/// labeled rows (or those whose number is known), and the explicit must-links and cannot-links,
/// each to their own number; all rows if nothing is known. Rows that are not resampled belong to
/// every member.
class Resampling {
 public:
  /// @throws InvalidArgument if the subspace is larger than the table
  Resampling(const Problem& problem, Index subspace_size, std::uint64_t seed);

  /// What member number `member` draws: features, rows, must-links, cannot-links, seed, in this
  /// order and from a stream of random numbers of its own.
  Draw draw(Index member) const;
  /// The features of that draw alone, which takes no time for rows.
  std::vector<Index> draw_features(Index member) const;

  Index subspace_size() const { return subspace_size_; }
  std::span<const Index> resampled_rows() const { return resampled_rows_; }
  std::span<const Index> common_rows() const { return common_rows_; }

 private:
  RandomStream stream_of(Index member) const;
  std::vector<Index> draw_features(RandomStream& random) const;

  std::uint64_t seed_;
  Index subspace_size_;
  std::vector<Index> features_;
  std::vector<Index> resampled_rows_;  // ascending, as are the common ones
  std::vector<Index> common_rows_;
  std::vector<Index> must_links_;  // positions
  std::vector<Index> cannot_links_;
};

/// Writes the draw of a member to the trace; its pairs only if there are any.
void record_draw(const Trace& trace, const Draw& draw);

/// The problem of one member, from what is known of all rows and their table: the drawn rows in
/// their order, then the common ones; the drawn features; labels and drawn pairs renumbered. A pair
/// is there once for every two copies of its rows.
OwnedProblem member_problem(const Problem& whole, const GatherSource& table,
                            const Resampling& resampling, const Draw& draw);

}  // namespace tamis
