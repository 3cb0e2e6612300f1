#include "methods/sselect/mutual_information.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace tamis {
namespace {

/// Smallest first: tables that differ by the order of their rows must not differ by rounding.
double ordered_sum(std::vector<double>& terms) {
  std::ranges::sort(terms);
  return std::accumulate(terms.begin(), terms.end(), 0.0);
}

double entropy(const std::vector<Index>& counts, double total) {
  std::vector<double> terms;
  for (const Index count : counts) {
    const double share = static_cast<double>(count) / total;
    if (count > 0) terms.push_back(-share * std::log(share));
  }
  return terms.size() < 2 ? 0.0 : ordered_sum(terms);
}

}  // namespace

double normalized_mutual_information(std::span<const Index> table, Index columns,
                                     NmiNormalization normalization) {
  const Index rows = std::ssize(table) / columns;
  std::vector<Index> in_row(rows, 0);
  std::vector<Index> in_column(columns, 0);
  for (Index a = 0; a < rows; ++a)
    for (Index b = 0; b < columns; ++b) {
      in_row[a] += table[a * columns + b];
      in_column[b] += table[a * columns + b];
    }
  const auto total = static_cast<double>(std::accumulate(in_row.begin(), in_row.end(), Index{0}));
  const double one = entropy(in_row, total);
  const double other = entropy(in_column, total);
  if (one == 0.0 || other == 0.0) return 0.0;
  std::vector<double> terms;
  for (Index a = 0; a < rows; ++a)
    for (Index b = 0; b < columns; ++b) {
      const auto count = static_cast<double>(table[a * columns + b]);
      const auto margins = static_cast<double>(in_row[a] * in_column[b]);
      if (count > 0.0) terms.push_back(count / total * std::log(count * total / margins));
    }
  const double unit =
      normalization == NmiNormalization::max ? std::max(one, other) : std::sqrt(one * other);
  return std::clamp(ordered_sum(terms) / unit, 0.0, 1.0);
}

}  // namespace tamis
