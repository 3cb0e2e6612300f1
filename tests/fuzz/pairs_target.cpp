// A file of must-links and cannot-links, for a table with sample ids and for one without.
#include <cmath>

#include "fuzz/target.hpp"
#include "tamis/io/pairs.hpp"

namespace tamis {
namespace {

void check_pairs(const std::vector<RowPair>& pairs, Index rows) {
  for (const auto& [first, second, weight] : pairs) {
    fuzz::claim(first >= 0 && first < rows && second >= 0 && second < rows, "pairs are of rows");
    fuzz::claim(first != second, "no row is paired with itself");
    fuzz::claim(std::isfinite(weight) && weight > 0.0, "weights are positive");
  }
}

}  // namespace
}  // namespace tamis

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tamis;
  const fuzz::InputFile file(fuzz::view_of(data, size));
  for (const auto& ids : {std::vector<std::string>{}, {"a", "b", "sample 3"}})
    fuzz::attempt([&] {
      const PairConstraints pairs = read_pairs(file.path(), 3, ids);
      check_pairs(pairs.must_link, 3);
      check_pairs(pairs.cannot_link, 3);
    });
  return 0;
}
