#include "evaluation/prefix_judge.hpp"

#include <algorithm>

#include "evaluation/metrics.hpp"
#include "learners/linear_svm.hpp"
#include "learners/nearest_neighbor.hpp"

namespace tamis {
namespace {

constexpr std::string_view kStage = "judging";
constexpr Index kTestRows = 1024;  // between two looks at whether an interrupt came

}  // namespace

PrefixJudge::PrefixJudge(const DataSet& data, const Protocol& protocol, const Trial& trial,
                         const Scaling& scaling)
    : data_(data), protocol_(protocol), trial_(trial), scaling_(scaling), rows_(trial.split.train) {
  for (const Index row : trial.split.test) {
    testers_.push_back(std::ssize(rows_));
    rows_.push_back(row);
    truth_.push_back(data.problem.known.labels[row]);
  }
}

std::vector<ViewpointResult> PrefixJudge::judge(std::span<const Index> features,
                                                std::span<const Index> lengths) const {
  const Buffer<double> values = scaled_columns(data_.problem.matrix, rows_, features, scaling_);
  return judge({values.data(), std::ssize(rows_), std::ssize(features)}, lengths);
}

std::vector<ViewpointResult> PrefixJudge::judge(const DenseView<double>& columns,
                                                std::span<const Index> lengths) const {
  std::vector<ViewpointResult> results;
  for (const Viewpoint view : views_of(protocol_))
    results.push_back(judge_view(view, columns, lengths));
  return results;
}

ViewpointResult PrefixJudge::judge_view(Viewpoint view, const DenseView<double>& columns,
                                        std::span<const Index> lengths) const {
  const std::vector<Index>& known =
      view == Viewpoint::transfer ? data_.problem.known.labels : trial_.few_labels;
  std::vector<Index> labels;
  std::vector<Index> teachers;
  for (Index s = 0; s < std::ssize(trial_.split.train); ++s) {
    labels.push_back(known[rows_[s]]);
    if (labels.back() != kUnlabeled) teachers.push_back(s);
  }
  ViewpointResult result{.view = view};
  const Predictions predictions = protocol_.classifier == Classifier::svm
                                      ? by_svm(columns, teachers, labels, lengths)
                                      : by_neighbors(columns, teachers, labels, lengths);
  for (const std::vector<Index>& predicted : predictions) {
    result.accuracy.push_back(accuracy(truth_, predicted));
    result.balanced_accuracy.push_back(balanced_accuracy(truth_, predicted));
  }
  return result;
}

PrefixJudge::Predictions PrefixJudge::by_neighbors(const DenseView<double>& columns,
                                                   std::span<const Index> teachers,
                                                   std::span<const Index> labels,
                                                   std::span<const Index> lengths) const {
  const std::vector<Index> features = all_indices(columns.cols());
  Predictions predictions(lengths.size());
  Progress::Stage stage(data_.progress, kStage, std::ssize(testers_));
  for (Index begin = 0; begin < std::ssize(testers_); begin += kTestRows) {
    const Index count = std::min(kTestRows, std::ssize(testers_) - begin);
    const PrefixNeighbors nearest = nearest_rows_by_prefix(
        columns, teachers, std::span(testers_).subspan(begin, count), features, lengths);
    for (Index place = 0; place < std::ssize(lengths); ++place)
      for (const Index row : nearest.at(place)) predictions[place].push_back(labels[row]);
    stage.advance(count);
  }
  return predictions;
}

PrefixJudge::Predictions PrefixJudge::by_svm(const DenseView<double>& columns,
                                             std::span<const Index> teachers,
                                             std::span<const Index> labels,
                                             std::span<const Index> lengths) const {
  const LinearSvmOptions options{.solver = protocol_.svm_solver,
                                 .cost = protocol_.cost,
                                 .folds = protocol_.cost_folds,
                                 .seed = method_seed(trial_)};
  Predictions predictions;
  Progress::Stage stage(data_.progress, kStage, std::ssize(lengths));
  for (const Index length : lengths) {
    const DenseView<double> prefix(columns.row(0), columns.rows(), length, columns.cols());
    predictions.push_back(
        train_linear_svm(prefix, teachers, labels, options).predict(prefix, testers_));
    stage.advance();
  }
  return predictions;
}

}  // namespace tamis
