#include "methods/ssfi/tree_committee.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "core/listed_columns.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Rows that are copied at a time: all trees go over them while they are in cache.
constexpr Index kBlockRows = 16;

/// What a tree says of some rows, whose values it holds.
class TreeJudge {
 public:
  TreeJudge(const MatrixView& x, std::span<const Index> rows, const DecisionTree& tree)
      : rows_(std::ssize(rows)),
        width_(std::ssize(tree.columns())),
        tree_(tree.renumbered()),
        values_(rows_ * width_) {
    copy_listed_columns(x, rows, tree.columns(), values_.data());
  }

  std::vector<Index> predictions() const {
    return predictions([](Index t, Index) { return t; });
  }
  /// With the value of row permuted[t] for that of row t in one column.
  std::vector<Index> predictions(Index moved, std::span<const Index> permuted) const {
    return predictions([&](Index t, Index c) { return c == moved ? permuted[t] : t; });
  }

 private:
  /// row_of(t, c): the row whose value row t has in column c.
  template <class RowOf>
  std::vector<Index> predictions(const RowOf& row_of) const {
    std::vector<Index> numbers(rows_);
    for (Index t = 0; t < rows_; ++t)
      numbers[t] = tree_.predict([&](Index c) { return values_[row_of(t, c) * width_ + c]; });
    return numbers;
  }

  Index rows_;
  Index width_;
  DecisionTree tree_;
  std::vector<double> values_;  // rows x columns that the tree asks for
};

Index n_equal(std::span<const Index> a, std::span<const Index> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), Index{0}, std::plus<>(),
                            std::equal_to<>());
}

/// A permutation of all rows, restricted to some: the place of each among these.
std::vector<Index> places_in(std::span<const Index> permutation, std::span<const Index> rows) {
  std::vector<Index> places(permutation.size(), -1);
  for (Index t = 0; t < std::ssize(rows); ++t) places[rows[t]] = t;
  std::vector<Index> found;
  for (const Index row : permutation)
    if (places[row] >= 0) found.push_back(places[row]);
  return found;
}

}  // namespace

RowVotes::RowVotes(std::span<const Index> votes) : first_{0, -1}, second_{0, -1} {
  for (Index c = 0; c < std::ssize(votes); ++c) {
    if (votes[c] > first_.votes) {
      second_ = first_;
      first_ = {c, votes[c]};
    } else if (votes[c] > second_.votes) {
      second_ = {c, votes[c]};
    }
  }
}

RowVotes::Majority RowVotes::without(Index own) const {
  if (own != first_.number) return first_;  // it loses nothing
  const Majority left{first_.number, first_.votes - 1};
  const bool still_first =
      left.votes > second_.votes || (left.votes == second_.votes && left.number < second_.number);
  return still_first ? left : second_;
}

/// The rows that a member may receive: of each class the best few.
struct TreeCommittee::Offers {
  using Offer = std::pair<Index, Index>;  // minus its votes, and the row: the lower the better

  explicit Offers(Index n_classes) : best(n_classes) {}

  void add(RowVotes::Majority majority, Index row, Index sample) {
    std::vector<Offer>& heap = best[majority.number];  // the worst on top
    const Offer offer{-majority.votes, row};
    if (std::ssize(heap) == sample) {
      if (!(offer < heap.front())) return;
      std::ranges::pop_heap(heap);
      heap.pop_back();
    }
    heap.push_back(offer);
    std::ranges::push_heap(heap);
  }

  std::vector<std::vector<Offer>> best;  // by class
};

/// Rows on which a member is judged.
struct TreeCommittee::OutOfBag {
  std::vector<Index> rows = {};     // ascending
  std::vector<Index> numbers = {};  // of their classes; -1 where the others' majority decides
  std::vector<Index> votes = {};    // position among the unlabeled rows, of those
};

TreeCommittee::TreeCommittee(const Problem& problem, const TreeDraws& draws, Progress::Stage& stage)
    : problem_(problem),
      draws_(draws),
      numbers_(problem.rows(), -1),
      unlabeled_(unlabeled_rows(problem)),
      members_(draws.n_members) {
  for (const std::vector<Index>& rows : rows_by_class(problem.known)) {
    for (const Index row : rows) numbers_[row] = n_classes_;
    ++n_classes_;
  }
  parallel_for(draws.n_members, 1, [&](Index member, Index) { grow(member, stage); });
}

void TreeCommittee::grow(Index member, Progress::Stage& stage) {
  const SerialSection alone;
  TreeDraws::Member drawn = draws_.member(member);
  std::vector<Index> numbers;
  for (const Index row : drawn.rows) numbers.push_back(numbers_[row]);
  for (const auto& [row, number] : members_[member].received) {
    drawn.rows.push_back(row);
    numbers.push_back(number);
  }
  const Index n_features = std::ssize(drawn.features);
  const SortedColumns sorted(problem_.matrix, drawn.rows, numbers, std::move(drawn.features));
  members_[member].tree = sorted.grow(n_features);
  stage.advance();
}

Index TreeCommittee::rows_per_poll() const {
  constexpr Index kHeldPredictions = Index{1} << 21;  // 16 MB
  return std::clamp<Index>(kHeldPredictions / draws_.n_members, kBlockRows, 4096);
}

