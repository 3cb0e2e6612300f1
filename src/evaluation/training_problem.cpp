#include "evaluation/training_problem.hpp"

#include <type_traits>

namespace tamis {

TrainingProblem::TrainingProblem(const Problem& whole, std::span<const Index> rows,
                                 std::span<const Index> labels, std::uint64_t seed)
    : problem_{.matrix = whole.matrix.visit([&](const auto& x) { return gather(x, rows); }),
               .seed = seed,
               .progress = whole.progress} {
  add_names(whole, rows, labels);
}

TrainingProblem::TrainingProblem(const Problem& whole, std::span<const Index> rows,
                                 std::span<const Index> labels, std::uint64_t seed,
                                 const Scaling& scaling)
    : problem_{.matrix = gather_scaled(whole.matrix, rows, scaling),
               .seed = seed,
               .progress = whole.progress} {
  add_names(whole, rows, labels);
}

void TrainingProblem::add_names(const Problem& whole, std::span<const Index> rows,
                                std::span<const Index> labels) {
  problem_.feature_names = whole.feature_names;
  problem_.class_names = whole.class_names;
  for (const Index row : rows) {
    problem_.labels.push_back(labels[row]);
    if (!whole.sample_ids.empty()) problem_.sample_ids.push_back(whole.sample_ids[row]);
  }
}

template <class T>
Buffer<T>& TrainingProblem::values() {
  if constexpr (std::is_same_v<T, double>)
    return doubles_;
  else
    return floats_;
}

template <class T>
MatrixView TrainingProblem::gather(const DenseView<T>& x, std::span<const Index> rows) {
  Buffer<T>& table = values<T>();
  table.reserve(rows.size() * static_cast<std::size_t>(x.cols()));
  for (const Index row : rows) table.insert(table.end(), x.row(row), x.row(row) + x.cols());
  return DenseView<T>(table.data(), std::ssize(rows), x.cols());
}

template <class T>
MatrixView TrainingProblem::gather(const CsrView<T>& x, std::span<const Index> rows) {
  Buffer<T>& entries = values<T>();
  for (const Index row : rows) {
    const auto columns = x.row_columns(row);
    const auto stored = x.row_values(row);
    columns_.insert(columns_.end(), columns.begin(), columns.end());
    entries.insert(entries.end(), stored.begin(), stored.end());
    offsets_.push_back(std::ssize(columns_));
  }
  return CsrView<T>(offsets_, columns_, entries, x.cols());
}

MatrixView TrainingProblem::gather_scaled(const MatrixView& x, std::span<const Index> rows,
                                          const Scaling& scaling) {
  doubles_ = scaled_columns(x, rows, all_rows(x.cols()), scaling);
  return DenseView<double>(doubles_.data(), std::ssize(rows), x.cols());
}

}  // namespace tamis
