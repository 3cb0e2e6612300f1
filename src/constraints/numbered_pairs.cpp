#include "constraints/numbered_pairs.hpp"

#include <algorithm>

namespace tamis {
namespace {

constexpr Index kNoClass = -1;

}  // namespace

NumberedPairs::NumberedPairs(const ConstraintSet& constraints, LinkKind kind)
    : constraints_(constraints),
      kind_(kind),
      class_of_(constraints.rows(), kNoClass),
      place_in_class_(constraints.rows(), 0),
      place_in_labeled_(constraints.rows(), 0),
      first_given_(constraints.rows() + 1, 0),
      first_number_(constraints.rows() + 1, 0) {
  const Index rows = constraints.rows();
  for (Index c = 0; c < std::ssize(constraints.classes()); ++c)
    for (Index s = 0; s < std::ssize(constraints.classes()[c]); ++s) {
      class_of_[constraints.classes()[c][s]] = c;
      place_in_class_[constraints.classes()[c][s]] = s;
    }
  for (Index row = 0; row < rows; ++row)
    if (class_of_[row] != kNoClass) {
      place_in_labeled_[row] = std::ssize(labeled_);
      labeled_.push_back(row);
    }
  for (const RowPair& pair : constraints.extra(kind))
    if (class_of_[pair.first] == kNoClass || class_of_[pair.second] == kNoClass) {
      given_.push_back(pair);
      ++first_given_[pair.first + 1];
    }
  for (Index row = 0; row < rows; ++row) {
    first_given_[row + 1] += first_given_[row];
    first_number_[row + 1] = first_number_[row] + std::ssize(given_with(row)) + count_partners(row);
  }
}

std::span<const RowPair> NumberedPairs::given_with(Index row) const {
  return std::span(given_).subspan(first_given_[row], first_given_[row + 1] - first_given_[row]);
}

Index NumberedPairs::count_partners(Index row) const {
  return count_partners_before(row, constraints_.rows());
}

Index NumberedPairs::count_partners_before(Index row, Index end) const {
  if (class_of_[row] == kNoClass) return 0;
  const std::vector<Index>& of_class = constraints_.classes()[class_of_[row]];
  const Index same = std::ranges::lower_bound(of_class, end) - of_class.begin();
  const Index after = same - place_in_class_[row] - 1;
  if (kind_ == LinkKind::must_link) return after;
  const Index all = std::ranges::lower_bound(labeled_, end) - labeled_.begin();
  return all - place_in_labeled_[row] - 1 - after;
}

Index NumberedPairs::partner(Index row, Index place) const {
  const std::vector<Index>& of_class = constraints_.classes()[class_of_[row]];
  const auto after = of_class.begin() + place_in_class_[row] + 1;
  if (kind_ == LinkKind::must_link) return after[place];
  // Rows of the own class are skipped: those with at most `place` partners before them.
  const Index next = place_in_labeled_[row] + 1;
  const auto skipped = std::partition_point(after, of_class.end(), [&](const Index& other) {
    return place_in_labeled_[other] - next - (&other - &*after) <= place;
  });
  return labeled_[next + place + (skipped - after)];
}

RowPair NumberedPairs::operator[](Index number) const {
  const Index row = std::ranges::upper_bound(first_number_, number) - first_number_.begin() - 1;
  const Index place = number - first_number_[row];
  const std::span<const RowPair> given = given_with(row);
  const auto place_of = [&](const RowPair& pair) {
    return (&pair - given.data()) + count_partners_before(row, pair.second);
  };
  const auto next = std::partition_point(
      given.begin(), given.end(), [&](const RowPair& pair) { return place_of(pair) < place; });
  if (next != given.end() && place_of(*next) == place) return *next;
  RowPair pair{row, partner(row, place - (next - given.begin()))};
  const std::span<const RowPair> extra = constraints_.extra(kind_);
  const auto heavier =
      std::ranges::lower_bound(extra, std::pair(pair.first, pair.second), {},
                               [](const RowPair& p) { return std::pair(p.first, p.second); });
  if (heavier != extra.end() && heavier->first == pair.first && heavier->second == pair.second)
    pair.weight += heavier->weight;
  return pair;
}

}  // namespace tamis
