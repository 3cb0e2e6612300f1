#pragma once

#include <span>
#include <vector>

#include "evaluation/trial.hpp"
#include "learners/linear_svm.hpp"
#include "prepare/scale.hpp"

namespace tamis {

/// Says how well a classifier predicts the test rows of a trial from the first features of a list.
/// Knows the trial by reference.
class PrefixJudge {
 public:
  PrefixJudge(const DataSet& data, const Protocol& protocol, const Trial& trial,
              const Scaling& scaling);

  /// Features of the table, scaled, as columns with a row for each of rows(); row-major.
  Buffer<double> columns_of(std::span<const Index> features) const;

  /// One result per view of the protocol, each with one accuracy per length; lengths ascend within
  /// 1 .. number of columns, which have a row for each of rows().
  std::vector<ViewpointResult> judge(const DenseView<double>& columns,
                                     std::span<const Index> lengths) const;
  /// How well k-means finds the classes of the test rows, if the protocol asks for it.
  std::optional<KmeansResult> cluster(const DenseView<double>& columns,
                                      std::span<const Index> lengths) const;
  /// The same of several rankings of the features that vote: each predicts by its own first ones,
  /// and the class with the most votes counts, of equals the lower one.
  std::vector<ViewpointResult> judge_votes(std::span<const std::vector<Index>> rankings,
                                           std::span<const Index> lengths) const;
  /// Of the table: training rows, then test rows.
  std::span<const Index> rows() const { return rows_; }

 private:
  /// The predicted class of each test row, by prefix.
  using Predictions = std::vector<std::vector<Index>>;

  /// What a classifier learns from: the columns of all rows, and which of them teach.
  struct Lesson {
    DenseView<double> columns;
    std::vector<Index> labels = {};    // of the training rows
    std::vector<Index> teachers = {};  // those that have one
  };

  Lesson lesson_of(Viewpoint view, const DenseView<double>& columns) const;
  ViewpointResult judged(Viewpoint view, const Predictions& predictions) const;
  Predictions voted(Viewpoint view, std::span<const std::vector<Index>> rankings,
                    std::span<const Index> lengths) const;
  Predictions predictions(const Lesson& lesson, std::span<const Index> lengths) const;
  Predictions by_neighbors(const Lesson& lesson, std::span<const Index> lengths) const;
  Predictions by_svm(const Lesson& lesson, std::span<const Index> lengths) const;
  Predictions by_svm_on_products(const Lesson& lesson, std::span<const Index> lengths,
                                 LinearSvmOptions options) const;
  /// learn(prefix) gives a classifier that predicts rows of a table with these columns.
  template <class Learn>
  Predictions one_by_one(const Lesson& lesson, std::span<const Index> lengths,
                         const Learn& learn) const;
  /// predict(length) gives the classes of the test rows by so many columns.
  template <class Predict>
  Predictions for_each_length(std::span<const Index> lengths, const Predict& predict) const;

  const DataSet& data_;
  const Protocol& protocol_;
  const Trial& trial_;
  const Scaling& scaling_;
  std::vector<Index> rows_;
  std::vector<Index> testers_;  // positions in rows_
  std::vector<Index> truth_;    // of the test rows
};

}  // namespace tamis
