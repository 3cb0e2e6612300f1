#include "learners/linear_svm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "learners/folds.hpp"
#include "learners/linear_model.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {
namespace {

constexpr Index kBlockRows = 64;

/// Rows and their classes as numbers 0, 1, ..., class by class.
struct TrainingRows {
  std::vector<Index> rows = {};
  std::vector<Index> classes = {};
};

void check(const MatrixView& x, std::span<const Index> rows, std::span<const Index> labels,
           const LinearSvmOptions& options) {
  check_ranges("linear_svm", options);
  if (options.on_products && options.solver != SvmSolver::libsvm)
    throw InvalidArgument("linear_svm: only LIBSVM learns from products of rows");
  if (std::max(x.cols(), std::ssize(rows)) >= std::numeric_limits<int>::max())
    throw DataError("linear_svm: LIBLINEAR and LIBSVM count rows and columns in 32 bits");
  for (const Index i : rows)
    if (labels[i] == kUnlabeled)
      throw InvalidArgument(
          fmt::format("linear_svm: training row {} has no label: leave it out", i));
  const std::vector<double> costs = options.cost ? std::vector{*options.cost} : options.costs;
  if (costs.empty()) throw InvalidArgument("linear_svm: there is no cost to choose from");
  for (const double cost : costs)
    if (!(cost > 0.0 && std::isfinite(cost)))
      throw InvalidArgument(fmt::format("linear_svm: cost = {} must be > 0 and finite", cost));
}

TrainingRows class_by_class(std::span<const Index> rows, std::span<const Index> labels,
                            std::vector<Index>& classes) {
  std::vector<Index> row_labels;
  for (const Index i : rows) row_labels.push_back(labels[i]);
  TrainingRows training;
  for (const auto& [label, positions] : positions_by_class(row_labels)) {
    for (const Index s : positions) {
      training.rows.push_back(rows[s]);
      training.classes.push_back(std::ssize(classes));
    }
    classes.push_back(label);
  }
  return training;
}

std::shared_ptr<const LinearModel> train(const MatrixView& x, const TrainingRows& training,
                                         const LinearSvmOptions& options, double cost) {
  const auto run = options.on_products                      ? train_libsvm_on_products
                   : options.solver == SvmSolver::liblinear ? train_liblinear
                                                            : train_libsvm;
  return run(x, training.rows, training.classes, cost);
}

/// How many rows of the fold a model of the others' predicts right.
Index right_in_fold(const MatrixView& x, const TrainingRows& all, std::span<const Index> folds,
                    Index fold, const LinearSvmOptions& options, double cost) {
  TrainingRows others;
  for (Index s = 0; s < std::ssize(folds); ++s) {
    if (folds[s] == fold) continue;
    others.rows.push_back(all.rows[s]);
    others.classes.push_back(all.classes[s]);
  }
  const auto model = train(x, others, options, cost);
  Index right = 0;
  for (Index s = 0; s < std::ssize(folds); ++s)
    if (folds[s] == fold && model->predict(x, all.rows[s]) == all.classes[s]) ++right;
  return right;
}

double choose_cost(const MatrixView& x, const TrainingRows& training,
                   const LinearSvmOptions& options) {
  RandomStream random(options.seed);
  const std::vector<Index> folds = stratified_folds(training.classes, options.folds, random);
  std::vector<double> costs = options.costs;
  std::ranges::sort(costs);
  std::vector<Index> right(costs.size() * options.folds, 0);
  parallel_for(std::ssize(right), 1, [&](Index begin, Index /*end*/) {
    right[begin] = right_in_fold(x, training, folds, begin % options.folds, options,
                                 costs[begin / options.folds]);
  });
  Index best = 0;
  Index most = -1;
  for (Index c = 0; c < std::ssize(costs); ++c) {
    Index total = 0;
    for (Index fold = 0; fold < options.folds; ++fold) total += right[c * options.folds + fold];
    if (total > most) {
      most = total;
      best = c;
    }
  }
  return costs[best];
}

}  // namespace

std::vector<double> LinearSvmOptions::default_costs() {
  std::vector<double> costs;
  for (int power = -5; power <= 15; power += 2) costs.push_back(std::ldexp(1.0, power));
  return costs;
}

std::vector<Index> LinearSvm::predict(const MatrixView& x, std::span<const Index> rows) const {
  std::vector<Index> predicted(rows.size());
  parallel_for(std::ssize(rows), kBlockRows, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) predicted[s] = classes_[model_->predict(x, rows[s])];
  });
  return predicted;
}

LinearSvm train_linear_svm(const MatrixView& x, std::span<const Index> rows,
                           std::span<const Index> labels, const LinearSvmOptions& options) {
  check(x, rows, labels, options);
  LinearSvm svm;
  const TrainingRows training = class_by_class(rows, labels, svm.classes_);
  if (svm.classes_.size() < 2)
    throw DataError(fmt::format(
        "linear_svm: training rows of at least 2 classes are needed, not {}", svm.classes_.size()));
  svm.cost_ = options.cost ? *options.cost : choose_cost(x, training, options);
  svm.model_ = train(x, training, options, svm.cost_);
  return svm;
}

}  // namespace tamis
