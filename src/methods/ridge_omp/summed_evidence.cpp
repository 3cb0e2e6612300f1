#include "methods/ridge_omp/summed_evidence.hpp"

#include <cmath>

#include "linalg/conjugate_gradients.hpp"

namespace tamis {
namespace {

/// Known rows whose mean squared distance from their mean is below this share of the largest
/// possible are alike.
constexpr double kAlike = 1e-20;

class SummedEvidence : public MatchingTarget::Evidence {
 public:
  explicit SummedEvidence(LabelSums sums) : sums_(std::move(sums)) {
    for (const Index size : sums_.sizes) labels_ += static_cast<double>(size);
  }

  RowVectors coefficients(const RankedTable& z, const TargetOptions& options) const override {
    const Index cols = z.cols();
    const Index classes = sums_.means.width;
    double trace = 0.0;
    double possible = 0.0;
    std::vector<double> roots;
    for (Index r = 0; r < cols; ++r) {
      roots.push_back(std::sqrt(z.spread()[r]));
      trace += z.spread()[r] * sums_.squares[r];
      possible += z.spread()[r];
    }
    if (trace / labels_ <= kAlike * possible) return {};
    RowVectors right{classes, Buffer<double>(cols * classes)};
    for (Index r = 0; r < cols; ++r)
      for (Index c = 0; c < classes; ++c)
        right.row(r)[c] =
            roots[r] * labels_ / static_cast<double>(classes) * (sums_.means.row(r)[c] - mean(r));
    const double ridge = options.ridge * trace / labels_;
    const auto apply = [&](const RowVectors& v) {
      RowVectors inner = v;
      scale(roots, inner);
      RowVectors out = sums_.correlations->times(inner);
      scale(roots, out);
      for (Index e = 0; e < std::ssize(out.values); ++e) out.values[e] += ridge * v.values[e];
      return out;
    };
    RowVectors solution = conjugate_gradients(apply, right, 1e-12);
    for (Index r = 0; r < cols; ++r)
      for (Index c = 0; c < classes; ++c) solution.row(r)[c] *= roots[r];
    return solution;
  }

  bool has_classes() const override { return true; }

  ColumnEvidence of_columns(const RankedTable& z) const override {
    ColumnEvidence evidence;
    for (Index r = 0; r < z.cols(); ++r) {
      double between = 0.0;
      for (Index c = 0; c < sums_.means.width; ++c)
        between +=
            static_cast<double>(sums_.sizes[c]) * std::pow(sums_.means.row(r)[c] - mean(r), 2);
      evidence.apart.push_back(between);
      evidence.together.push_back(std::max(0.0, sums_.squares[r] - between));
      evidence.merit.push_back(between / labels_);
    }
    return evidence;
  }

  double reliability(const RankedTable& z, const ColumnEvidence& columns,
                     const TargetOptions&) const override {
    return reliability_of_labels(z, columns, labels_, static_cast<double>(sums_.sizes.size()));
  }

 private:
  double mean(Index column) const {
    double sum = 0.0;
    for (Index c = 0; c < sums_.means.width; ++c)
      sum += static_cast<double>(sums_.sizes[c]) * sums_.means.row(column)[c];
    return sum / labels_;
  }

  /// Rows by sqrt(G), and by the length of the column over the labeled rows, which correlations
  /// are without.
  void scale(const std::vector<double>& roots, RowVectors& vectors) const {
    for (Index r = 0; r < vectors.rows(); ++r)
      for (Index c = 0; c < vectors.width; ++c)
        vectors.row(r)[c] *= roots[r] * std::sqrt(sums_.squares[r]);
  }

  LabelSums sums_;
  double labels_ = 0.0;
};

}  // namespace

std::unique_ptr<MatchingTarget::Evidence> evidence_of_label_sums(LabelSums sums) {
  return std::make_unique<SummedEvidence>(std::move(sums));
}

}  // namespace tamis
