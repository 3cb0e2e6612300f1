#include "learners/naive_bayes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/ties.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/knowledge.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kBlockRows = 64;

ColumnMoments moments_of(const MatrixView& x, std::span<const Index> rows) {
  return weighted_moments(x, rows, std::vector<double>(rows.size(), 1.0));
}

/// kVarianceShare of the largest variance over all training rows; 0 if no column varies.
double least_variance(const MatrixView& x, std::span<const Index> rows) {
  const ColumnMoments all = moments_of(x, rows);
  const std::vector<bool> varies = varying_columns(x, rows);
  double largest = 0.0;
  for (Index r = 0; r < x.cols(); ++r)
    if (varies[r]) largest = std::max(largest, all.squares[r] / all.total_weight);
  return kVarianceShare * largest;
}

}  // namespace

Index NaiveBayes::most_likely(std::span<const double> row, std::span<double> logarithms) const {
  for (Index c = 0; c < std::ssize(classes_); ++c) {
    logarithms[c] = log_shares_[c];
    if (variances_.empty()) continue;
    const Index first = c * std::ssize(row);
    for (Index r = 0; r < std::ssize(row); ++r)
      logarithms[c] += log_density(row[r], means_[first + r], variances_[first + r]);
  }
  return classes_[first_of_best(logarithms, Better::higher)];
}

std::vector<Index> NaiveBayes::predict(const MatrixView& x, std::span<const Index> rows) const {
  std::vector<Index> predicted(rows.size());
  parallel_for(std::ssize(rows), kBlockRows, [&](Index begin, Index end) {
    std::vector<double> row(x.cols());
    std::vector<double> logarithms(classes_.size());
    for (Index s = begin; s < end; ++s) {
      copy_columns(x, rows.subspan(s, 1), 0, x.cols(), row.data());
      predicted[s] = most_likely(row, logarithms);
    }
  });
  return predicted;
}

NaiveBayes train_naive_bayes(const MatrixView& x, std::span<const Index> rows,
                             std::span<const Index> labels) {
  if (rows.empty()) throw InvalidArgument("naive_bayes: there is no training row");
  std::vector<Index> row_labels;
  for (const Index i : rows) {
    if (labels[i] == kUnlabeled)
      throw InvalidArgument(
          fmt::format("naive_bayes: training row {} has no label: leave it out", i));
    row_labels.push_back(labels[i]);
  }
  const double least = least_variance(x, rows);
  NaiveBayes bayes;
  for (const auto& [label, positions] : positions_by_class(row_labels)) {
    std::vector<Index> members;
    for (const Index s : positions) members.push_back(rows[s]);
    const ColumnMoments own = moments_of(x, members);
    bayes.classes_.push_back(label);
    bayes.log_shares_.push_back(std::log(own.total_weight / static_cast<double>(rows.size())));
    bayes.means_.insert(bayes.means_.end(), own.mean.begin(), own.mean.end());
    if (least > 0.0)
      for (const double squares : own.squares)
        bayes.variances_.push_back(squares / own.total_weight + least);
  }
  return bayes;
}

}  // namespace tamis
