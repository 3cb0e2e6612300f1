#include "levels/crossed_sums.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr double kCut = 3.0;
constexpr Index kGrain = 64;

double cut(double value) { return std::nearbyint(std::clamp(value, -kCut, kCut) / kTargetUnit); }

std::vector<Index> widths_of(const std::vector<RowTarget>& targets) {
  std::vector<Index> widths;
  for (const RowTarget& target : targets) widths.push_back(target.width());
  return widths;
}

/// tt' and t of at most kCodeRows rows: exact in double.
void add_moments(const RowVectors& target, CrossedSums::Sums& sums) {
  const Index width = target.width;
  Buffer<double> squares(width * width, 0.0);
  add_cross_products(target.values.data(), target.rows(), width, squares.data());
  for (Index c = 0; c < width; ++c)
    for (Index d = 0; d <= c; ++d)
      sums.squares[c * width + d] += static_cast<std::int64_t>(squares[c * width + d]);
  for (Index i = 0; i < target.rows(); ++i)
    for (Index c = 0; c < width; ++c) sums.values[c] += static_cast<std::int64_t>(target.row(i)[c]);
}

/// Rows of targets that wait for others, so that decoys are looked up for many at once.
class WaitingTargets {
 public:
  WaitingTargets(DecoySums& decoys, Index first_row) : decoys_(decoys), first_row_(first_row) {}

  void add(const std::vector<RowVectors>& targets, Index rows) {
    if (rows_ + rows > kDecoyRows) flush();
    targets_.resize(targets.size());
    for (std::size_t v = 0; v < targets.size(); ++v) {
      targets_[v].width = targets[v].width;
      targets_[v].values.insert(targets_[v].values.end(), targets[v].values.begin(),
                                targets[v].values.end());
    }
    rows_ += rows;
  }
  void flush() {
    if (rows_ > 0) decoys_.update(targets_, rows_, first_row_);
    first_row_ += std::exchange(rows_, 0);
    for (RowVectors& target : targets_) target.values.clear();
  }

 private:
  DecoySums& decoys_;
  Index first_row_;
  Index rows_ = 0;
  std::vector<RowVectors> targets_;
};

/// So that one product with the codes serves all.
RowVectors side_by_side(const std::vector<RowVectors>& targets, Index rows) {
  RowVectors all;
  for (const RowVectors& target : targets) all.width += target.width;
  all.values.resize(rows * all.width);
  for (Index i = 0; i < rows; ++i) {
    double* out = all.row(i);
    for (const RowVectors& target : targets)
      if (target.width > 0) out = std::copy_n(target.row(i), target.width, out);
  }
  return all;
}

}  // namespace

CrossedSums::CrossedSums(const std::vector<LevelTree>& levels, const CrossedQuestion& question)
    : decoys(question.decoys, widths_of(question.targets.targets), question.rows, question.seed),
      levels_(levels),
      question_(question) {
  for (const RowTarget& target : question.targets.targets) {
    const auto width = static_cast<std::size_t>(target.width());
    targets.push_back({.values = std::vector<Int128>(width, 0),
                       .squares = std::vector<Int128>(width * width, 0),
                       .products = std::vector<Int128>(width * levels.size(), 0)});
  }
}

void CrossedSums::update(const MatrixView& block, Index first_row) {
  Buffer<double> codes;
  WaitingTargets waiting(decoys, first_row);
  for_each_code_block(levels_, block, [&](const CodeBlock& part, Index) {
    copy_codes(part, codes);
    const std::vector<RowVectors> cut_ones =
        cut_targets(tamis::products(question_.targets.weights, part.rows, codes));
    for (std::size_t v = 0; v < targets.size(); ++v)
      if (cut_ones[v].width > 0) add_moments(cut_ones[v], targets[v]);
    const RowVectors all = side_by_side(cut_ones, part.rows);
    for_each_product(codes, part.rows, part.cols, all.values.data(), all.width,
                     [&](Index r, const double* of_column) {
                       for (std::size_t v = 0; v < targets.size(); ++v)
                         for (Index c = 0; c < cut_ones[v].width; ++c)
                           targets[v].products[r * cut_ones[v].width + c] +=
                               static_cast<std::int64_t>(*of_column++);
                     });
    waiting.add(cut_ones, part.rows);
  });
  waiting.flush();
}

std::vector<RowVectors> CrossedSums::cut_targets(RowVectors scores) const {
  const Index rows = scores.width == 0 ? 0 : scores.rows();
  std::vector<RowVectors> result;
  Index first = 0;
  Index first_share = 0;
  for (const RowTarget& target : question_.targets.targets) {
    RowVectors& out = result.emplace_back();
    out = {target.width(), Buffer<double>(rows * target.width())};
    parallel_for(target.width() == 0 ? 0 : rows, kGrain, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        double* const from = scores.row(i) + first;
        if (target.classes > 0) to_shares(from, target.classes, question_.targets.temperature);
        for (Index c = 0; c < target.classes; ++c) {
          const ShareMoments& moments = question_.shares[first_share + c];
          out.row(i)[c] =
              moments.deviation > 0.0 ? cut((from[c] - moments.mean) / moments.deviation) : 0.0;
        }
        for (Index c = target.classes; c < target.width(); ++c) out.row(i)[c] = cut(from[c]);
      }
    });
    first += target.width();
    first_share += target.classes;
  }
  return result;
}

void CrossedSums::merge(const CrossedSums& other) {
  for (std::size_t v = 0; v < targets.size(); ++v) {
    add_all(targets[v].values, other.targets[v].values);
    add_all(targets[v].squares, other.targets[v].squares);
    add_all(targets[v].products, other.targets[v].products);
  }
  for (std::size_t g = 0; g < decoys.sums.size(); ++g)
    add_all(decoys.sums[g], other.decoys.sums[g]);
}

}  // namespace tamis
