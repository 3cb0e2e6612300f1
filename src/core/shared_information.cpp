#include "core/shared_information.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tamis {
namespace {

/// Smallest first: tables that differ by the order of their rows must not differ by rounding.
double ordered_sum(std::vector<double> terms) {
  std::ranges::sort(terms);
  return std::accumulate(terms.begin(), terms.end(), 0.0);
}

double entropy(const std::vector<Index>& counts, double total) {
  std::vector<double> terms;
  for (const Index count : counts) {
    const double share = static_cast<double>(count) / total;
    if (count > 0) terms.push_back(-share * std::log(share));
  }
  return terms.size() < 2 ? 0.0 : ordered_sum(std::move(terms));
}

}  // namespace

SharedCounts SharedCounts::from_table(std::span<const Index> table, Index columns) {
  const Index rows = std::ssize(table) / columns;
  SharedCounts counts{
      .first = std::vector<Index>(rows, 0), .second = std::vector<Index>(columns, 0), .cells = {}};
  for (Index a = 0; a < rows; ++a)
    for (Index b = 0; b < columns; ++b) {
      const Index count = table[a * columns + b];
      counts.first[a] += count;
      counts.second[b] += count;
      if (count > 0) counts.cells.push_back({a, b, count});
    }
  return counts;
}

SharedInformation shared_information(const SharedCounts& counts) {
  const auto total =
      static_cast<double>(std::accumulate(counts.first.begin(), counts.first.end(), Index{0}));
  std::vector<double> terms;
  for (const auto& [a, b, items] : counts.cells) {
    const auto count = static_cast<double>(items);
    const auto margins =
        static_cast<double>(counts.first[a]) * static_cast<double>(counts.second[b]);
    terms.push_back(count / total * std::log(count * total / margins));
  }
  return {.first_entropy = entropy(counts.first, total),
          .second_entropy = entropy(counts.second, total),
          .mutual = ordered_sum(std::move(terms))};
}

}  // namespace tamis
