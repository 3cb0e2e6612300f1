#include "core/shared_information.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tamis {
namespace {

std::int64_t sum_of_logs(const CountLogs& logs, const std::vector<Index>& counts) {
  std::int64_t sum = 0;
  for (const Index count : counts) sum += logs.of(count);
  return sum;
}

}  // namespace

CountLogs::CountLogs(Index items) {
  constexpr int kBits = 60;
  const auto n = static_cast<double>(std::max<Index>(items, 2));
  unit_ = std::ldexp(1.0, kBits - 1 - std::ilogb(n * std::log(n)));
  scale_ = unit_ * static_cast<double>(std::max<Index>(items, 1));
}

std::int64_t CountLogs::of(Index count) const {
  if (count < 2) return 0;
  const auto c = static_cast<double>(count);
  return std::llround(c * std::log(c) * unit_);
}

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
  const Index items = std::accumulate(counts.first.begin(), counts.first.end(), Index{0});
  const CountLogs logs(items);
  const std::int64_t all = logs.of(items);
  const std::int64_t first = sum_of_logs(logs, counts.first);
  const std::int64_t second = sum_of_logs(logs, counts.second);
  std::int64_t cells = 0;
  for (const auto& [a, b, count] : counts.cells) cells += logs.of(count);
  return {.first_entropy = logs.nats(all - first),
          .second_entropy = logs.nats(all - second),
          .mutual = mutual_information(logs, all, first, second, cells)};
}

double mutual_information(const CountLogs& logs, std::int64_t all, std::int64_t first,
                          std::int64_t second, std::int64_t cells) {
  // I = H(first) + H(second) - H(cells)
  const double mutual = logs.nats(all - first - second + cells);
  return mutual < kNoInformation ? 0.0 : mutual;
}

}  // namespace tamis
