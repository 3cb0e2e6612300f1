#include "levels/row_targets.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {

void to_shares(double* scores, Index classes, double temperature) {
  const double largest = *std::max_element(scores, scores + classes);
  double total = 0.0;
  for (Index c = 0; c < classes; ++c)
    total += scores[c] = std::exp(temperature * (scores[c] - largest));
  for (Index c = 0; c < classes; ++c) scores[c] = std::nearbyint(scores[c] / total / kTargetUnit);
}

void for_each_product(const Buffer<double>& codes, Index rows, Index cols, const double* values,
                      Index width,
                      const std::function<void(Index column, const double* sums)>& visit) {
  constexpr Index kGrain = 512;  // columns at once: the values are made ready for each anew
  if (width == 0) return;
  parallel_for(cols, kGrain, [&](Index begin, Index end) {
    Buffer<double> part((end - begin) * width, 0.0);
    add_product(&codes[begin * kCodeRows], kCodeRows, values, end - begin, rows, width,
                part.data());
    for (Index r = begin; r < end; ++r) visit(r, &part[(r - begin) * width]);
  });
}

void add_all(std::vector<Int128>& to, const std::vector<Int128>& from) {
  for (std::size_t e = 0; e < to.size(); ++e) to[e] += from[e];
}

}  // namespace tamis
