#include "tamis/methods/csfs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "clustering/ward/agglomerative.hpp"
#include "constraints/coherence.hpp"
#include "core/option_texts.hpp"
#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

test::Rank method(CsfsOptions options = {}) {
  return [options](const Problem& problem) { return csfs(problem, options); };
}

std::vector<RowPair> listed(const test::RowMatrix& pairs) {
  std::vector<RowPair> list;
  for (Index i = 0; i < pairs.n; ++i)
    for (Index j = i + 1; j < pairs.n; ++j)
      if (pairs(i, j) > 0.0) list.push_back({i, j});
  return list;
}

test::RowMatrix filled(Index rows, const std::vector<RowPair>& pairs) {
  test::RowMatrix matrix(rows);
  for (const RowPair& pair : pairs) matrix.set(pair.first, pair.second, 1.0);
  return matrix;
}

std::vector<RowPair> coherent(const std::vector<RowPair>& pairs, const std::vector<double>& values,
                              double of_set) {
  std::vector<RowPair> kept;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (values[k] >= of_set) kept.push_back(pairs[k]);
  return kept;
}

/// The tables of the method written out over all pairs of rows.
struct NaiveTables {
  test::RowMatrix must;
  test::RowMatrix cannot;
  test::RowMatrix weights;    // S
  test::RowMatrix numerator;  // S+N

  NaiveTables(const test::Sample& sample, const CsfsOptions& options)
      : must(naive_must_links(sample)),
        cannot(naive_cannot_links(sample)),
        weights(sample.x.rows),
        numerator(sample.x.rows) {
    const Index n = sample.x.rows;
    const test::StoredSample stored(sample);
    const MatrixView& x = stored.problem().matrix;
    if (options.select_constraints) {
      const std::vector<RowPair> musts = listed(must);
      const std::vector<RowPair> cannots = listed(cannot);
      const Coherence found = coherence(x, musts, cannots, options.max_pairs);
      must = filled(n, coherent(musts, found.must_link, found.of_set));
      cannot = filled(n, coherent(cannots, found.cannot_link, found.of_set));
    }
    const test::RowMatrix squared = naive_squared_distances(sample.x);
    const test::RowMatrix neighbors = naive_neighborhood(x, squared, options);
    const double t = options.bandwidth * unit(options, squared, neighbors);
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j) {
        const double w = options.kernel == Kernel::binary ? 1.0 : std::exp(-squared(i, j) / t);
        const bool together = neighbors(i, j) > 0.0;
        if (together) weights.set(i, j, w);
        if (together && cannot(i, j) > 0.0)
          numerator.set(i, j, w + cannot(i, j) * w * w);
        else if (must(i, j) > 0.0)
          numerator.set(i, j, together ? 0.0 : must(i, j) * w * w);
        else
          numerator.set(i, j, together ? w : 0.0);
      }
  }

  static test::RowMatrix naive_neighborhood(const MatrixView& x, const test::RowMatrix& squared,
                                            const CsfsOptions& options) {
    if (options.neighbors == CsfsNeighbors::nearest)
      return naive_neighbors(squared, options.n_neighbors, all_indices(x.rows()));
    const auto clusters = davies_bouldin_cut(x, ward_linkage(x), options.max_clusters);
    test::RowMatrix together(x.rows());
    for (Index i = 0; i < x.rows(); ++i)
      for (Index j = i + 1; j < x.rows(); ++j)
        if (clusters[i] == clusters[j]) together.set(i, j, 1.0);
    return together;
  }

  static double unit(const CsfsOptions& options, const test::RowMatrix& squared,
                     const test::RowMatrix& neighbors) {
    if (options.bandwidth_unit == BandwidthUnit::absolute) return 1.0;
    if (options.bandwidth_unit == BandwidthUnit::mean_distance) return naive_mean_distance(squared);
    double sum = 0.0;
    double count = 0.0;
    for (Index i = 0; i < squared.n; ++i)
      for (Index j = i + 1; j < squared.n; ++j)
        if (neighbors(i, j) > 0.0) {
          sum += squared(i, j);
          count += 1.0;
        }
    return sum / count;
  }
};

