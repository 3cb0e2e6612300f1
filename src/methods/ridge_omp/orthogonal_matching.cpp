#include "methods/ridge_omp/orthogonal_matching.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/ties.hpp"
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
/// Where few directions matter many columns are nearly parallel and are chosen all the same.
constexpr double kSameDirection = 0.95;
/// Rows whose numbers the nearest caches hold.
constexpr Index kRows = 1024;

/// By passes over the table.
class TableProducts : public ColumnProducts {
 public:
  explicit TableProducts(const RankedTable& table) : table_(table) {}

  Buffer<double> of(std::span<const Index> columns, std::span<const Index> some) const override {
    const Index n = table_.rows();
    const Index width = std::ssize(some);
    Buffer<double> vectors(n * width);
    for (Index from = 0; from < n; from += kRows)
      copy_rows(some, from, std::min(kRows, n - from), &vectors[from * width]);
    Buffer<double> products(std::ssize(columns) * width);
    table_.dot(columns, vectors.data(), width, products.data());
    return products;
  }

 private:
  /// Divided by the number of all rows.
  void copy_rows(std::span<const Index> columns, Index first, Index count, double* out) const {
    const Index width = std::ssize(columns);
    double column[kRows];
    for (Index c = 0; c < width; ++c) {
      table_.copy_column(columns[c], first, count, column);
      for (Index i = 0; i < count; ++i)
        out[i * width + c] = column[i] / static_cast<double>(table_.rows());
    }
  }

  const RankedTable& table_;
};

/// Inner products of all candidates with those that are likely to be chosen soon. Which are taken
/// together changes the time, never the products.
class Products {
 public:
  Products(const ColumnProducts& products, std::span<const Index> columns)
      : products_(products), columns_(columns) {}

  /// @param steps how many columns are still chosen, with the best
  const std::vector<double>& with(Index best, Index steps, const ResidualColumns& left,
                                  std::span<const double> gains) {
    if (!kept_.contains(best)) {
      if (kept_.size() + kBatch > kKept) kept_.clear();
      compute(promising(best, std::min(steps, kBatch), left, gains));
    }
    return kept_.at(best);
  }

 private:
  /// The best and others of high gain that do not point its way, or each other's.
  std::vector<Index> promising(Index best, Index most, const ResidualColumns& left,
                               std::span<const double> gains) const {
    std::vector<Index> sorted(gains.size());
    for (std::size_t s = 0; s < sorted.size(); ++s) sorted[s] = static_cast<Index>(s);
    const auto some = sorted.begin() + std::min<Index>(std::ssize(sorted), 16 * kBatch);
    std::partial_sort(sorted.begin(), some, sorted.end(), [&](Index a, Index b) {
      return gains[a] != gains[b] ? gains[a] > gains[b] : a < b;
    });
    std::vector<Index> batch{best};
    for (auto s = sorted.begin(); s != some && std::ssize(batch) < most; ++s) {
      const auto is_near = [&](Index t) { return left.alignment(*s, t) > kSameDirection; };
      if (gains[*s] > 0.0 && !kept_.contains(*s) && std::ranges::none_of(batch, is_near))
        batch.push_back(*s);
    }
    return batch;
  }

  void compute(const std::vector<Index>& batch) {
    std::vector<Index> some;
    for (const Index s : batch) some.push_back(columns_[s]);
    const Buffer<double> products = products_.of(columns_, some);
    const Index width = std::ssize(batch);
    for (Index c = 0; c < width; ++c) {
      std::vector<double>& entry = kept_[batch[c]];
      entry.resize(columns_.size());
      for (Index s = 0; s < std::ssize(entry); ++s) entry[s] = products[s * width + c];
    }
  }

  const ColumnProducts& products_;
  std::span<const Index> columns_;
  std::map<Index, std::vector<double>> kept_;
};

std::vector<double> gains_of(const ResidualColumns& columns) {
  std::vector<double> gains(columns.count());
  for (Index s = 0; s < columns.count(); ++s) gains[s] = columns.gain(s);
  return gains;
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0.0 : *std::ranges::max_element(values);
}

/// Takes a new choice into account for all candidates that still might be chosen.
void approach(Index chosen, std::span<const double> products, const ResidualColumns& left,
              std::vector<NearestChoice>& nearest) {
  for (std::size_t s = 0; s < nearest.size(); ++s) {
    const double correlation = std::min(1.0, std::abs(products[s]));
    if (!left.is_excluded(static_cast<Index>(s)) &&
        (!nearest[s].column || correlation > nearest[s].correlation))
      nearest[s] = {.column = chosen, .correlation = correlation};
  }
}

}  // namespace

double tie_tolerance(const RankedTable& z) { return z.is_single() ? 1e-6 : kTie; }

Matching match_orthogonally(const MatchingColumns& candidates, const MatchingRules& rules,
                            const Progress& progress) {
  ResidualColumns left(candidates, rules.nugget);
  Matching matching{.first_gains = gains_of(left)};
  const double negligible = kNothingLeft * largest(matching.first_gains);
  std::vector<Index> allowed = candidates.columns;
  if (rules.allowed) {
    left.keep(*rules.allowed);
    allowed.clear();
    for (const Index s : *rules.allowed) allowed.push_back(candidates.columns[s]);
  }
  Products products(*candidates.products, allowed);
  matching.nearest.resize(allowed.size());
  Progress::Stage stage(progress, "choosing features", rules.steps);
  while (std::ssize(matching.chosen) < rules.steps) {
    const std::vector<double> gains = gains_of(left);
    if (largest(gains) <= negligible) break;
    const Index best = first_of_best(gains, Better::higher, candidates.tie_tolerance);
    const Index steps_left = rules.steps - std::ssize(matching.chosen);
    matching.chosen.push_back(allowed[best]);
    matching.gains.push_back(gains[best]);
    const std::vector<double>& of_best = products.with(best, steps_left, left, gains);
    left.deflate(left.at(best), of_best);
    left.exclude(best);
    approach(allowed[best], of_best, left, matching.nearest);
    stage.advance();
  }
  return matching;
}

Matching match_orthogonally(const WeightedColumns& candidates, const RowVectors& target,
                            const MatchingRules& rules, const Progress& progress) {
  const RankedTable& table = *candidates.table;
  const TableProducts products(table);
  MatchingColumns columns{
      .columns = candidates.columns,
      .weights = candidates.weights,
      .targets = {target.width, Buffer<double>(std::ssize(candidates.columns) * target.width)},
      .products = &products,
      .tie_tolerance = tie_tolerance(table)};
  if (!columns.columns.empty())
    table.dot(columns.columns, target.values.data(), target.width, columns.targets.values.data());
  multiply_all(columns.targets, 1.0 / std::sqrt(static_cast<double>(table.rows())));
  for (const Index column : columns.columns)
    columns.lengths.push_back(table.spread()[column] == 0.0 ? 0.0 : 1.0);  // constant
  return match_orthogonally(columns, rules, progress);
}

void record_choices(const Trace& trace, const Matching& matching) {
  if (!trace.is_wanted()) return;
  for (std::size_t t = 0; t < matching.chosen.size(); ++t)
    trace.record(TraceEvent{"choice"}
                     .with("index", static_cast<Index>(t))
                     .with("feature", matching.chosen[t])
                     .with("gain", matching.gains[t]));
}

}  // namespace tamis
