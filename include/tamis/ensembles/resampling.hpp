#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {

/// `count` of the items drawn with replacement, in the order drawn; `count` = their number is a
/// bootstrap.
class RandomStream;
std::vector<Index> draw_with_replacement(std::span<const Index> items, RandomStream& random);

/// What one member of an ensemble works on.
struct Draw {
  std::vector<Index> features = {};     ///< columns, ascending
  std::vector<Index> rows = {};         ///< known rows as drawn; one that comes twice is two rows
  std::vector<Index> must_link = {};    ///< positions in the problem's explicit pairs, as drawn
  std::vector<Index> cannot_link = {};  ///< likewise
};

/// From what the members of an ensemble draw. What is known is resampled with replacement: the
/// labeled rows, and the explicit must-links and cannot-links, each to their own number; all rows
/// if nothing is known. Rows outside `rows` belong to every member.
struct Resampling {
  Resampling(const Problem& problem, Index subspace_size);

  /// What member number `member` draws: first features, then rows, then pairs, all from its own
  /// stream of random numbers, so that members do not depend on each other.
  Draw draw(std::uint64_t seed, Index member) const;

  Index n_features;
  Index subspace_size;      ///< features of a member, drawn without replacement
  std::vector<Index> rows;  ///< the known rows, ascending
  Index n_must_link;
  Index n_cannot_link;
};

/// Writes the draw of a member to the trace: {"event":"member","index":..,"features":..,"rows":..},
/// and the drawn positions as "must_link" and "cannot_link" if there are explicit pairs.
void record_draw(const Trace& trace, Index member, const Draw& draw);

/// The problem of one member: the drawn rows in their order, then the rows that every member has,
/// ascending; the drawn features; labels and pairs renumbered. A pair is kept once for every two
/// copies of its rows. Dense tables are copied, sparse ones stay sparse.
class MemberProblem {
 public:
  MemberProblem(const Problem& whole, const Resampling& resampling, const Draw& draw);
  MemberProblem(const MemberProblem&) = delete;
  MemberProblem& operator=(const MemberProblem&) = delete;

  const Problem& problem() const { return problem_; }

 private:
  Buffer<double> doubles_;
  Buffer<float> floats_;
  std::vector<Index> offsets_;
  std::vector<Index> columns_;
  Problem problem_;
};

}  // namespace tamis
