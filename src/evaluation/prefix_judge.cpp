#include "evaluation/prefix_judge.hpp"

#include <algorithm>

#include "evaluation/kmeans_agreement.hpp"
#include "evaluation/metrics.hpp"
#include "learners/decision_tree.hpp"
#include "learners/naive_bayes.hpp"
#include "learners/nearest_neighbor.hpp"
#include "learners/row_products.hpp"

namespace tamis {
namespace {

constexpr std::string_view kStage = "judging";
constexpr Index kTestRows = 1024;  // between two looks at whether an interrupt came
/// A machine that learns from the products of so many rows holds 64 MB of them, and all that it
/// learns and predicts by take 128 MB at most: where tables are larger, it looks at columns.
constexpr Index kMostProductRows = 2000;
constexpr Index kMostProducts = Index{1} << 24;

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

std::vector<ViewpointResult> PrefixJudge::judge(const DenseView<double>& columns,
                                                std::span<const Index> lengths) const {
  std::vector<ViewpointResult> results;
  for (const Viewpoint view : views_of(protocol_))
    results.push_back(judged(view, predictions(lesson_of(view, columns), lengths)));
  return results;
}

std::vector<ViewpointResult> PrefixJudge::judge_votes(std::span<const std::vector<Index>> rankings,
                                                      std::span<const Index> lengths) const {
  std::vector<ViewpointResult> results;
  for (const Viewpoint view : views_of(protocol_))
    results.push_back(judged(view, voted(view, rankings, lengths)));
  return results;
}

std::optional<KmeansResult> PrefixJudge::cluster(const DenseView<double>& columns,
                                                 std::span<const Index> lengths) const {
  if (!protocol_.kmeans) return std::nullopt;
  const Index n_classes = std::ssize(positions_by_class(data_.problem.known.labels));
  const DenseView<double> tests(columns.row(testers_.front()), std::ssize(testers_),
                                columns.cols());
  return kmeans_agreement(tests, truth_, n_classes, lengths,
                          {.seed = kmeans_seed(trial_), .progress = data_.progress});
}

Buffer<double> PrefixJudge::columns_of(std::span<const Index> features) const {
  return scaled_columns(data_.problem.matrix, rows_, features, scaling_);
}

PrefixJudge::Lesson PrefixJudge::lesson_of(Viewpoint view, const DenseView<double>& columns) const {
  const std::vector<Index>& known =
      view == Viewpoint::transfer ? data_.problem.known.labels : trial_.few_labels;
  Lesson lesson{.columns = columns};
  for (Index s = 0; s < std::ssize(trial_.split.train); ++s) {
    lesson.labels.push_back(known[rows_[s]]);
    if (lesson.labels.back() != kUnlabeled) lesson.teachers.push_back(s);
  }
  return lesson;
}

ViewpointResult PrefixJudge::judged(Viewpoint view, const Predictions& predictions) const {
  ViewpointResult result{.view = view};
  for (const std::vector<Index>& predicted : predictions) {
    result.accuracy.push_back(accuracy(truth_, predicted));
    result.balanced_accuracy.push_back(balanced_accuracy(truth_, predicted));
  }
  return result;
}

PrefixJudge::Predictions PrefixJudge::voted(Viewpoint view,
                                            std::span<const std::vector<Index>> rankings,
                                            std::span<const Index> lengths) const {
  const Index n_tests = std::ssize(testers_);
  const Index n_classes = 1 + *std::ranges::max_element(data_.problem.known.labels);
  std::vector<Index> votes(std::ssize(lengths) * n_tests * n_classes, 0);
  for (const std::vector<Index>& ranking : rankings) {
    const auto features = std::span(ranking).first(lengths.back());
    const Buffer<double> values = columns_of(features);
    const DenseView<double> columns(values.data(), std::ssize(rows_), std::ssize(features));
    Index ballot = 0;
    for (const std::vector<Index>& predicted : predictions(lesson_of(view, columns), lengths))
      for (const Index label : predicted) ++votes[ballot++ * n_classes + label];
  }
  Predictions winners(lengths.size());
  for (Index ballot = 0; ballot < std::ssize(lengths) * n_tests; ++ballot) {
    const auto box = std::span(votes).subspan(ballot * n_classes, n_classes);
    winners[ballot / n_tests].push_back(std::ranges::max_element(box) - box.begin());
  }
  return winners;
}

PrefixJudge::Predictions PrefixJudge::predictions(const Lesson& lesson,
                                                  std::span<const Index> lengths) const {
  switch (protocol_.classifier) {
    case Classifier::nearest_neighbor:
      return by_neighbors(lesson, lengths);
    case Classifier::svm:
      return by_svm(lesson, lengths);
    case Classifier::tree: {
      std::vector<Index> classes;
      for (const Index s : lesson.teachers) classes.push_back(lesson.labels[s]);
      const SortedColumns sorted(lesson.columns, lesson.teachers, classes,
                                 all_indices(lesson.columns.cols()));
      return one_by_one(lesson, lengths, [&](const DenseView<double>& prefix) {
        return sorted.grow(prefix.cols());
      });
    }
    case Classifier::naive_bayes:
      return one_by_one(lesson, lengths, [&](const DenseView<double>& prefix) {
        return train_naive_bayes(prefix, lesson.teachers, lesson.labels);
      });
  }
  return {};
}

PrefixJudge::Predictions PrefixJudge::by_neighbors(const Lesson& lesson,
                                                   std::span<const Index> lengths) const {
  const std::vector<Index> features = all_indices(lesson.columns.cols());
  Predictions predictions(lengths.size());
  Progress::Stage stage(data_.progress, kStage, std::ssize(testers_));
  for (Index begin = 0; begin < std::ssize(testers_); begin += kTestRows) {
    const Index count = std::min(kTestRows, std::ssize(testers_) - begin);
    const PrefixNeighbors nearest =
        nearest_rows_by_prefix(lesson.columns, lesson.teachers,
                               std::span(testers_).subspan(begin, count), features, lengths);
    for (Index place = 0; place < std::ssize(lengths); ++place)
      for (const Index row : nearest.at(place)) predictions[place].push_back(lesson.labels[row]);
    stage.advance(count);
  }
  return predictions;
}

PrefixJudge::Predictions PrefixJudge::by_svm(const Lesson& lesson,
                                             std::span<const Index> lengths) const {
  const LinearSvmOptions options{.solver = protocol_.svm_solver,
                                 .cost = protocol_.cost,
                                 .folds = protocol_.cost_folds,
                                 .seed = method_seed(trial_)};
  const Index n_train = std::ssize(lesson.teachers);
  if (options.solver == SvmSolver::libsvm && n_train <= kMostProductRows &&
      n_train * (n_train + std::ssize(testers_)) <= kMostProducts)
    return by_svm_on_products(lesson, lengths, options);
  return one_by_one(lesson, lengths, [&](const DenseView<double>& prefix) {
    return train_linear_svm(prefix, lesson.teachers, lesson.labels, options);
  });
}

PrefixJudge::Predictions PrefixJudge::by_svm_on_products(const Lesson& lesson,
                                                         std::span<const Index> lengths,
                                                         LinearSvmOptions options) const {
  options.on_products = true;
  const Index n_train = std::ssize(lesson.teachers);
  std::vector<Index> labels;
  for (const Index s : lesson.teachers) labels.push_back(lesson.labels[s]);
  std::vector<Index> rows = lesson.teachers;
  std::vector<Index> test;  // by their places in rows
  for (const Index s : testers_) {
    test.push_back(std::ssize(rows));
    rows.push_back(s);
  }
  RowProducts products(lesson.columns, std::move(rows), n_train);
  return for_each_length(lengths, [&](Index length) {
    products.grow(length);
    return train_linear_svm(products.table(), all_indices(n_train), labels, options)
        .predict(products.table(), test);
  });
}

template <class Learn>
PrefixJudge::Predictions PrefixJudge::one_by_one(const Lesson& lesson,
                                                 std::span<const Index> lengths,
                                                 const Learn& learn) const {
  const DenseView<double>& all = lesson.columns;
  return for_each_length(lengths, [&](Index length) {
    const DenseView<double> prefix(all.row(0), all.rows(), length, all.cols());
    return learn(prefix).predict(prefix, testers_);
  });
}

template <class Predict>
PrefixJudge::Predictions PrefixJudge::for_each_length(std::span<const Index> lengths,
                                                      const Predict& predict) const {
  Predictions predictions;
  Progress::Stage stage(data_.progress, kStage, std::ssize(lengths));
  for (const Index length : lengths) {
    predictions.push_back(predict(length));
    stage.advance();
  }
  return predictions;
}

}  // namespace tamis
