#include "projections/fitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr double kRounding = 1e-9;

/// What a direction is multiplied with: its sign, and its length if that should be 1.
double factor(std::span<const double> direction, Fitting::Length length) {
  double largest = 0.0;
  for (const double entry : direction) largest = std::max(largest, std::abs(entry));
  const auto first = std::ranges::find_if(
      direction, [&](double entry) { return std::abs(entry) >= (1.0 - kRounding) * largest; });
  const double squares =
      std::transform_reduce(direction.begin(), direction.end(), direction.begin(), 0.0);
  return std::copysign(length == Fitting::Length::one ? 1.0 / std::sqrt(squares) : 1.0, *first);
}

/// A row per column of the table, as products want them.
RowVectors by_columns(const DenseTable<double>& components) {
  RowVectors turned{components.rows, Buffer<double>(components.values.size())};
  for (Index r = 0; r < components.cols; ++r)
    for (Index c = 0; c < components.rows; ++c)
      turned.row(r)[c] = components.values[c * components.cols + r];
  return turned;
}

}  // namespace

double eigenvalue_tolerance(std::span<const double> eigenvalues) {
  return kRounding * std::max(std::abs(eigenvalues.front()), std::abs(eigenvalues.back()));
}

Fitting::Fitting(const ProjectionInfo& method, const Problem& problem, Index n_components,
                 const Run& run)
    : matrix_(problem.matrix),
      table_(problem.matrix),
      space_(table_, run.progress),
      n_components_(std::min(n_components, space_.rank())) {
  if (space_.rank() == 0)
    throw DataError(fmt::format("{}: all {} rows are equal, so there is no direction to project on",
                                method.name, problem.rows()));
  if (n_components_ < n_components)
    warn(fmt::format("the rows vary in {} direction{} only: {} components instead of {}",
                     n_components_, n_components_ == 1 ? "" : "s", n_components_, n_components));
  for (const double squares : space_.squares())
    variances_.push_back(squares / static_cast<double>(problem.rows()));
}

Projection Fitting::projection(std::vector<double> eigenvalues, std::span<const double> directions,
                               Length length) {
  const double tolerance = eigenvalue_tolerance(eigenvalues);
  eigenvalues.resize(n_components_);
  for (double& value : eigenvalues)
    if (std::abs(value) <= tolerance) value = 0.0;
  RowVectors in_space{n_components_, Buffer<double>(rank() * n_components_)};
  for (Index a = 0; a < rank(); ++a)
    for (Index c = 0; c < n_components_; ++c) in_space.row(a)[c] = directions[c * rank() + a];
  RowVectors found = space_.directions(in_space);
  for (Index c = 0; c < n_components_; ++c) {
    const std::span direction(found.row(c), static_cast<std::size_t>(table_.cols()));
    const double by = factor(direction, length);
    for (double& entry : direction) entry *= by;
  }
  Projection result{.rank = rank(),
                    .eigenvalues = std::move(eigenvalues),
                    .mean = table_.mean(),
                    .components = {n_components_, table_.cols(), std::move(found.values)},
                    .warnings = warnings_};
  result.projected = projected_rows(matrix_, result.mean, result.components);
  return result;
}

DenseTable<double> projected_rows(const MatrixView& x, const std::vector<double>& mean,
                                  const DenseTable<double>& components) {
  if (x.cols() != components.cols)
    throw DataError(fmt::format("the table has {} columns, and the components were fitted to {}",
                                x.cols(), components.cols));
  return {x.rows(), components.rows, CentredTable(x, mean).times(by_columns(components)).values};
}

}  // namespace tamis
