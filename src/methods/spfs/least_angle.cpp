#include "methods/spfs/least_angle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ties.hpp"

namespace tamis {
namespace {

/// Columns whose squared distance from the span of the active ones is not above this are in it.
constexpr double kInSpan = 1e-10;
/// Roots are sought from a little below 0: a column that ties with the last one enters at once.
constexpr double kRounding = 1e-12;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The smallest gamma in [0, 1) with |u - gamma v|^2 = (1 - gamma)^2 level^2; undefined without.
double step_to(double uu, double uv, double vv, double level) {
  const double a = vv - level * level;
  const double b = uv - level * level;
  const double c = uu - level * level;
  const double under = b * b - a * c;
  if (under < 0.0) return kUndefined;
  // Both roots without cancellation: q / a and c / q.
  const double q = b + std::copysign(std::sqrt(under), b);
  double least = kUndefined;
  for (const double root : {a != 0.0 ? q / a : kUndefined, q != 0.0 ? c / q : kUndefined})
    if (root >= -kRounding && root < 1.0 - kRounding && !(root >= least))
      least = std::max(root, 0.0);
  return least;
}

/// The path, step by step. With T targets, everything is kept as T vectors.
class Path {
 public:
  Path(const StandardColumns& columns, const Targets& targets)
      : columns_(columns),
        rest_(targets),
        fitted_(targets.size(), std::vector<double>(columns.rows(), 0.0)),
        along_fitted_(targets.size(), std::vector<double>(columns.cols(), 0.0)),
        beside_(columns.cols(), 1.0),
        is_active_(columns.cols(), false) {
    for (const std::vector<double>& target : targets)
      along_rest_.push_back(columns.combined(target));
  }

  /// |f'R| of each column; undefined for active ones.
  std::vector<double> criteria() const {
    std::vector<double> found(columns_.cols(), kUndefined);
    for (Index r = 0; r < columns_.cols(); ++r)
      if (!is_active_[r]) found[r] = std::sqrt(of_targets(along_rest_, along_rest_, r));
    return found;
  }

  /// How far to go until each column is as near as the active ones, which are at `level`.
  std::vector<double> steps(double level) const {
    std::vector<double> found(columns_.cols(), kUndefined);
    for (Index r = 0; r < columns_.cols(); ++r)
      if (!is_active_[r] && beside_[r] > kInSpan)
        found[r] = step_to(of_targets(along_rest_, along_rest_, r),
                           of_targets(along_rest_, along_fitted_, r),
                           of_targets(along_fitted_, along_fitted_, r), level);
    return found;
  }

  /// R <- R - gamma G; what is left of G is 1 - gamma of it.
  void go(double gamma) {
    const auto move = [&](Targets& rest, Targets& fitted) {
      for (std::size_t k = 0; k < rest.size(); ++k)
        for (std::size_t i = 0; i < rest[k].size(); ++i) {
          rest[k][i] -= gamma * fitted[k][i];
          fitted[k][i] *= 1.0 - gamma;
        }
    };
    move(rest_, fitted_);
    move(along_rest_, along_fitted_);
  }

  /// The column joins the active ones, and G gets its part beside them.
  void activate(Index column) {
    is_active_[column] = true;
    std::vector<double> part(columns_.column(column).begin(), columns_.column(column).end());
    for (int twice = 0; twice < 2; ++twice)  // for rounding
      for (const std::vector<double>& other : basis_) {
        const double product = dot(part, other);
        for (std::size_t i = 0; i < part.size(); ++i) part[i] -= product * other[i];
      }
    const double length = std::sqrt(dot(part, part));
    for (double& value : part) value /= length;
    const std::vector<double> along = columns_.combined(part);
    for (std::size_t r = 0; r < along.size(); ++r) beside_[r] -= along[r] * along[r];
    for (std::size_t k = 0; k < rest_.size(); ++k) {
      const double product = dot(part, rest_[k]);
      for (std::size_t i = 0; i < part.size(); ++i) fitted_[k][i] += product * part[i];
      for (std::size_t r = 0; r < along.size(); ++r) along_fitted_[k][r] += product * along[r];
    }
    basis_.push_back(std::move(part));
  }

 private:
  static double of_targets(const Targets& a, const Targets& b, Index r) {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k][r] * b[k][r];
    return sum;
  }

  const StandardColumns& columns_;
  Targets rest_;                // R
  Targets fitted_;              // G
  Targets along_rest_;          // F'R
  Targets along_fitted_;        // F'G
  std::vector<double> beside_;  // squared distances of columns from the span of the active ones
  std::vector<bool> is_active_;
  Targets basis_;  // of that span, orthonormal
};

}  // namespace

ChosenColumns least_angle(const StandardColumns& columns, const Targets& targets,
                          Index max_features, const Progress& progress) {
  const Index most = std::min(max_features, columns.cols());
  Progress::Stage stage(progress, "choosing features", most);
  Path path(columns, targets);
  ChosenColumns chosen{.path = {}, .criteria = path.criteria()};
  Index next = first_of_best(chosen.criteria, Better::higher);
  double level = chosen.criteria[next];
  while (true) {
    chosen.path.features.push_back(next);
    chosen.path.criterion.push_back(level);
    stage.advance();
    if (std::ssize(chosen.path.features) == most) return chosen;
    path.activate(next);
    const std::vector<double> steps = path.steps(level);
    next = first_of_best(steps, Better::lower);
    if (next < 0) return chosen;
    path.go(steps[next]);
    level *= 1.0 - steps[next];
    chosen.criteria = path.criteria();
  }
}

}  // namespace tamis
