#include "levels/code_facts.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

/// The code at a sorted place.
std::int64_t code_at(std::span<const CodeCount> counts, std::uint64_t place) {
  std::uint64_t end = 0;
  for (const CodeCount& entry : counts) {
    end += entry.count;
    if (place < end) return entry.code;
  }
  return 0;
}

}  // namespace

Int128 scaled_covariance(Index n, std::int64_t products, std::int64_t sum_x, std::int64_t sum_y) {
  return Int128{n} * products - Int128{sum_x} * sum_y;
}

double centred_sum(Index n, Int128 products, Int128 sum_x, Int128 sum_y) {
  return static_cast<double>(n * products - sum_x * sum_y) / static_cast<double>(n);
}

CodeFacts facts_of(std::span<const CodeCount> counts, Index rows) {
  const auto n = static_cast<std::uint64_t>(rows);
  const auto size = static_cast<double>(rows);
  const std::int64_t twice_median = code_at(counts, (n - 1) / 2) + code_at(counts, n / 2);
  CodeFacts facts;
  std::int64_t twice_off = 0;
  for (const CodeCount& entry : counts) {
    const auto count = static_cast<std::int64_t>(entry.count);
    const std::int64_t code = entry.code;
    facts.sum += count * code;
    facts.squares += count * code * code;
    facts.most_frequent = std::max<Index>(facts.most_frequent, count);
    twice_off += count * std::abs(2 * code - twice_median);
  }
  const Int128 variance = scaled_covariance(rows, facts.squares, facts.sum, facts.sum);
  if (variance == 0) return facts;
  facts.mean = static_cast<double>(facts.sum) / size;
  facts.deviation = std::sqrt(static_cast<double>(variance)) / size;
  const double mean_off = 0.5 * static_cast<double>(twice_off) / size / facts.deviation;
  facts.spread = mean_off * mean_off;
  return facts;
}

}  // namespace tamis
