#include "core/ties.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

double largest_magnitude(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

bool is_better(double a, double b, Better better) {
  return better == Better::lower ? a < b : a > b;
}

}  // namespace

bool are_tied(double a, double b) {
  if (a == b) return true;  // equal infinities have no difference
  const double difference = std::abs(a - b);
  return std::isfinite(difference) && difference <= kTie * std::max(std::abs(a), std::abs(b));
}

Index first_of_best(std::span<const double> criteria, Better better, double tie) {
  double best = kUndefined;
  for (const double value : criteria)
    if (!std::isnan(value) && (std::isnan(best) || is_better(value, best, better))) best = value;
  const double slack = tie * largest_magnitude(criteria);
  for (Index r = 0; r < std::ssize(criteria); ++r)
    if (criteria[r] == best || std::abs(criteria[r] - best) <= slack) return r;
  return -1;
}

void level_ties(std::span<double> values, Better better) {
  const double slack = kTie * largest_magnitude(values);
  std::vector<Index> order;
  for (Index r = 0; r < std::ssize(values); ++r)
    if (!std::isnan(values[r])) order.push_back(r);
  std::ranges::sort(order,
                    [&](Index a, Index b) { return is_better(values[a], values[b], better); });
  double first = kUndefined;
  for (const Index r : order) {
    if (!(std::abs(values[r] - first) <= slack)) first = values[r];
    values[r] = first;
  }
}

void keep_nearest(std::vector<RowDistance>& rows, Index k) {
  const auto is_nearer = [](const RowDistance& a, const RowDistance& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
  };
  if (k < std::ssize(rows)) {  // beyond the tie that the k-th may be in, no order is needed
    std::nth_element(rows.begin(), rows.begin() + (k - 1), rows.end(), is_nearer);
    const double farthest = rows[k - 1].distance * (1.0 + kTie);
    std::erase_if(rows, [&](const RowDistance& row) { return row.distance > farthest; });
  }
  std::ranges::sort(rows, is_nearer);
  for (auto run = rows.begin(); run != rows.end();) {
    const double farthest = run->distance * (1.0 + kTie);
    const auto end = std::find_if(run, rows.end(),
                                  [&](const RowDistance& row) { return row.distance > farthest; });
    std::sort(run, end, [](const RowDistance& a, const RowDistance& b) { return a.row < b.row; });
    run = end;
  }
  if (k < std::ssize(rows)) rows.erase(rows.begin() + k, rows.end());
}

}  // namespace tamis
