#include "methods/ridge_omp/residual_columns.hpp"

#include <algorithm>
#include <cmath>

#include "core/cpu.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns of which no more is left (squared, of 1) are combinations of the chosen ones.
constexpr double kExplained = 1e-6;
constexpr Index kGrain = 1024;

double dot(const double* a, const double* b, Index width) {
  double sum = 0.0;
  for (Index c = 0; c < width; ++c) sum += a[c] * b[c];
  return sum;
}

/// out -= factor * values
void subtract(const double* values, double factor, Index n, double* out) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index s = 0; s < n; ++s) out[s] -= values[s] * factor;
  });
}

/// Steps are divided by the length, and what they explain is taken from what is left.
void take_step(double length, Index n, double* step, double* left) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index s = 0; s < n; ++s) {
      step[s] /= length;
      left[s] = std::max(0.0, left[s] - step[s] * step[s]);
    }
  });
}

/// targets[s * width + c] -= step[s] * target[c] / length
void subtract_products(const double* step, const double* target, double length, Index n,
                       Index width, double* targets) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index s = 0; s < n; ++s)
      for (Index c = 0; c < width; ++c) targets[s * width + c] -= step[s] * target[c] / length;
  });
}

}  // namespace

ResidualColumns::ResidualColumns(const MatchingColumns& columns, double nugget)
    : width_(columns.targets.width),
      nugget_(nugget),
      weights_(columns.weights),
      left_(columns.lengths),
      is_excluded_(columns.columns.size(), false),
      targets_(columns.targets.values) {}

double ResidualColumns::gain(Index s) const {
  if (is_excluded_[s] || left_[s] <= kExplained) return 0.0;
  return weights_[s] * dot(target_of(s), target_of(s), width_) / (left_[s] + nugget_);
}

double ResidualColumns::alignment(Index s, Index t) const {
  const double lengths =
      dot(target_of(s), target_of(s), width_) * dot(target_of(t), target_of(t), width_);
  return lengths > 0.0 ? std::abs(dot(target_of(s), target_of(t), width_)) / std::sqrt(lengths)
                       : 0.0;
}

ChosenColumn ResidualColumns::at(Index s) const {
  ChosenColumn column{.left = left_[s], .target = {target_of(s), target_of(s) + width_}};
  for (const Buffer<double>& step : coordinates_) column.coordinates.push_back(step[s]);
  return column;
}

void ResidualColumns::keep(std::span<const Index> positions) {
  std::vector<double> weights;
  std::vector<double> left;
  Buffer<double> targets(std::ssize(positions) * width_);
  for (Index t = 0; t < std::ssize(positions); ++t) {
    weights.push_back(weights_[positions[t]]);
    left.push_back(left_[positions[t]]);
    std::copy_n(target_of(positions[t]), width_, &targets[t * width_]);
  }
  weights_ = std::move(weights);
  left_ = std::move(left);
  targets_ = std::move(targets);
  is_excluded_.assign(positions.size(), false);
}

void ResidualColumns::deflate(const ChosenColumn& chosen, std::span<const double> products) {
  const double length = std::sqrt(chosen.left + nugget_);
  Buffer<double> step(products.begin(), products.end());
  parallel_for(count(), kGrain, [&](Index begin, Index end) {
    for (std::size_t p = 0; p < coordinates_.size(); ++p)
      subtract(&coordinates_[p][begin], chosen.coordinates[p], end - begin, &step[begin]);
    take_step(length, end - begin, &step[begin], &left_[begin]);
    subtract_products(&step[begin], chosen.target.data(), length, end - begin, width_,
                      &targets_[begin * width_]);
  });
  coordinates_.push_back(std::move(step));
}

}  // namespace tamis
