#include "graphs/centred_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/cpu.hpp"
#include "graphs/gram_source.hpp"

namespace tamis {

template <class T>
CentredRows<T>::CentredRows(const DenseView<T>& x, std::span<const Index> among)
    : x_(x), among_(among), centres_(x.cols()), integers_(holds_small_integers(x, among)) {
  const ColumnMoments columns = weighted_moments(x, among, std::vector<double>(among.size(), 1.0));
  // An integer shift keeps integers, whose distances are then exact.
  std::ranges::transform(columns.mean, centres_.begin(), [&](double mean) {
    return static_cast<T>(integers_ ? std::nearbyint(mean) : mean);
  });
  spread_ = std::accumulate(columns.squares.begin(), columns.squares.end(), 0.0);
  offset_ = columns.total_weight *
            std::inner_product(columns.mean.begin(), columns.mean.end(), columns.mean.begin(), 0.0);
}

template <class T>
void CentredRows<T>::copy_row(Index position, T scale, float* out) const {
  for_this_cpu([=, values = row(position), means = centres(), n = cols()](auto) TAMIS_KERNEL {
    for (Index r = 0; r < n; ++r) out[r] = static_cast<float>((values[r] - means[r]) * scale);
  });
}

template <class T>
void CentredRows<T>::count_from_zero() {
  std::ranges::fill(centres_, T{0});
}

template class CentredRows<float>;
template class CentredRows<double>;

}  // namespace tamis
