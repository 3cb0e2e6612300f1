#include "prepare/row_sample.hpp"

#include <algorithm>
#include <limits>

#include "core/random.hpp"

namespace tamis {

std::vector<Index> sample_rows(const Knowledge& known, Index rows, Index others,
                               std::uint64_t seed) {
  constexpr std::uint64_t kStream = std::numeric_limits<std::uint64_t>::max() - 2;  // no member's
  std::vector<Index> taken = known_rows(known);
  std::vector<bool> is_known(rows, false);
  for (const Index row : taken) is_known[row] = true;
  std::vector<Index> rest;
  for (Index i = 0; i < rows; ++i)
    if (!is_known[i]) rest.push_back(i);
  const Index count = std::min(others, std::ssize(rest));
  for (const Index place : RandomStream(seed, kStream).sample(std::ssize(rest), count))
    taken.push_back(rest[place]);
  std::ranges::sort(taken);
  return taken;
}

}  // namespace tamis
