#include "tamis/methods/spfs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/spfs/group_lasso.hpp"
#include "methods/standard_columns.hpp"
#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive_algebra.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using test::Columns;
using test::naive_dot;

test::Rank method(SpfsOptions options = {}) {
  return [options](const Problem& problem) { return spfs(problem, options); };
}

/// F and K word for word, as matrices.
struct Naive {
  Columns f;
  Columns k;

  Naive(const test::Sample& sample, const SpfsOptions& options) {
    const bool has_classes = options.similarity == SpfsSimilarity::classes;
    std::vector<Index> rows;
    for (Index i = 0; i < sample.x.rows; ++i)
      if (!has_classes || sample.labels[i] != kUnlabeled) rows.push_back(i);
    for (Index r = 0; r < sample.x.cols; ++r) {
      std::vector<double> column;
      for (const Index i : rows) column.push_back(sample.x(i, r));
      column = test::naive_centered(column);
      const double length = std::sqrt(naive_dot(column, column));
      for (double& value : column) value /= length;
      f.push_back(column);
    }
    k.assign(rows.size(), std::vector<double>(rows.size()));
    double mean_distance = 0.0;
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = 0; b < rows.size(); ++b) {
        double d = 0.0;
        for (Index r = 0; r < sample.x.cols; ++r)
          d += std::pow(sample.x(rows[a], r) - sample.x(rows[b], r), 2);
        mean_distance += d / static_cast<double>(rows.size() * (rows.size() - 1));
        const auto of_class = [&](Index i) { return sample.labels[i] == sample.labels[rows[a]]; };
        k[a][b] = d;
        if (has_classes)
          k[a][b] = of_class(rows[b])
                        ? 1.0 / static_cast<double>(std::ranges::count_if(rows, of_class))
                        : 0.0;
      }
    for (auto& row : k)
      for (double& value : row)
        if (!has_classes) value = std::exp(-value / (options.bandwidth * mean_distance));
    center_both_ways();
  }

  void center_both_ways() {
    for (int way = 0; way < 2; ++way) {
      for (auto& row : k) row = test::naive_centered(row);
      Columns turned = k;
      for (std::size_t a = 0; a < k.size(); ++a)
        for (std::size_t b = 0; b < k.size(); ++b) turned[b][a] = k[a][b];
      k = turned;
    }
  }

  double within(std::size_t r) const {
    double sum = 0.0;
    for (std::size_t a = 0; a < k.size(); ++a) sum += f[r][a] * naive_dot(k[a], f[r]);
    return sum;
  }

  double squares() const {
    double sum = 0.0;
    for (const auto& row : k) sum += naive_dot(row, row);
    return sum;
  }

  /// Y, one vector per target.
  Columns targets(std::size_t most) const {
    Columns roots = test::naive_root(k);
    if (roots.size() > most) roots.resize(most);
    return roots;
  }
};

SelectionPath naive_sfs(Naive naive, Index steps) {
  SelectionPath path;
  while (std::ssize(path.features) < std::min(steps, std::ssize(naive.f))) {
    Index best = -1;
    for (Index r = 0; r < std::ssize(naive.f); ++r)
      if (std::ranges::count(path.features, r) == 0 &&
          (best < 0 || naive.within(r) > naive.within(best) + 1e-10))
        best = r;
    const std::vector<double>& chosen = naive.f[best];
    for (std::size_t a = 0; a < chosen.size(); ++a)
      for (std::size_t b = 0; b < chosen.size(); ++b) naive.k[a][b] -= chosen[a] * chosen[b];
    path.features.push_back(best);
    path.criterion.push_back(naive.squares());
  }
  return path;
}

TEST(Spfs, ChoosesOneByOneAsTheMatricesSay) {
  const test::Sample sparse{test::sparse_table(40, 12, /*seed=*/2),
                            test::blobs(40, 1, 8, 0).labels};
  for (const SpfsSimilarity similarity : {SpfsSimilarity::classes, SpfsSimilarity::rbf})
    for (const test::Sample& sample : {test::blobs(70, 9, 6, /*seed=*/1), sparse})
      for (const Index steps : {3, 200}) {
        const SpfsOptions options{
            .similarity = similarity, .bandwidth = 0.7, .max_features = steps};
        const SelectionPath expected = naive_sfs(Naive(sample, options), steps);
        for (const test::Storage storage : test::kStorages) {
          const Ranking ranking = spfs(test::StoredSample(sample, storage).problem(), options);
          EXPECT_EQ(ranking.path->features, expected.features);
          test::expect_scores_near(ranking.path->criterion, expected.criterion, 1e-11);
        }
      }
}

/// |f'Y| over the targets.
double nearness(const std::vector<double>& f, const Columns& y) {
  double sum = 0.0;
  for (const auto& target : y) sum += std::pow(naive_dot(f, target), 2);
  return std::sqrt(sum);
}

