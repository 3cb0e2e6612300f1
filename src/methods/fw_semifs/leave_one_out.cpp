#include "methods/fw_semifs/leave_one_out.hpp"

#include "core/listed_columns.hpp"
#include "learners/naive_bayes.hpp"
#include "methods/fw_semifs/bayes_others.hpp"
#include "methods/fw_semifs/nearest_others.hpp"

namespace tamis {
namespace {

std::vector<Index> bayes_numbers(const MatrixView& x, const TaughtRows& taught,
                                 std::span<const Index> columns, std::span<const Index> learners) {
  std::vector<Index> rows = taught.rows;
  rows.insert(rows.end(), learners.begin(), learners.end());
  std::vector<double> values(rows.size() * columns.size());
  copy_listed_columns(x, rows, columns, values.data());
  const DenseView<double> table(values.data(), std::ssize(rows), std::ssize(columns));
  const std::vector<Index> all = all_indices(table.rows());
  const auto n = taught.rows.size();
  return train_naive_bayes(table, std::span(all).first(n), taught.numbers)
      .predict(table, std::span(all).subspan(n));
}

}  // namespace

std::unique_ptr<LeaveOneOut> leave_one_out(const MatrixView& x, const TaughtRows& taught,
                                           WrappedClassifier classifier) {
  if (classifier == WrappedClassifier::nearest) return std::make_unique<NearestOthers>(x, taught);
  return std::make_unique<BayesOthers>(x, taught);
}

std::vector<Index> predicted_numbers(const MatrixView& x, const TaughtRows& taught,
                                     std::span<const Index> columns,
                                     std::span<const Index> learners,
                                     WrappedClassifier classifier) {
  const auto predict = classifier == WrappedClassifier::nearest ? nearest_numbers : bayes_numbers;
  return predict(x, taught, columns, learners);
}

}  // namespace tamis
