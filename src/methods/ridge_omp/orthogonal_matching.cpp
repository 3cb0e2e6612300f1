#include "methods/ridge_omp/orthogonal_matching.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "methods/ridge_omp/residual_columns.hpp"

namespace tamis {
namespace {

/// Gains below this share of the first are rounding.
constexpr double kNothingLeft = 1e-12;
/// Columns whose products are taken in one pass over the table.
constexpr Index kBatch = 8;
/// Products are kept for so many columns.
constexpr std::size_t kKept = 64;
/// Columns that point so much the same way compete for one place: only one is worth a product.
constexpr double kSameDirection = 0.9;

/// Inner products of all candidates and shadows (of length 1) with candidates that are likely to be
/// chosen soon. Which are taken together changes the time, never the products.
class Products {
 public:
  Products(const WeightedColumns& candidates, const WeightedColumns& shadows)
      : candidates_(candidates), shadows_(shadows) {}

  struct Entry {
    std::vector<double> candidates = {};
    std::vector<double> shadows = {};
  };

  const Entry& with(Index best, const ResidualColumns& left, std::span<const double> gains) {
    if (!kept_.contains(best)) {
      if (kept_.size() + kBatch > kKept) kept_.clear();
      compute(promising(best, left, gains));
    }
    return kept_.at(best);
  }

 private:
  /// The best and others of high gain that do not point its way, or each other's.
  std::vector<Index> promising(Index best, const ResidualColumns& left,
                               std::span<const double> gains) const {
    std::vector<Index> sorted(gains.size());
    for (std::size_t s = 0; s < sorted.size(); ++s) sorted[s] = static_cast<Index>(s);
    const auto some = sorted.begin() + std::min<Index>(std::ssize(sorted), 16 * kBatch);
    std::partial_sort(sorted.begin(), some, sorted.end(), [&](Index a, Index b) {
      return gains[a] != gains[b] ? gains[a] > gains[b] : a < b;
    });
    std::vector<Index> batch{best};
    for (auto s = sorted.begin(); s != some && std::ssize(batch) < kBatch; ++s) {
      const auto is_near = [&](Index t) { return left.alignment(*s, t) > kSameDirection; };
      if (gains[*s] > 0.0 && !kept_.contains(*s) && std::ranges::none_of(batch, is_near))
        batch.push_back(*s);
    }
    return batch;
  }

  void compute(const std::vector<Index>& batch) {
    const Index n = candidates_.table->rows();
    const Index width = std::ssize(batch);
    Buffer<double> column(n);
    Buffer<double> vectors(n * width);
    for (Index c = 0; c < width; ++c) {
      candidates_.table->copy_column(candidates_.columns[batch[c]], 0, n, column.data());
      for (Index i = 0; i < n; ++i) vectors[i * width + c] = column[i] / static_cast<double>(n);
    }
    const auto products_of = [&](const WeightedColumns& with, auto member) {
      if (with.columns.empty()) return;
      Buffer<double> products(std::ssize(with.columns) * width);
      with.table->dot(with.columns, vectors.data(), width, products.data());
      for (Index c = 0; c < width; ++c) {
        std::vector<double>& entry = kept_[batch[c]].*member;
        entry.resize(with.columns.size());
        for (std::size_t s = 0; s < entry.size(); ++s)
          entry[s] = products[static_cast<Index>(s) * width + c];
      }
    };
    products_of(candidates_, &Entry::candidates);
    products_of(shadows_, &Entry::shadows);
  }

  const WeightedColumns& candidates_;
  const WeightedColumns& shadows_;
  std::map<Index, Entry> kept_;
};

std::vector<double> gains_of(const ResidualColumns& columns) {
  std::vector<double> gains(columns.count());
  for (Index s = 0; s < columns.count(); ++s) gains[s] = columns.gain(s);
  return gains;
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0.0 : *std::ranges::max_element(values);
}

/// The first that gains as much as the best but for rounding.
Index first_best(const std::vector<double>& gains, double rounding) {
  const double enough = (1.0 - rounding) * largest(gains);
  return std::ranges::find_if(gains, [&](double gain) { return gain >= enough; }) - gains.begin();
}

}  // namespace

double tie_tolerance(const RankedTable& z) { return z.is_single() ? 1e-6 : 1e-10; }

Matching match_orthogonally(const WeightedColumns& candidates, const RowVectors& target,
                            const MatchingRules& rules, const WeightedColumns& shadows,
                            const Progress& progress) {
  const Index steps = rules.steps;
  ResidualColumns left(candidates, target, rules.nugget);
  ResidualColumns shadows_left(shadows, target, rules.nugget);
  Products products(candidates, shadows);
  Matching matching{.first_gains = gains_of(left)};
  const double negligible = kNothingLeft * largest(matching.first_gains);
  bool is_counting = !shadows.columns.empty();
  if (is_counting) matching.curve.emplace();
  Progress::Stage stage(progress, "choosing features", steps);
  while (std::ssize(matching.chosen) < steps || is_counting) {
    const std::vector<double> gains = gains_of(left);
    if (largest(gains) <= negligible) break;
    const Index best = first_best(gains, tie_tolerance(*candidates.table));
    if (is_counting) {
      matching.curve->gains.push_back(gains[best]);
      matching.curve->shadow_gains.push_back(largest(gains_of(shadows_left)));
      is_counting = gains[best] > matching.curve->shadow_gains.back();
      if (is_counting) ++matching.curve->n_features;
      if (!is_counting && std::ssize(matching.chosen) >= steps) break;
    }
    matching.chosen.push_back(candidates.columns[best]);
    matching.gains.push_back(gains[best]);
    const Products::Entry& of_best = products.with(best, left, gains);
    const ChosenColumn chosen = left.at(best);
    left.deflate(chosen, of_best.candidates);
    left.exclude(best);
    if (is_counting) shadows_left.deflate(chosen, of_best.shadows);
    if (std::ssize(matching.chosen) <= steps) stage.advance();
  }
  return matching;
}

}  // namespace tamis