/// The projection of each target on the columns, by their normal equations.
Columns projected(const Columns& y, const Columns& active) {
  Columns gram, all;
  for (const auto& a : active) {
    gram.emplace_back();
    for (const auto& b : active) gram.back().push_back(naive_dot(a, b));
  }
  for (const auto& target : y) {
    std::vector<double> products;
    for (const auto& a : active) products.push_back(naive_dot(a, target));
    const std::vector<double> weights = test::naive_solve(gram, products);
    std::vector<double> sum(target.size(), 0.0);
    for (std::size_t s = 0; s < active.size(); ++s)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[s] * active[s][i];
    all.push_back(sum);
  }
  return all;
}

Columns moved(Columns rest, const Columns& along, double gamma) {
  for (std::size_t k = 0; k < rest.size(); ++k)
    for (std::size_t i = 0; i < rest[k].size(); ++i) rest[k][i] -= gamma * along[k][i];
  return rest;
}

/// Checks a path step by step: at each entry all active columns are equally near, and no other
/// column that is not in their span is nearer; on the way there nobody was.
void expect_least_angles(const Naive& naive, const Columns& y, const SelectionPath& path) {
  Columns rest = y, active;
  for (std::size_t step = 0; step < path.features.size(); ++step) {
    const double level = path.criterion[step];
    if (step > 0) {
      const double before = path.criterion[step - 1];
      rest = moved(rest, projected(rest, active), 1.0 - level / before);
    }
    active.push_back(naive.f[path.features[step]]);
    for (const auto& f : active) EXPECT_NEAR(nearness(f, rest), level, 1e-8);
    for (const auto& f : naive.f) EXPECT_LE(nearness(f, rest), level + 1e-8);
  }
}

TEST(Spfs, GoesAlongTheLeastAngle) {
  for (const SpfsSimilarity similarity : {SpfsSimilarity::classes, SpfsSimilarity::rbf}) {
    const test::Sample sample = test::blobs(60, 9, 6, /*seed=*/3);
    const SpfsOptions options{.solver = SpfsSolver::lar, .similarity = similarity};
    const Naive naive(sample, options);
    const Ranking ranking = spfs(test::StoredSample(sample).problem(), options);
    EXPECT_EQ(ranking.path->features.size(), 9U);
    expect_least_angles(naive, naive.targets(10), *ranking.path);
    EXPECT_TRUE(std::ranges::is_sorted(ranking.path->criterion, std::greater{}));
  }
}

TEST(Spfs, LetsNoMoreEnterThanTheRowsSpan) {
  const test::Sample sample = test::blobs(60, 30, 3, /*seed=*/4);
  const Ranking ranking = spfs(test::StoredSample(sample).problem(), {.solver = SpfsSolver::lar});
  EXPECT_EQ(ranking.path->features.size(), 8U);  // of 9 labeled rows
  EXPECT_TRUE(ranking.diagnostics.undefined.empty());
}

TEST(Spfs, NeverLetsACopyEnter) {
  test::Sample sample = test::blobs(60, 8, 6, /*seed=*/5);
  for (Index i = 0; i < 60; ++i) sample.x(i, 5) = 3.0 - 2.0 * sample.x(i, 0);
  const Ranking ranking = spfs(test::StoredSample(sample).problem(), {.solver = SpfsSolver::lar});
  EXPECT_EQ(std::ranges::count(ranking.path->features, 0), 1);
  EXPECT_EQ(std::ranges::count(ranking.path->features, 5), 0);
}

TEST(Spfs, FindsWeightsToASmallGapFromTheDual) {
  for (const SpfsSimilarity similarity : {SpfsSimilarity::classes, SpfsSimilarity::rbf})
    for (const double regularization : {0.05, 0.4, 1.0}) {
      const test::Sample sample = test::blobs(50, 12, 6, /*seed=*/6);
      const SpfsOptions options{
          .solver = SpfsSolver::nes, .similarity = similarity, .regularization = regularization};
      const Naive naive(sample, options);
      const Ranking ranking = spfs(test::StoredSample(sample).problem(), options);
      double largest = 0.0;
      for (const auto& f : naive.f) largest = std::max(largest, nearness(f, naive.targets(10)));
      const auto& figures = ranking.diagnostics.figures;
      ASSERT_EQ(figures.size(), 3U);
      EXPECT_NEAR(figures[0].second, regularization * largest, 1e-10);
      EXPECT_EQ(figures[2].first, "gap");
      EXPECT_LE(figures[2].second, 1e-8);
      EXPECT_GE(figures[2].second, -1e-12);
      EXPECT_TRUE(ranking.diagnostics.converged);
      if (regularization == 1.0) {
        for (const double score : ranking.scores) EXPECT_LE(score, 0.0);
        EXPECT_NEAR(*std::ranges::max_element(ranking.scores), 0.0, 1e-9);
      }
    }
}

