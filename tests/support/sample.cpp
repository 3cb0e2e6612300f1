#include "support/sample.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"

namespace tamis::test {
namespace {

double as_float(double value) { return static_cast<double>(static_cast<float>(value)); }

}  // namespace

std::string name_of(Storage storage) {
  switch (storage) {
    case Storage::dense_double:
      return "dense double";
    case Storage::dense_float:
      return "dense float";
    case Storage::csr_double:
      return "CSR double";
    case Storage::csr_float:
      return "CSR float";
  }
  return "";
}

double tolerance(Storage storage) {
  return storage == Storage::dense_float || storage == Storage::csr_float ? 1e-5 : 1e-11;
}

template <class T>
MatrixView StoredSample::store(const Dense& x, bool sparse, std::vector<T>& values) {
  if (!sparse) {
    for (const double value : x.values) values.push_back(static_cast<T>(value));
    return DenseView<T>(values.data(), x.rows, x.cols);
  }
  offsets_.push_back(0);
  for (Index i = 0; i < x.rows; ++i) {
    for (Index r = 0; r < x.cols; ++r) {
      if (x(i, r) == 0.0) continue;
      columns_.push_back(static_cast<ColumnIndex>(r));
      values.push_back(static_cast<T>(x(i, r)));
    }
    offsets_.push_back(std::ssize(columns_));
  }
  return CsrView<T>(offsets_, columns_, values, x.cols);
}

StoredSample::StoredSample(const Sample& sample, Storage storage) {
  const bool sparse = storage == Storage::csr_double || storage == Storage::csr_float;
  const bool single = storage == Storage::dense_float || storage == Storage::csr_float;
  const MatrixView view =
      single ? store(sample.x, sparse, floats_) : store(sample.x, sparse, doubles_);
  problem_ =
      Problem{.matrix = view,
              .known = {.labels = sample.labels, .values = sample.values, .pairs = sample.pairs}};
}

Dense random_table(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed);
  Dense x(rows, cols);
  for (double& value : x.values) value = as_float(random.normal());
  return x;
}

Dense sparse_table(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed);
  Dense x(rows, cols);
  for (double& value : x.values)
    if (random.below(3) == 0) value = as_float(random.normal());
  return x;
}

Dense integer_table(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed);
  Dense x(rows, cols);
  for (double& value : x.values) value = static_cast<double>(random.below(5));
  return x;
}

Sample blobs(Index rows, Index cols, Index per_class, std::uint64_t seed) {
  Sample sample{random_table(rows, cols, seed), std::vector<Index>(rows, kUnlabeled)};
  for (Index i = 0; i < rows; ++i) {
    const Index label = i % 3;
    if (i / 3 < per_class) sample.labels[i] = label;
    for (Index r = 0; r < cols; ++r) {
      const double shift = 4.0 / static_cast<double>(r + 1);
      const double center = label == r % 3 ? shift : -shift / 2.0;
      sample.x(i, r) = as_float(sample.x(i, r) + center);
    }
  }
  return sample;
}

Sample blobs_with_pairs(Index rows, Index cols, Index per_class, std::uint64_t seed) {
  Sample sample = blobs(rows, cols, per_class, seed);
  const Index last = rows - 1;  // rows i and i - 3 are of one class, i and i - 1 are not
  sample.pairs = PairConstraints{
      .must_link = {{last, last - 3}, {last - 1, last - 4}, {last - 3, last}, {last % 3, last}},
      .cannot_link = {{last, last - 1}, {last - 2, last - 4}, {(last + 1) % 3, last - 3}}};
  return sample;
}

Sample blobs_with_weighted_pairs(Index rows, Index cols, Index per_class, std::uint64_t seed) {
  constexpr double kWeights[] = {0.5, 1.0, 2.5, 0.0};
  Sample sample = blobs_with_pairs(rows, cols, per_class, seed);
  // Rows 0 and 3 are of one class, 0 and 1 are not; their labels, if they have some, say so too.
  sample.pairs->must_link.push_back({0, 3});
  sample.pairs->cannot_link.push_back({0, 1});
  for (auto* list : {&sample.pairs->must_link, &sample.pairs->cannot_link})
    for (std::size_t s = 0; s < list->size(); ++s) (*list)[s].weight = kWeights[s % 4];
  sample.pairs->must_link.back().weight = 3.0;
  sample.pairs->cannot_link.back().weight = 1.5;
  return sample;
}

Sample regression(Index rows, Index cols, std::uint64_t seed) {
  Sample sample{random_table(rows, cols, seed)};
  sample.values.assign(rows, kUnknownValue);
  for (Index i = 0; i < rows; i += 2) {
    sample.values[i] = 100.0;
    for (Index r = 0; r < cols; ++r)
      sample.values[i] += 3.0 * sample.x(i, r) / static_cast<double>((r + 1) * (r + 1));
  }
  return sample;
}

Sample permute_rows(const Sample& sample, const std::vector<Index>& order) {
  Sample result = sample;
  std::vector<Index> new_place(order.size());
  for (Index i = 0; i < sample.x.rows; ++i) {
    new_place[order[i]] = i;
    if (!sample.labels.empty()) result.labels[i] = sample.labels[order[i]];
    if (!sample.values.empty()) result.values[i] = sample.values[order[i]];
    for (Index r = 0; r < sample.x.cols; ++r) result.x(i, r) = sample.x(order[i], r);
  }
  if (result.pairs)
    for (auto* list : {&result.pairs->must_link, &result.pairs->cannot_link})
      for (RowPair& pair : *list)
        pair = {new_place[pair.first], new_place[pair.second], pair.weight};
  return result;
}

Sample permute_columns(const Sample& sample, const std::vector<Index>& order) {
  Sample result = sample;
  for (Index i = 0; i < sample.x.rows; ++i)
    for (Index r = 0; r < sample.x.cols; ++r) result.x(i, r) = sample.x(i, order[r]);
  return result;
}

Sample with_constant_column(const Sample& sample, Index column, double value) {
  Sample result = sample;
  for (Index i = 0; i < sample.x.rows; ++i) result.x(i, column) = value;
  return result;
}

void expect_scores_near(const std::vector<double>& actual, const std::vector<double>& expected,
                        double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  double largest = 0.0;
  for (const double value : expected)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  for (std::size_t r = 0; r < actual.size(); ++r) {
    SCOPED_TRACE(testing::Message() << "column " << r);
    if (std::isfinite(expected[r]))
      EXPECT_NEAR(actual[r], expected[r], tolerance * largest);
    else if (std::isnan(expected[r]))
      EXPECT_TRUE(std::isnan(actual[r])) << actual[r];
    else
      EXPECT_EQ(actual[r], expected[r]);
  }
}

}  // namespace tamis::test
