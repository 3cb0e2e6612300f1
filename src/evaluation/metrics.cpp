#include "evaluation/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/shared_information.hpp"
#include "redundancy/correlation.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

void check_lengths(std::span<const Index> a, std::span<const Index> b) {
  if (a.empty() || a.size() != b.size())
    throw InvalidArgument(fmt::format("lists of {} and {} classes cannot be compared row by row",
                                      a.size(), b.size()));
}

/// How often each value, and each combination of values, occurs.
struct Contingency {
  Contingency(std::span<const Index> a, std::span<const Index> b)
      : rows(static_cast<double>(a.size())) {
    check_lengths(a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      first[a[i]] += 1.0;
      second[b[i]] += 1.0;
      both[{a[i], b[i]}] += 1.0;
    }
  }
  double rows;
  std::map<Index, double> first = {};
  std::map<Index, double> second = {};
  std::map<std::pair<Index, Index>, double> both = {};
};

double pairs_of(double n) { return n * (n - 1.0) / 2.0; }

template <class Counts>
double pairs_within(const Counts& counts) {
  double pairs = 0.0;
  for (const auto& [value, count] : counts) pairs += pairs_of(count);
  return pairs;
}

/// The counts of the values, and the position of each value among them.
std::pair<std::vector<Index>, std::map<Index, Index>> listed(
    const std::map<Index, double>& counts) {
  std::pair<std::vector<Index>, std::map<Index, Index>> list;
  for (const auto& [value, count] : counts) {
    list.second.emplace(value, std::ssize(list.first));
    list.first.push_back(static_cast<Index>(count));
  }
  return list;
}

}  // namespace

double accuracy(std::span<const Index> truth, std::span<const Index> predicted) {
  check_lengths(truth, predicted);
  Index right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += truth[i] == predicted[i] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(truth.size());
}

double balanced_accuracy(std::span<const Index> truth, std::span<const Index> predicted) {
  const Contingency table(truth, predicted);
  double sum = 0.0;
  for (const auto& [label, count] : table.first) {
    const auto right = table.both.find({label, label});
    if (right != table.both.end()) sum += right->second / count;
  }
  return sum / static_cast<double>(table.first.size());
}

double rand_index(std::span<const Index> a, std::span<const Index> b) {
  const Contingency table(a, b);
  const double all = pairs_of(table.rows);
  if (all == 0.0) return 1.0;
  const double differing =
      pairs_within(table.first) + pairs_within(table.second) - 2.0 * pairs_within(table.both);
  return (all - differing) / all;
}

double adjusted_rand_index(std::span<const Index> a, std::span<const Index> b) {
  const Contingency table(a, b);
  const double in_first = pairs_within(table.first);
  const double in_second = pairs_within(table.second);
  const double in_both = pairs_within(table.both);
  if (in_first == in_both && in_second == in_both) return 1.0;
  const double expected = in_first * in_second / pairs_of(table.rows);
  return (in_both - expected) / ((in_first + in_second) / 2.0 - expected);
}

double normalized_mutual_information(std::span<const Index> a, std::span<const Index> b) {
  const Contingency table(a, b);
  if (table.first.size() == 1 && table.second.size() == 1) return 1.0;
  const auto [first, place_in_first] = listed(table.first);
  const auto [second, place_in_second] = listed(table.second);
  SharedCounts counts{first, second, {}};
  for (const auto& [values, count] : table.both)
    counts.cells.push_back({place_in_first.at(values.first), place_in_second.at(values.second),
                            static_cast<Index>(count)});
  const auto [one, other, mutual] = shared_information(counts);
  return std::clamp(2.0 * mutual / (one + other), 0.0, 1.0);
}

std::vector<double> mean_correlations_by_prefix(const MatrixView& x,
                                                std::span<const Index> features,
                                                std::span<const Index> lengths) {
  Index last = 0;
  for (const Index length : lengths) {
    if (length <= last || length > std::ssize(features))
      throw InvalidArgument(
          fmt::format("prefixes must have ascending lengths within 1 .. {}, but {} follows {}",
                      features.size(), length, last));
    last = length;
  }
  std::vector<PositionPair> pairs;
  for (Index later = 0; later < last; ++later)
    for (Index earlier = 0; earlier < later; ++earlier) pairs.push_back({earlier, later});
  const std::vector<double> rho = absolute_correlations(x, features.first(last), pairs);
  std::vector<double> means;
  double sum = 0.0;
  Index done = 0;
  for (const Index length : lengths) {
    for (const Index end = length * (length - 1) / 2; done < end; ++done) sum += rho[done];
    means.push_back(length < 2 ? 0.0 : sum / pairs_of(static_cast<double>(length)));
  }
  return means;
}

}  // namespace tamis