/// On the way to a solution most columns are left behind; it must be one for all of them:
/// |f_j'(Y - FW)| = lambda where w_j is not 0, at most lambda elsewhere.
TEST(Spfs, FindsWeightsThatAreBestAmongAllColumns) {
  const test::Sample sample = test::blobs(60, 400, 20, /*seed=*/8);
  const test::StoredSample stored(sample);
  const Naive naive(sample, {});
  const Columns y = naive.targets(10);
  const StandardColumns columns(stored.problem().matrix, all_indices(60), all_indices(400),
                                StandardColumns::Size::unit_length);
  for (const double share : {0.1, 0.3, 0.6}) {
    const GroupLasso found = group_lasso(columns, y, share * largest_lambda(columns, y));
    EXPECT_TRUE(found.converged);
    EXPECT_LT(2 * found.n_nonzero(), 400);
    Columns rest = y;
    for (std::size_t k = 0; k < y.size(); ++k)
      for (std::size_t r = 0; r < naive.f.size(); ++r)
        for (std::size_t i = 0; i < rest[k].size(); ++i)
          rest[k][i] -= found.weights[k][r] * naive.f[r][i];
    for (std::size_t r = 0; r < naive.f.size(); ++r) {
      const double left = nearness(naive.f[r], rest);
      EXPECT_NEAR(left, found.left[r], 1e-12);
      EXPECT_LE(left, found.lambda + 1e-3);
      EXPECT_GE(left, found.norms[r] > 0.0 ? found.lambda - 1e-3 : 0.0);
    }
  }
}

TEST(Spfs, KeepsAboutAsManyFeaturesAsAreWanted) {
  const test::StoredSample stored(test::blobs(120, 60, 20, /*seed=*/7));
  for (const Index wanted : {10, 30}) {
    const Ranking ranking =
        spfs(stored.problem(), {.solver = SpfsSolver::nes, .n_features = wanted});
    const auto kept = std::ranges::count_if(ranking.scores, [](double s) { return s > 0.0; });
    EXPECT_LE(10 * std::abs(kept - wanted), wanted);
  }
}

TEST(Spfs, HasThePropertiesOfAMethod) {
  const test::Sample sample = test::blobs(150, 30, 20, /*seed=*/8);
  for (const SpfsSimilarity similarity : {SpfsSimilarity::classes, SpfsSimilarity::rbf}) {
    for (const SpfsSolver solver : {SpfsSolver::sfs, SpfsSolver::lar})
      test::expect_method_properties(method({.solver = solver, .similarity = similarity}), sample);
    // Its gap of 1e-8 is one of objectives: weights are near to its root.
    test::expect_method_properties(
        method({.solver = SpfsSolver::nes, .similarity = similarity, .regularization = 0.3}),
        sample, /*scale_power=*/0, /*precision=*/1e-4);
  }
}

TEST(Spfs, HasTheGoldenValues) {
  test::expect_golden<SpfsOptions>(spfs);
  test::expect_golden_paths<SpfsOptions>(spfs);
}

TEST(Spfs, ChoosesTheSamePrefixForAnyLength) {
  const test::StoredSample stored(test::blobs(90, 20, 30, /*seed=*/9));
  for (const SpfsSolver solver : {SpfsSolver::sfs, SpfsSolver::lar}) {
    const std::vector<Index> all = spfs(stored.problem(), {.solver = solver}).path->features;
    const Ranking some = spfs(stored.problem(), {.solver = solver, .max_features = 7});
    EXPECT_EQ(some.path->features, std::vector(all.begin(), all.begin() + 7));
    EXPECT_TRUE(some.diagnostics.undefined.empty());
  }
}

std::string complaint(const test::Sample& sample, const SpfsOptions& options = {}) {
  return message_of<DataError>([&] { spfs(test::StoredSample(sample).problem(), options); });
}

TEST(Spfs, RefusesTooFewClassesConstantColumnsAndTooManyRows) {
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/10);
  for (Index& label : sample.labels) label = label == 1 ? 1 : kUnlabeled;
  EXPECT_EQ(complaint(sample),
            "spfs needs labels of at least two classes, and the 3 labeled rows all belong to one");
  sample.labels.clear();
  EXPECT_EQ(complaint(sample), "spfs needs labels, and no row has one");
  EXPECT_EQ(spfs(test::StoredSample(sample).problem(), {.similarity = SpfsSimilarity::rbf})
                .path->features.size(),
            3U);
  sample = test::blobs(30, 3, 1, /*seed=*/11);
  for (Index i = 0; i < 3; ++i)
    for (Index r = 0; r < 3; ++r) sample.x(i, r) = 1.0;
  EXPECT_EQ(complaint(sample),
            "spfs: every column is constant over the labeled rows; label more rows");
  EXPECT_EQ(
      complaint(test::blobs(20'001, 1, 2, /*seed=*/12), {.similarity = SpfsSimilarity::rbf}),
      "spfs forms a matrix of every two rows, and 20001 are more than the 20000 that it takes; "
      "take fewer rows");
}

TEST(Spfs, RefusesOptionsOutOfRange) {
  const test::StoredSample stored(test::blobs(30, 3, 3, /*seed=*/13));
  EXPECT_EQ(message_of<InvalidArgument>([&] { spfs(stored.problem(), {.regularization = 0.0}); }),
            "spfs: regularization = 0 must be in (0, 1]");
  EXPECT_EQ(message_of<InvalidArgument>([&] { spfs(stored.problem(), {.bandwidth = -1.0}); }),
            "spfs: bandwidth = -1 must be > 0");
}

}  // namespace
}  // namespace tamis
