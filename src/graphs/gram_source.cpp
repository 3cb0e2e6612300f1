#include "graphs/gram_source.hpp"

#include <algorithm>
#include <cmath>

#include "graphs/gram_dense.hpp"
#include "graphs/gram_integer.hpp"
#include "graphs/gram_sparse.hpp"
#include "linalg/integer_tiles.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// In smaller tables other things than products take the time.
constexpr Index kLeastIntegerRows = 256;
constexpr Index kLeastIntegerCols = 64;

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

template <class T>
std::unique_ptr<GramSource> make_cheap_source(const DenseView<T>& x, std::span<const Index> among) {
  const bool is_small = std::ssize(among) < kLeastIntegerRows || x.cols() < kLeastIntegerCols;
  return is_small || !integers_outrun_floats() ? nullptr : integer_gram_source(x, among);
}
template <class T>
std::unique_ptr<GramSource> make_cheap_source(const CsrView<T>&, std::span<const Index>) {
  return nullptr;
}

}  // namespace

std::unique_ptr<GramSource> gram_source(const MatrixView& x, std::span<const Index> among) {
  return x.visit([&](const auto& view) { return make_source(view, among); });
}

std::unique_ptr<GramSource> cheap_gram_source(const MatrixView& x, std::span<const Index> among) {
  return x.visit([&](const auto& view) { return make_cheap_source(view, among); });
}

bool holds_small_integers(const MatrixView& x, std::span<const Index> among) {
  return x.visit([&](const auto& view) { return integers_only(view, among); });
}

double work_bytes(double table) {
  constexpr double kShareOfAllThreads = 0.12;
  return std::max(static_cast<double>(kLeastWorkBytes),
                  kShareOfAllThreads * table / static_cast<double>(max_threads()));
}

double unit_scale(double sum_of_squares) {
  return sum_of_squares > 0.0 ? std::exp2(-std::ceil(0.5 * std::log2(sum_of_squares))) : 1.0;
}

}  // namespace tamis
