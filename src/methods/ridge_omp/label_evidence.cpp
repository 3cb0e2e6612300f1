#include <algorithm>
#include <cmath>

#include "methods/ridge_omp/kernel_ridge.hpp"
#include "methods/ridge_omp/row_evidence.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Divides each column by its standard deviation, unless it is 0 but for rounding.
void standardize(RowVectors& centred) {
  constexpr double kRounding = 1e-12;
  std::vector<double> squares(centred.width, 0.0);
  for (Index i = 0; i < centred.rows(); ++i)
    for (Index c = 0; c < centred.width; ++c) squares[c] += centred.row(i)[c] * centred.row(i)[c];
  for (Index c = 0; c < centred.width; ++c) {
    const double deviation = std::sqrt(squares[c] / static_cast<double>(centred.rows()));
    const double factor = deviation > kRounding ? 1.0 / deviation : 0.0;
    for (Index i = 0; i < centred.rows(); ++i) centred.row(i)[c] *= factor;
  }
}

/// Each row becomes exp(temperature v_c) / sum_c exp(temperature v_c).
void apply_softmax(RowVectors& vectors, double temperature) {
  for (Index i = 0; i < vectors.rows(); ++i) {
    double* const row = vectors.row(i);
    const double largest = *std::max_element(row, row + vectors.width);
    double total = 0.0;
    for (Index c = 0; c < vectors.width; ++c)
      total += row[c] = std::exp(temperature * (row[c] - largest));
    for (Index c = 0; c < vectors.width; ++c) row[c] /= total;
  }
}

/// (P - pi) / sqrt(pi), pi the means of the columns.
void compare_with_means(RowVectors& shares) {
  std::vector<double> mean(shares.width, 0.0);
  for (Index i = 0; i < shares.rows(); ++i)
    for (Index c = 0; c < shares.width; ++c) mean[c] += shares.row(i)[c];
  for (double& value : mean) value /= static_cast<double>(shares.rows());
  for (Index i = 0; i < shares.rows(); ++i)
    for (Index c = 0; c < shares.width; ++c)
      shares.row(i)[c] = (shares.row(i)[c] - mean[c]) / std::sqrt(mean[c]);
}

class LabelEvidence : public MatchingTarget::RowEvidence {
 public:
  explicit LabelEvidence(const Knowledge& known) : rows_(labeled_rows(known)) {
    const auto classes = rows_by_class(known);
    std::vector<Index> class_of_row(known.labels.size(), 0);
    for (Index c = 0; c < std::ssize(classes); ++c) {
      sizes_.push_back(static_cast<double>(classes[c].size()));
      for (const Index row : classes[c]) class_of_row[row] = c;
    }
    for (const Index row : rows_) class_of_.push_back(class_of_row[row]);
  }

  RowVectors spread(const RankedTable& z, const TargetOptions& options) const override {
    RowVectors target = kernel_ridge(z, rows_, indicators(), options.ridge);
    center(target);
    standardize(target);
    apply_softmax(target, options.temperature);
    compare_with_means(target);
    normalize(target);
    return target;
  }

  RowVectors coefficients(const RankedTable& z, const TargetOptions& options) const override {
    return ridge_coefficients(z, rows_, indicators(), options.ridge);
  }

  bool has_classes() const override { return true; }

  /// Sums of squares between and within the classes.
  ColumnEvidence of_columns(const RankedTable& z) const override {
    const std::vector<double> zeros(z.cols(), 0.0);
    ColumnEvidence evidence{zeros, zeros, zeros};
    parallel_for_with(
        z.cols(), 64, [&] { return std::vector<double>(rows_.size()); },
        [&](std::vector<double>& values, Index begin, Index end) {
          for (Index r = begin; r < end; ++r) {
            z.copy_rows(rows_, r, 1, values.data());
            measure(values, evidence.apart[r], evidence.together[r]);
            evidence.merit[r] = evidence.apart[r] / labels();
          }
        });
    return evidence;
  }

  double reliability(const RankedTable& z, const ColumnEvidence& columns,
                     const TargetOptions&) const override {
    return reliability_of_labels(z, columns, labels(), static_cast<double>(sizes_.size()));
  }

 private:
  double labels() const { return static_cast<double>(rows_.size()); }

  /// One-hot, each class with the same total, centred.
  RowVectors indicators() const {
    const Index width = std::ssize(sizes_);
    RowVectors result{width, Buffer<double>(std::ssize(rows_) * width, 0.0)};
    for (Index s = 0; s < std::ssize(rows_); ++s)
      result.row(s)[class_of_[s]] = labels() / static_cast<double>(width) / sizes_[class_of_[s]];
    center(result);
    return result;
  }

  void measure(const std::vector<double>& values, double& between, double& within) const {
    std::vector<double> means(sizes_.size(), 0.0);
    double mean = 0.0;
    for (std::size_t s = 0; s < values.size(); ++s) {
      means[class_of_[s]] += values[s] / sizes_[class_of_[s]];
      mean += values[s] / labels();
    }
    for (std::size_t c = 0; c < means.size(); ++c)
      between += sizes_[c] * (means[c] - mean) * (means[c] - mean);
    for (std::size_t s = 0; s < values.size(); ++s) {
      const double difference = values[s] - means[class_of_[s]];
      within += difference * difference;
    }
  }

  std::vector<Index> rows_;
  std::vector<Index> class_of_;  ///< of each labeled row
  std::vector<double> sizes_;
};

}  // namespace

double reliability_of_labels(const RankedTable& z, const ColumnEvidence& columns, double labels,
                             double classes) {
  const double total = spread_sum(z, std::vector(z.cols(), 1.0));
  const double between = spread_sum(z, columns.apart) / (classes - 1.0);
  const double within =
      labels > classes ? spread_sum(z, columns.together) / (labels - classes) : total;
  return between > kNoDifference * total ? std::clamp(1.0 - within / between, 0.0, 1.0) : 0.0;
}

std::unique_ptr<MatchingTarget::RowEvidence> evidence_of_labels(const Knowledge& known) {
  return std::make_unique<LabelEvidence>(known);
}

}  // namespace tamis
