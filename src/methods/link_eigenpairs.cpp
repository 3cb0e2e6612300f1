#include "link_eigenpairs.hpp"

#include <Spectra/SymEigsSolver.h>

#include <Eigen/Eigenvalues>
#include <cmath>

namespace tamis {
namespace {

constexpr Index kLargestMatrix = 1000;
constexpr Index kLeadingPairs = 100;
/// Eigenvalues below this are rounding: the entries of H are 0 and 1.
constexpr double kRounding = 1e-9;

/// H, doubly centred, as a product.
class LinkMatrix {
 public:
  using Scalar = double;

  LinkMatrix(const ConstraintSet& constraints, Index rows)
      : constraints_(constraints), rows_(rows) {}
  Index rows() const { return rows_; }
  Index cols() const { return rows_; }

  void perform_op(const double* in, double* out) const {
    const Eigen::Map<const Eigen::VectorXd> x(in, rows_);
    Eigen::Map<Eigen::VectorXd> y(out, rows_);
    const Eigen::VectorXd centred = x.array() - x.mean();
    y = centred;
    for (const std::vector<Index>& same : constraints_.classes()) {
      double sum = 0.0;
      for (const Index row : same) sum += centred[row];
      for (const Index row : same) y[row] += sum - centred[row];
    }
    for (const RowPair& pair : constraints_.extra_must_link()) add(pair, 1.0, centred, y);
    for (const RowPair& pair : constraints_.extra_cannot_link()) add(pair, -1.0, centred, y);
    y.array() -= y.mean();
  }

 private:
  static void add(const RowPair& pair, double sign, const Eigen::VectorXd& x,
                  Eigen::Map<Eigen::VectorXd>& y) {
    y[pair.first] += sign * x[pair.second];
    y[pair.second] += sign * x[pair.first];
  }

  const ConstraintSet& constraints_;
  Index rows_;
};

RowVectors positive_part(const Eigen::VectorXd& values, const Eigen::MatrixXd& vectors) {
  std::vector<Index> positive;
  for (Index a = 0; a < values.size(); ++a)
    if (values[a] > kRounding) positive.push_back(a);
  const Index width = std::ssize(positive);
  RowVectors result{width, Buffer<double>(vectors.rows() * width)};
  for (Index s = 0; s < vectors.rows(); ++s)
    for (Index c = 0; c < width; ++c)
      result.row(s)[c] = vectors(s, positive[c]) * std::sqrt(values[positive[c]]);
  return result;
}

}  // namespace

RowVectors link_vectors(const ConstraintSet& constraints, Index rows) {
  LinkMatrix links(constraints, rows);
  if (rows > kLargestMatrix) {
    Spectra::SymEigsSolver<LinkMatrix> solver(links, kLeadingPairs, 3 * kLeadingPairs);
    solver.init();
    solver.compute(Spectra::SortRule::LargestAlge, 1000, 1e-10);
    return positive_part(solver.eigenvalues(), solver.eigenvectors());
  }
  Eigen::MatrixXd matrix(rows, rows);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(rows);
  for (Index s = 0; s < rows; ++s) {
    unit[s] = 1.0;
    links.perform_op(unit.data(), matrix.col(s).data());
    unit[s] = 0.0;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return positive_part(solver.eigenvalues(), solver.eigenvectors());
}

}  // namespace tamis
