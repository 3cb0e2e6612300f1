#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/core/matrix.hpp"
#include "tamis/core/options.hpp"

namespace tamis {

class LinearModel;

enum class SvmSolver { liblinear, libsvm };
constexpr auto option_words(SvmSolver) {
  return std::array{std::pair{std::string_view("liblinear"), SvmSolver::liblinear},
                    std::pair{std::string_view("libsvm"), SvmSolver::libsvm}};
}

struct LinearSvmOptions {
  SvmSolver solver = SvmSolver::liblinear;
  std::optional<double> cost = 1.0;
  Index folds = 2;
  std::vector<double> costs = default_costs();  ///< those that unset `cost` is chosen from
  std::uint64_t seed = 0;                       ///< of the folds
  /// x(i, j) is the product of rows i and j, in place of columns; for libsvm. See RowProducts.
  bool on_products = false;

  static constexpr auto fields() {
    using Self = LinearSvmOptions;
    return field_list(
        field("solver", &Self::solver,
              "one class against the rest, squared hinge loss (liblinear), or each pair of "
              "classes, hinge loss (libsvm)"),
        field("cost", &Self::cost, positive(), "C, the price of errors; auto: by cross-validation"),
        field("folds", &Self::folds, at_least(2), "of that cross-validation"));
  }
  /// 2^-5, 2^-3, ..., 2^15.
  static std::vector<double> default_costs();
};

/// A linear support vector machine for any number of classes.
class LinearSvm {
 public:
  /// The class of each given row of a table with the columns of the training table. Ties to the
  /// lower class.
  std::vector<Index> predict(const MatrixView& x, std::span<const Index> rows) const;
  double cost() const { return cost_; }  ///< given or chosen

 private:
  friend LinearSvm train_linear_svm(const MatrixView&, std::span<const Index>,
                                    std::span<const Index>, const LinearSvmOptions&);
  std::shared_ptr<const LinearModel> model_;
  std::vector<Index> classes_;
  double cost_ = 0.0;
};

/// Trains on the given rows of the table, of which every row has its entry in `labels`. An unset
/// cost becomes the one that predicts most rows right in stratified cross-validation within these
/// rows, ties to the smallest.
///
/// Deterministic for any number of threads. LIBLINEAR's dual solvers draw from rand(), a state that
/// all threads of a program share; so its primal trust-region solver runs, which draws nothing and
/// finds the same, unique optimum. LIBSVM draws only for probabilities, which we do not ask for.
/// Nothing is printed, but for LIBSVM's complaint on stderr if 10 million steps do not suffice.
/// @throws InvalidArgument if an option is out of range or a training row has no label
/// @throws DataError for fewer than two classes, and, to choose the cost, for fewer rows than folds
/// or a class with one row
LinearSvm train_linear_svm(const MatrixView& x, std::span<const Index> rows,
                           std::span<const Index> labels, const LinearSvmOptions& options = {});

}  // namespace tamis
