#include "gram_source.hpp"

#include <algorithm>
#include <cmath>

#include "gram_dense.hpp"
#include "gram_sparse.hpp"

namespace tamis {
namespace {

template <class T>
bool is_small_integer(T value) {
  return std::abs(value) <= T{0x1p24} && value == std::nearbyint(value);
}

template <class T>
bool integers_only(const DenseView<T>& x, std::span<const Index> among) {
  return std::ranges::all_of(among, [&](Index i) {
    return std::all_of(x.row(i), x.row(i) + x.cols(), is_small_integer<T>);
  });
}

template <class T>
bool integers_only(const CsrView<T>& x, std::span<const Index> among) {
  return std::ranges::all_of(
      among, [&](Index i) { return std::ranges::all_of(x.row_values(i), is_small_integer<T>); });
}

template <class T>
std::unique_ptr<GramSource> make_source(const DenseView<T>& x, std::span<const Index> among) {
  return dense_gram_source(x, among);
}
template <class T>
std::unique_ptr<GramSource> make_source(const CsrView<T>& x, std::span<const Index> among) {
  return sparse_gram_source(x, among);
}

}  // namespace

std::unique_ptr<GramSource> gram_source(const MatrixView& x, std::span<const Index> among) {
  return x.visit([&](const auto& view) { return make_source(view, among); });
}

bool holds_small_integers(const MatrixView& x, std::span<const Index> among) {
  return x.visit([&](const auto& view) { return integers_only(view, among); });
}

void set_error_bounds(GramSource& source, Index terms, Index depth, bool integers) {
  // Products of integers, their sums and the keys (at most 4 r^2) stay below 2^24: all exact.
  const double largest = std::ranges::max(source.squared_norms) / (source.scale * source.scale);
  source.error_free = integers && largest < 0x1p22;
  // Higham, Accuracy and Stability of Numerical Algorithms, (3.5): |fl(a'b) - a'b| <= gamma_t
  // |a||b|; the key adds four roundings of numbers of at most 2 (r_a^2 + r_b^2).
  const double u = GramSource::kUnitRoundoff;
  const double gamma = static_cast<double>(terms + 2) * u;
  source.relative_error = gamma / (1.0 - std::min(0.5, gamma)) + 16.0 * u;
  source.absolute_error = static_cast<double>(depth + 16) * 0x1p-140;  // products that underflow
}

double unit_scale(double sum_of_squares) {
  return sum_of_squares > 0.0 ? std::exp2(-std::ceil(0.5 * std::log2(sum_of_squares))) : 1.0;
}

}  // namespace tamis
