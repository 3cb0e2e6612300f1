#include "linalg/row_vectors.hpp"

#include <vector>

namespace tamis {

void center(RowVectors& vectors) {
  std::vector<double> mean(vectors.width, 0.0);
  for (Index i = 0; i < vectors.rows(); ++i)
    for (Index c = 0; c < vectors.width; ++c) mean[c] += vectors.row(i)[c];
  for (double& value : mean) value /= static_cast<double>(vectors.rows());
  for (Index i = 0; i < vectors.rows(); ++i)
    for (Index c = 0; c < vectors.width; ++c) vectors.row(i)[c] -= mean[c];
}

double mean_squared_length(const RowVectors& vectors) {
  if (vectors.values.empty()) return 0.0;
  double squares = 0.0;
  for (const double value : vectors.values) squares += value * value;
  return squares / static_cast<double>(vectors.rows());
}

void multiply_all(RowVectors& vectors, double factor) {
  for (double& value : vectors.values) value *= factor;
}

}  // namespace tamis
