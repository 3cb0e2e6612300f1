#include "linalg/conjugate_gradients.hpp"

#include <vector>

namespace tamis {
namespace {

/// The inner product of each pair of columns.
std::vector<double> dots(const RowVectors& a, const RowVectors& b) {
  std::vector<double> sums(a.width, 0.0);
  for (Index i = 0; i < a.rows(); ++i)
    for (Index c = 0; c < a.width; ++c) sums[c] += a.row(i)[c] * b.row(i)[c];
  return sums;
}

/// to = scale * to + step * from, column by column.
void combine(RowVectors& to, const std::vector<double>& scale, const std::vector<double>& step,
             const RowVectors& from) {
  for (Index i = 0; i < to.rows(); ++i)
    for (Index c = 0; c < to.width; ++c)
      to.row(i)[c] = scale[c] * to.row(i)[c] + step[c] * from.row(i)[c];
}

}  // namespace

RowVectors conjugate_gradients(const std::function<RowVectors(const RowVectors&)>& apply,
                               const RowVectors& b, double tolerance) {
  constexpr int kMostSteps = 500;
  RowVectors x{b.width, Buffer<double>(b.values.size(), 0.0)};
  RowVectors residual = b;
  RowVectors direction = b;
  const std::vector<double> ones(b.width, 1.0);
  const std::vector<double> start = dots(b, b);
  std::vector<double> squares = start;
  const auto is_solved = [&](Index c) { return squares[c] <= tolerance * tolerance * start[c]; };
  for (int step = 0; step < kMostSteps; ++step) {
    bool all_solved = true;
    for (Index c = 0; c < b.width; ++c) all_solved = all_solved && is_solved(c);
    if (all_solved) break;
    const RowVectors image = apply(direction);
    const std::vector<double> curvature = dots(direction, image);
    std::vector<double> length(b.width, 0.0);
    std::vector<double> back(b.width, 0.0);
    for (Index c = 0; c < b.width; ++c)
      if (!is_solved(c) && curvature[c] > 0.0) length[c] = squares[c] / curvature[c];
    for (Index c = 0; c < b.width; ++c) back[c] = -length[c];
    combine(x, ones, length, direction);
    combine(residual, ones, back, image);
    const std::vector<double> now = dots(residual, residual);
    std::vector<double> turn(b.width, 0.0);
    for (Index c = 0; c < b.width; ++c)
      if (squares[c] > 0.0) turn[c] = now[c] / squares[c];
    combine(direction, turn, ones, residual);
    squares = now;
  }
  return x;
}

}  // namespace tamis