double naive_score(const test::Sample& sample, Index r, const NaiveTables& tables, ClsForm form) {
  const Index n = sample.x.rows;
  const std::vector<double> degree = naive_degrees(tables.weights);
  const std::vector<double> partners = naive_degrees(tables.cannot);
  const auto f = [&](Index i) { return sample.x(i, r); };
  double mean = 0.0;
  double involved = 0.0;
  for (Index i = 0; i < n; ++i) {
    mean += f(i) / static_cast<double>(n);
    involved += partners[i] > 0.0 ? 1.0 : 0.0;
  }
  double below = 0.0;
  double product = 0.0;
  for (Index i = 0; i < n; ++i) {
    const bool is_unlabeled = sample.labels.empty() || sample.labels[i] < 0;
    const double spread = degree[i] * std::pow(f(i) - mean, 2);
    const double all = form == ClsForm::full ? static_cast<double>(n) : involved;
    if (form == ClsForm::sum || form == ClsForm::full)
      below += (involved > 0 ? std::max(all - partners[i], 0.0) : 1.0) * spread;
    if (form == ClsForm::ensemble && is_unlabeled) below += spread;
    for (Index j = 0; j < n; ++j) {
      below += 0.5 * tables.cannot(i, j) * (degree[i] + degree[j]) * std::pow(f(i) - f(j), 2);
      product += f(i) * (i == j ? partners[i] : -tables.cannot(i, j)) * degree[j] * f(j);
    }
  }
  const double above = naive_pair_sum(sample.x, r, tables.numerator);
  if (form == ClsForm::matrix) return product > 0.0 ? above / product : kUndefined;
  return 2.0 * above / below;
}

std::vector<double> naive(const test::Sample& sample, const CsfsOptions& options) {
  const NaiveTables tables(sample, options);
  return naive_scores(sample.x,
                      [&](Index r) { return naive_score(sample, r, tables, options.form); });
}

TEST(Csfs, MatchesTheNaiveFormulaForEveryForm) {
  test::Sample only_pairs = test::blobs_with_pairs(30, 6, 1, /*seed=*/2);
  only_pairs.labels.clear();
  for (const ClsForm form :
       {ClsForm::sum, ClsForm::full, ClsForm::ensemble, ClsForm::pairs, ClsForm::matrix})
    for (const CsfsNeighbors neighbors : {CsfsNeighbors::clusters, CsfsNeighbors::nearest})
      for (const bool select : {true, false})
        for (const test::Sample& sample :
             {test::blobs_with_pairs(200, 37, 4, /*seed=*/1), only_pairs,
              test::Sample{test::sparse_table(36, 5, 3), test::blobs(36, 1, 4, 0).labels}}) {
          const CsfsOptions options{
              .form = form, .neighbors = neighbors, .n_neighbors = 4, .select_constraints = select};
          SCOPED_TRACE(testing::Message()
                       << word_of(form) << " " << word_of(neighbors) << " " << select);
          test::expect_matches(method(options), sample, naive(sample, options));
        }
}

TEST(Csfs, SelectsBySampledConstraintsIfThereAreMany) {
  for (const auto make : {test::blobs, test::blobs_with_pairs}) {
    const test::Sample sample = make(150, 7, 40, /*seed=*/3);
    const CsfsOptions options{.max_pairs = 50};
    test::expect_matches(method(options), sample, naive(sample, options));
    const Ranking ranking = csfs(test::StoredSample(sample).problem(), options);
    EXPECT_EQ(ranking.diagnostics.figures[1].first, "coherence_standard_error");
  }
}

TEST(Csfs, MatchesTheNaiveFormulaForEveryWeight) {
  const test::Sample sample = test::blobs_with_pairs(60, 5, 4, /*seed=*/4);
  for (const Kernel kernel : {Kernel::heat, Kernel::binary})
    for (const BandwidthUnit unit :
         {BandwidthUnit::mean_distance, BandwidthUnit::mean_edge, BandwidthUnit::absolute})
      for (CsfsOptions options : {CsfsOptions{}, CsfsOptions{.max_clusters = 3},
                                  CsfsOptions{.neighbors = CsfsNeighbors::nearest}}) {
        options.kernel = kernel;
        options.bandwidth = 0.7;
        options.bandwidth_unit = unit;
        SCOPED_TRACE(testing::Message() << word_of(kernel) << " " << word_of(unit));
        test::expect_matches(method(options), sample, naive(sample, options));
      }
}

