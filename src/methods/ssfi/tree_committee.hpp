#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ensembles/aggregation.hpp"
#include "learners/decision_tree.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {

/// What the members of ssfi draw, member by member: all of it at once could take more memory than
/// the table.
struct TreeDraws {
  struct Member {
    std::vector<Index> features;  ///< ascending
    std::vector<Index> rows;      ///< labeled ones, as drawn
  };
  Index n_members = 0;
  std::function<Member(Index member)> member;
  std::function<std::vector<Index>(Index member)> permutation;  ///< of all rows
};

/// How many members voted for which class of a row, as far as the majority of all but one of them
/// depends on it.
class RowVotes {
 public:
  /// votes[c] members are for class c; there are at least two classes.
  explicit RowVotes(std::span<const Index> votes);

  struct Majority {
    Index number;  ///< of the class; ties to the lower one
    Index votes;
  };
  /// Of the members but one, who votes for `own`.
  Majority without(Index own) const;

 private:
  Majority first_;
  Majority second_;
};

/// Trees that teach each other: members of an ensemble with labeled rows of their own, who receive
/// unlabeled rows on which the others agree.
class TreeCommittee {
 public:
  /// Knows problem and draws by reference.
  TreeCommittee(const Problem& problem, const TreeDraws& draws, Progress::Stage& stage);

  /// One round: every member receives, for each class, the `sample` unlabeled rows it has not yet
  /// that most of the others vote for, by the votes of the trees as they are, and grows anew.
  /// Returns whether any member received anything. The stage advances by the number of members.
  bool co_train(Index sample, Progress::Stage& stage);

  struct Receipt {
    Index row;
    Index number;  ///< of the class
  };
  /// What a member has received, rows ascending.
  std::span<const Receipt> received(Index member) const { return members_[member].received; }

  /// Counts the final votes; needed once before importance().
  void close();
  /// The accuracy of a member on its out-of-bag rows minus that with each of its features permuted;
  /// undefined where `varies` says no, and everywhere without such rows.
  MemberScores importance(Index member, const std::vector<bool>& varies) const;

 private:
  struct Member {
    std::optional<DecisionTree> tree = std::nullopt;  ///< leaves are numbers of classes
    std::vector<Receipt> received = {};
  };
  /// What all members say of some unlabeled rows.
  struct Poll {
    Index first = 0;  ///< position among the unlabeled rows
    std::vector<RowVotes> votes = {};
    std::vector<Index> predictions = {};  ///< members x rows
  };
  struct Offers;
  struct OutOfBag;

  Index rows_per_poll() const;
  Poll poll(Index first) const;
  void grow(Index member, Progress::Stage& stage);
  bool accept(Index member, Offers& offers);
  OutOfBag out_of_bag(Index member) const;

  const Problem& problem_;
  const TreeDraws& draws_;
  std::vector<Index> numbers_;    // of the class of each row, ascending with labels; -1: unlabeled
  std::vector<Index> unlabeled_;  // rows
  Index n_classes_ = 0;
  std::vector<Member> members_;
  std::vector<RowVotes> final_votes_;  // of the unlabeled rows
};

}  // namespace tamis
