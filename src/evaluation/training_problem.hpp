#pragma once

#include <span>
#include <vector>

#include "learners/scaling.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {

/// Some rows of a problem as a problem of their own, with labels and a seed of their own and
/// nothing else of the whole: a method cannot know about the other rows.
class TrainingProblem {
 public:
  /// Labels have one entry per row of the whole.
  TrainingProblem(const Problem& whole, std::span<const Index> rows, std::span<const Index> labels,
                  std::uint64_t seed);
  /// The same with scaled columns, dense.
  TrainingProblem(const Problem& whole, std::span<const Index> rows, std::span<const Index> labels,
                  std::uint64_t seed, const Scaling& scaling);
  TrainingProblem(const TrainingProblem&) = delete;
  TrainingProblem& operator=(const TrainingProblem&) = delete;

  const Problem& problem() const { return problem_; }

 private:
  template <class T>
  MatrixView gather(const DenseView<T>& x, std::span<const Index> rows);
  template <class T>
  MatrixView gather(const CsrView<T>& x, std::span<const Index> rows);
  template <class T>
  Buffer<T>& values();
  MatrixView gather_scaled(const MatrixView& x, std::span<const Index> rows,
                           const Scaling& scaling);
  void add_names(const Problem& whole, std::span<const Index> rows, std::span<const Index> labels);

  Buffer<double> doubles_ = {};
  Buffer<float> floats_ = {};
  std::vector<Index> offsets_ = {0};
  std::vector<Index> columns_ = {};
  Problem problem_;
};

}  // namespace tamis