TEST(Csfs, MultipliesTheTermsOfPairsWithTheirWeights) {
  test::Sample sample = test::blobs_with_weighted_pairs(60, 5, 4, /*seed=*/4);
  sample.pairs->must_link.push_back({1, 2, 2.5});  // of two clusters
  sample.labels[1] = sample.labels[2] = kUnlabeled;
  for (const ClsForm form :
       {ClsForm::sum, ClsForm::full, ClsForm::ensemble, ClsForm::pairs, ClsForm::matrix})
    for (const CsfsNeighbors neighbors : {CsfsNeighbors::clusters, CsfsNeighbors::nearest}) {
      const CsfsOptions options{.form = form, .neighbors = neighbors, .select_constraints = false};
      SCOPED_TRACE(testing::Message() << word_of(form) << " " << word_of(neighbors));
      test::expect_matches(method(options), sample, naive(sample, options));
    }
  EXPECT_EQ(
      message_of<DataError>([&] { csfs(test::StoredSample(sample).problem()); }).substr(0, 82),
      "csfs, which selects constraints by their coherence, takes pairs without weights, a");
}

TEST(Csfs, HasThePropertiesOfAMethod) {
  const test::Sample sample = test::blobs_with_pairs(150, 36, 3, /*seed=*/5);
  for (const ClsForm form : {ClsForm::sum, ClsForm::ensemble, ClsForm::pairs})
    test::expect_method_properties(method({.form = form}), sample);
  test::expect_method_properties(method({.neighbors = CsfsNeighbors::nearest}), sample);
}

TEST(Csfs, WarnsOfOptionsThatOnlyTheOtherNeighborsLookAt) {
  const test::StoredSample sample(test::blobs_with_pairs(60, 8, 3, /*seed=*/5));
  const auto warnings = [&](const CsfsOptions& options) {
    return csfs(sample.problem(), options).diagnostics.warnings;
  };
  EXPECT_TRUE(warnings({.max_clusters = 4}).empty());
  EXPECT_TRUE(warnings({.neighbors = CsfsNeighbors::nearest, .n_neighbors = 5}).empty());
  EXPECT_EQ(warnings({.n_neighbors = 5}),
            std::vector<std::string>{"csfs: n_neighbors counts only with neighbors = nearest"});
  EXPECT_EQ(warnings({.neighbors = CsfsNeighbors::nearest, .max_clusters = 4}),
            std::vector<std::string>{"csfs: max_clusters counts only with neighbors = clusters"});
}

TEST(Csfs, HasTheGoldenValues) {
  int checked = 0;
  for (const char* const name : test::kGoldenNames) {
    const test::Golden golden = test::load_golden(name);
    const test::StoredSample stored(golden.sample);
    for (const test::GoldenCase& expected : golden.cases) {
      if (expected.method != "csfs") continue;
      SCOPED_TRACE(name);
      const auto options = parse_options<CsfsOptions>("csfs", expected.options);
      test::expect_scores_near(csfs(stored.problem(), options).scores, expected.scores, 1e-9);
      ++checked;
    }
  }
  EXPECT_EQ(checked, 11);
}

TEST(Csfs, WorksWithMustLinksAloneCannotLinksAloneAndWithoutAny) {
  test::Sample sample = test::blobs(40, 6, 1, /*seed=*/6);
  sample.labels.clear();
  for (const PairConstraints& pairs :
       {PairConstraints{.must_link = {{0, 3}, {0, 1}, {2, 7}}},
        PairConstraints{.cannot_link = {{0, 3}, {0, 1}, {2, 7}}}, PairConstraints{}}) {
    sample.pairs = pairs;
    test::expect_matches(method(), sample, naive(sample, {}));
  }
}

