#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tamis/core/problem.hpp"

namespace tamis::test {

/// A dense table of doubles, the plain form of all test data.
struct Dense {
  Index rows = 0;
  Index cols = 0;
  std::vector<double> values = {};

  Dense(Index n, Index m) : rows(n), cols(m), values(n * m, 0.0) {}
  double& operator()(Index i, Index r) { return values[i * cols + r]; }
  double operator()(Index i, Index r) const { return values[i * cols + r]; }
};

/// A table with what is known about its rows, not yet in any storage.
struct Sample {
  Dense x;
  std::vector<Index> labels = {};
  std::optional<PairConstraints> pairs = std::nullopt;
  std::vector<double> values = {};  ///< a numeric target
};

enum class Storage { dense_double, dense_float, csr_double, csr_float };
inline constexpr Storage kStorages[] = {Storage::dense_double, Storage::dense_float,
                                        Storage::csr_double, Storage::csr_float};
std::string name_of(Storage storage);

/// How far a score may be from its exact value, relative to the largest score.
double tolerance(Storage storage);

/// A sample in one of the four storages, owned, as the problem that methods see.
class StoredSample {
 public:
  explicit StoredSample(const Sample& sample, Storage storage = Storage::dense_double);
  StoredSample(const StoredSample&) = delete;
  StoredSample& operator=(const StoredSample&) = delete;
  const Problem& problem() const { return *problem_; }

 private:
  template <class T>
  MatrixView store(const Dense& x, bool sparse, std::vector<T>& values);

  std::vector<double> doubles_;
  std::vector<float> floats_;
  std::vector<Index> offsets_;
  std::vector<ColumnIndex> columns_;
  std::optional<Problem> problem_;
};

/// Standard normal entries, rounded to float so that all storages hold the same numbers.
Dense random_table(Index rows, Index cols, std::uint64_t seed);
/// About two thirds of the entries are 0.
Dense sparse_table(Index rows, Index cols, std::uint64_t seed);
/// Small integers, many of them equal: distances tie often.
Dense integer_table(Index rows, Index cols, std::uint64_t seed);

/// Three classes (row i belongs to i % 3) whose means differ, less and less from column to column;
/// `per_class` rows of each keep their label. Values as in random_table.
Sample blobs(Index rows, Index cols, Index per_class, std::uint64_t seed);
/// The same with a few pairs among the unlabeled rows, and between them and labeled ones.
Sample blobs_with_pairs(Index rows, Index cols, Index per_class, std::uint64_t seed);

/// The same whose pairs weigh 0.5, 1, 2.5, 0 and so on, one of them given a second time.
Sample blobs_with_weighted_pairs(Index rows, Index cols, Index per_class, std::uint64_t seed);

/// A table as in random_table, and a numeric target, known in every second row, that the first
/// columns tell, less and less from column to column.
Sample regression(Index rows, Index cols, std::uint64_t seed);

Sample permute_rows(const Sample& sample, const std::vector<Index>& order);
Sample permute_columns(const Sample& sample, const std::vector<Index>& order);
Sample with_constant_column(const Sample& sample, Index column, double value);

/// Equal within `tolerance` of the largest finite magnitude; NaN and infinities must agree exactly.
void expect_scores_near(const std::vector<double>& actual, const std::vector<double>& expected,
                        double tolerance);

}  // namespace tamis::test
