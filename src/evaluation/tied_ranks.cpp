#include "evaluation/tied_ranks.hpp"

#include <algorithm>
#include <numeric>

#include "core/ties.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

TiedRanks rank_with_ties(std::span<const double> values) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return values[a] < values[b]; });
  TiedRanks out{.ranks = std::vector<double>(values.size())};
  for (Index begin = 0, end = 0; begin < std::ssize(order); begin = end) {
    while (end < std::ssize(order) && are_tied(values[order[begin]], values[order[end]])) ++end;
    const auto tied = static_cast<double>(end - begin);
    out.tie_sum += tied * tied * tied - tied;
    for (Index s = begin; s < end; ++s)
      out.ranks[order[s]] = static_cast<double>(begin + end + 1) / 2.0;
  }
  return out;
}

}  // namespace tamis
