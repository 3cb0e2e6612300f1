#include "methods/relevance/label_permutations.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "core/random.hpp"
#include "methods/known_values.hpp"
#include "methods/relevance/streams.hpp"
#include "methods/ridge_omp/kernel_ridge.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Sums that differ by no more than this share are equal but for rounding.
constexpr double kSame = 1e-10;

/// At most kLargestKernel rows of each class, as equal in number as their classes allow; labels
/// that have nothing to do with the rows have nothing to do with these either.
std::vector<std::vector<Index>> some_of_each(std::vector<std::vector<Index>> classes,
                                             std::uint64_t seed) {
  Index left = kLargestKernel;
  std::ranges::stable_sort(classes, {}, [](const auto& rows) { return rows.size(); });
  for (Index c = 0; c < std::ssize(classes); ++c) {
    RandomStream(seed, kLabelRowStream).shuffle(classes[c]);
    const Index quota = left / (std::ssize(classes) - c);
    if (std::ssize(classes[c]) > quota) classes[c].resize(quota);
    left -= std::ssize(classes[c]);
  }
  return classes;
}

std::vector<std::vector<Index>> rows_looked_at(const Knowledge& known, std::uint64_t seed) {
  std::vector<std::vector<Index>> classes = rows_by_class(known);
  return std::ssize(labeled_rows(known)) > kLargestKernel ? some_of_each(std::move(classes), seed)
                                                          : classes;
}

std::vector<Index> all_of(const std::vector<std::vector<Index>>& classes) {
  std::vector<Index> rows;
  for (const auto& of_class : classes) rows.insert(rows.end(), of_class.begin(), of_class.end());
  std::ranges::sort(rows);
  return rows;
}

std::vector<Index> some_valued(const Knowledge& known, std::uint64_t seed) {
  std::vector<Index> rows = valued_rows(known);
  if (std::ssize(rows) <= kLargestKernel) return rows;
  RandomStream(seed, kLabelRowStream).shuffle(rows);
  rows.resize(kLargestKernel);
  std::ranges::sort(rows);
  return rows;
}

/// K of the given rows, both triangles.
Buffer<double> full_kernel(const RankedTable& z, std::span<const Index> rows) {
  const Index l = std::ssize(rows);
  Buffer<double> kernel = known_kernel(z, rows);
  for (Index s = 0; s < l; ++s)
    for (Index t = 0; t < s; ++t) kernel[t * l + s] = kernel[s * l + t];
  return kernel;
}

/// The share of permutations of `given`, itself among them, of which a statistic is as large.
double permutation_p(const std::vector<Index>& given, std::uint64_t seed,
                     const std::function<double(const std::vector<Index>&)>& statistic) {
  const double said = statistic(given);
  std::vector<char> is_as_large(kLabelPermutations);
  parallel_for(kLabelPermutations, 1, [&](Index k, Index) {
    std::vector<Index> order = given;
    RandomStream(seed, kLabelStream + k).shuffle(order);
    is_as_large[k] = statistic(order) >= said * (1.0 - kSame);
  });
  const auto as_large = std::ranges::count(is_as_large, 1);
  return static_cast<double>(1 + as_large) / static_cast<double>(1 + kLabelPermutations);
}

/// sum_j G_j B_j = sum_c 1/n_c sum of K_ab over the a and b of class c, the first n_1 of `order`
/// being of class 1 and so on.
double between_classes(const Buffer<double>& kernel, const std::vector<Index>& order,
                       const std::vector<std::vector<Index>>& classes) {
  const Index l = std::ssize(order);
  double total = 0.0;
  Index begin = 0;
  for (const auto& rows : classes) {
    const Index end = begin + std::ssize(rows);
    double sum = 0.0;
    for (Index s = begin; s < end; ++s) {
      const double* const of_row = &kernel[order[s] * l];
      for (Index t = begin; t < end; ++t) sum += of_row[order[t]];
    }
    if (end > begin) total += sum / static_cast<double>(end - begin);
    begin = end;
  }
  return total;
}

/// sum_j G_j B_j = y'K y / y'y, row s having value order[s]; without y'y, which no permutation
/// changes.
double explained_by(const Buffer<double>& values, const Buffer<double>& kernel,
                    const std::vector<Index>& order) {
  const Index l = std::ssize(order);
  double total = 0.0;
  for (Index s = 0; s < l; ++s) {
    double sum = 0.0;
    for (Index t = 0; t < l; ++t) sum += kernel[s * l + t] * values[order[t]];
    total += values[order[s]] * sum;
  }
  return total;
}

double value_p(const RankedTable& z, const Knowledge& known, std::uint64_t seed) {
  const std::vector<Index> rows = label_p_rows(known, seed);
  const RowVectors values = standard_values(known_about(known, rows));
  const Buffer<double> kernel = full_kernel(z, rows);
  return permutation_p(all_indices(std::ssize(rows)), seed, [&](const std::vector<Index>& order) {
    return explained_by(values.values, kernel, order);
  });
}

}  // namespace

std::vector<Index> label_p_rows(const Knowledge& known, std::uint64_t seed) {
  return values_decide(known) ? some_valued(known, seed) : all_of(rows_looked_at(known, seed));
}

std::optional<double> label_p(const RankedTable& z, const Knowledge& known, std::uint64_t seed) {
  if (values_decide(known)) return value_p(z, known, seed);
  const std::vector<std::vector<Index>> classes = rows_looked_at(known, seed);
  if (classes.size() < 2) return std::nullopt;
  const std::vector<Index> rows = all_of(classes);
  const Buffer<double> kernel = full_kernel(z, rows);
  std::vector<Index> given;
  for (const auto& of_class : classes)
    for (const Index row : of_class)
      given.push_back(std::ranges::lower_bound(rows, row) - rows.begin());
  return permutation_p(given, seed, [&](const std::vector<Index>& order) {
    return between_classes(kernel, order, classes);
  });
}

}  // namespace tamis
