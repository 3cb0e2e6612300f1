#include <algorithm>
#include <cmath>

#include "methods/known_values.hpp"
#include "methods/ridge_omp/kernel_ridge.hpp"
#include "methods/ridge_omp/row_evidence.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

class ValueEvidence : public MatchingTarget::RowEvidence {
 public:
  explicit ValueEvidence(const Knowledge& known)
      : rows_(valued_rows(known)), values_(standard_values(known)) {}

  RowVectors spread(const RankedTable& z, const TargetOptions& options) const override {
    RowVectors target = kernel_ridge(z, rows_, values_, options.ridge);
    center(target);
    normalize(target);
    return target;
  }

  RowVectors coefficients(const RankedTable& z, const TargetOptions& options) const override {
    return ridge_coefficients(z, rows_, values_, options.ridge);
  }

  bool has_classes() const override { return false; }

  /// Squared correlations with the values.
  ColumnEvidence of_columns(const RankedTable& z) const override {
    ColumnEvidence evidence{.merit = std::vector<double>(z.cols())};
    parallel_for_with(
        z.cols(), 64, [&] { return std::vector<double>(rows_.size()); },
        [&](std::vector<double>& column, Index begin, Index end) {
          for (Index r = begin; r < end; ++r) {
            z.copy_rows(rows_, r, 1, column.data());
            evidence.merit[r] = squared_correlation(column);
          }
        });
    return evidence;
  }

  /// R^2 of values that are predicted from the other known rows, within 0 .. 1.
  double reliability(const RankedTable& z, const ColumnEvidence&,
                     const TargetOptions& options) const override {
    double missed = 0.0;
    const std::vector<double> residuals = left_out_residuals(z, rows_, values_, options.ridge);
    for (const double residual : residuals) missed += residual * residual;
    const double explained = 1.0 - missed / count();
    return residuals.empty() || !(explained > 0.0) ? 0.0 : explained;
  }

 private:
  double count() const { return static_cast<double>(rows_.size()); }

  double squared_correlation(const std::vector<double>& column) const {
    double mean = 0.0;
    for (const double value : column) mean += value / count();
    double squares = 0.0;
    double product = 0.0;
    for (std::size_t s = 0; s < column.size(); ++s) {
      squares += (column[s] - mean) * (column[s] - mean);
      product += (column[s] - mean) * values_.values[static_cast<Index>(s)];
    }
    return squares > kNoDifference * count() ? product / squares * product / count() : 0.0;
  }

  std::vector<Index> rows_;
  RowVectors values_;  ///< of mean 0 and variance 1: what is spread has no unit
};

}  // namespace

std::unique_ptr<MatchingTarget::RowEvidence> evidence_of_values(const Knowledge& known) {
  return std::make_unique<ValueEvidence>(known);
}

}  // namespace tamis