TEST(Csfs, SaysHowManyClustersPairsAndDroppedConstraintsThereAre) {
  const test::Sample sample = test::blobs(60, 6, 4, /*seed=*/7);
  const NaiveTables tables(sample, {});
  const Ranking ranking = csfs(test::StoredSample(sample).problem());
  const auto pairs_of = [](const test::RowMatrix& m) { return std::ssize(listed(m)); };
  EXPECT_EQ(ranking.diagnostics.edges, pairs_of(tables.numerator));
  double sum = 0.0;
  double squares = 0.0;
  for (const double w : tables.numerator.values) {
    EXPECT_GE(w, 0.0);
    sum += w / 2.0;
    squares += w * w / 2.0;
  }
  EXPECT_NEAR(*ranking.diagnostics.effective_edges, sum * sum / squares, 1e-6);
  EXPECT_EQ(ranking.diagnostics.dropped_constraints,
            12 * 11 / 2 - pairs_of(tables.must) - pairs_of(tables.cannot));
  ASSERT_EQ(ranking.diagnostics.figures.size(), 2U);
  EXPECT_EQ(ranking.diagnostics.figures[0].first, "coherence");
  EXPECT_LE(ranking.diagnostics.figures[0].second, 1.0);
  EXPECT_EQ(ranking.diagnostics.figures[1].first, "clusters");
  EXPECT_GE(ranking.diagnostics.figures[1].second, 2.0);
}

TEST(Csfs, GivesMustLinkedNeighborsNoWeightSoThatNoSumIsNegative) {
  // Two tight groups, all rows of each must-linked: nothing is left in the numerator.
  test::Sample sample{test::random_table(12, 3, /*seed=*/8)};
  for (Index i = 0; i < 12; ++i) {
    sample.labels.push_back(i % 2);
    for (Index r = 0; r < 3; ++r)
      sample.x(i, r) = std::round(100.0 * sample.x(i, r)) / 128.0 + (i % 2 == 0 ? 0.0 : 64.0);
  }
  const CsfsOptions options{.select_constraints = false, .max_clusters = 2};
  for (const double score : csfs(test::StoredSample(sample).problem(), options).scores)
    EXPECT_EQ(score, 0.0);
}

TEST(Csfs, SaysWhichBandwidthLetsEveryWeightUnderflow) {
  test::Sample sample = test::blobs(30, 4, 3, /*seed=*/9);
  for (double& value : sample.x.values) value *= 1000.0;
  const CsfsOptions options{.bandwidth = 0.1, .bandwidth_unit = BandwidthUnit::absolute};
  const std::string message =
      message_of<DataError>([&] { csfs(test::StoredSample(sample).problem(), options); });
  EXPECT_NE(message.find("weights underflow to 0: bandwidth = 0.1"), std::string::npos) << message;
  EXPECT_NE(message.find("mean squared distance of"), std::string::npos) << message;
}

TEST(Csfs, RefusesAsManyClustersAsRowsAndFormsWithoutCannotLinks) {
  const test::Sample sample{test::random_table(12, 3, /*seed=*/10)};
  const test::StoredSample stored(sample);
  EXPECT_NE(message_of<DataError>([&] {
              csfs(stored.problem(), {.max_clusters = 12});
            }).find("lower max_clusters"),
            std::string::npos);
  EXPECT_NE(message_of<DataError>([&] {
              csfs(stored.problem(), {.form = ClsForm::pairs});
            }).find("csfs: form = pairs"),
            std::string::npos);
  EXPECT_THROW(csfs(stored.problem(), {.max_clusters = 1}), InvalidArgument);
}

TEST(Csfs, RanksTwoRowsAsOneCluster) {
  const test::Sample sample{test::random_table(2, 3, /*seed=*/11)};
  test::expect_matches(method(), sample, naive(sample, {}));
}

TEST(Csfs, CondensesUnlabeledRowsOnRequest) {
  const test::Sample sample = test::blobs(120, 6, 4, /*seed=*/12);
  CsfsOptions options;
  options.condense.condense = Condense::som;
  const Ranking ranking = csfs(test::StoredSample(sample).problem(), options);
  EXPECT_EQ(ranking.scores.size(), 6U);
  EXPECT_EQ(ranking.order.front(), csfs(test::StoredSample(sample).problem()).order.front());
}

}  // namespace
}  // namespace tamis