TreeCommittee::Poll TreeCommittee::poll(Index first) const {
  const Index count = std::min(rows_per_poll(), std::ssize(unlabeled_) - first);
  const auto rows = std::span(unlabeled_).subspan(first, count);
  const Index cols = problem_.cols();
  Poll result{.first = first,
              .votes = std::vector<RowVotes>(count, RowVotes({})),
              .predictions = std::vector<Index>(count * draws_.n_members)};
  parallel_for_with(
      count, kBlockRows, [&] { return std::vector<double>(kBlockRows * cols); },
      [&](std::vector<double>& values, Index begin, Index end) {
        copy_columns(problem_.matrix, rows.subspan(begin, end - begin), 0, cols, values.data());
        std::vector<Index> votes((end - begin) * n_classes_, 0);
        for (Index member = 0; member < draws_.n_members; ++member)
          for (Index s = begin; s < end; ++s) {
            const double* const row = values.data() + (s - begin) * cols;
            const Index number = members_[member].tree->predict([&](Index r) { return row[r]; });
            result.predictions[member * count + s] = number;
            ++votes[(s - begin) * n_classes_ + number];
          }
        for (Index s = begin; s < end; ++s)
          result.votes[s] =
              RowVotes(std::span(votes).subspan((s - begin) * n_classes_, n_classes_));
      });
  return result;
}

bool TreeCommittee::co_train(Index sample, Progress::Stage& stage) {
  std::vector<Offers> offers(draws_.n_members, Offers(n_classes_));
  for (Index first = 0; first < std::ssize(unlabeled_); first += rows_per_poll()) {
    const Poll answers = poll(first);
    const Index count = std::ssize(answers.votes);
    parallel_for(draws_.n_members, 16, [&](Index begin, Index end) {
      for (Index member = begin; member < end; ++member) {
        const std::vector<Receipt>& received = members_[member].received;
        auto next = std::ranges::lower_bound(received, unlabeled_[first], {}, &Receipt::row);
        for (Index s = 0; s < count; ++s) {
          const Index row = unlabeled_[first + s];
          if (next != received.end() && next->row == row)
            ++next;
          else
            offers[member].add(answers.votes[s].without(answers.predictions[member * count + s]),
                               row, sample);
        }
      }
    });
  }
  std::vector<unsigned char> has_received(draws_.n_members, 0);
  parallel_for(draws_.n_members, 1, [&](Index member, Index) {
    has_received[member] = accept(member, offers[member]);
    if (has_received[member])
      grow(member, stage);
    else
      stage.advance();
  });
  return std::ranges::find(has_received, 1) != has_received.end();
}

bool TreeCommittee::accept(Index member, Offers& offers) {
  std::vector<Receipt>& received = members_[member].received;
  const std::size_t before = received.size();
  for (Index c = 0; c < n_classes_; ++c)
    for (const auto& [votes, row] : offers.best[c]) received.push_back({row, c});
  std::ranges::sort(received, {}, &Receipt::row);
  return received.size() > before;
}

void TreeCommittee::close() {
  final_votes_.clear();
  for (Index first = 0; first < std::ssize(unlabeled_); first += rows_per_poll()) {
    const Poll answers = poll(first);
    final_votes_.insert(final_votes_.end(), answers.votes.begin(), answers.votes.end());
  }
}

TreeCommittee::OutOfBag TreeCommittee::out_of_bag(Index member) const {
  std::vector<bool> is_known(problem_.rows(), false);
  for (const Index row : draws_.member(member).rows) is_known[row] = true;
  for (const Receipt& receipt : members_[member].received) is_known[receipt.row] = true;
  OutOfBag out;
  Index position = 0;
  for (Index row = 0; row < problem_.rows(); ++row) {
    if (!is_known[row]) {
      out.rows.push_back(row);
      out.numbers.push_back(numbers_[row]);
      out.votes.push_back(position);
    }
    if (numbers_[row] < 0) ++position;
  }
  return out;
}

MemberScores TreeCommittee::importance(Index member, const std::vector<bool>& varies) const {
  MemberScores result{draws_.member(member).features, {}, Better::higher};
  OutOfBag out = out_of_bag(member);
  const std::vector<Index> asked = members_[member].tree->columns();
  const TreeJudge judge(problem_.matrix, out.rows, *members_[member].tree);
  const std::vector<Index> own = judge.predictions();
  for (std::size_t t = 0; t < own.size(); ++t)
    if (out.numbers[t] < 0) out.numbers[t] = final_votes_[out.votes[t]].without(own[t]).number;
  const Index right = n_equal(own, out.numbers);
  const std::vector<Index> permuted = places_in(draws_.permutation(member), out.rows);
  for (const Index feature : result.features) {
    if (own.empty() || !varies[feature]) {
      result.scores.push_back(kUndefined);
      continue;
    }
    const auto place = std::ranges::lower_bound(asked, feature);
    const bool is_asked = place != asked.end() && *place == feature;
    const Index still_right =
        is_asked ? n_equal(judge.predictions(place - asked.begin(), permuted), out.numbers) : right;
    result.scores.push_back(static_cast<double>(right - still_right) /
                            static_cast<double>(own.size()));
  }
  return result;
}

}  // namespace tamis
