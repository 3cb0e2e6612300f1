#include "levels/share_sums.hpp"

namespace tamis {
ShareSums::ShareSums(const std::vector<LevelTree>& levels, const RowTargets& targets)
    : sums(targets.weights.width(), 0),
      squares(targets.weights.width(), 0),
      products(std::ssize(levels) * targets.targets.front().width(), 0),
      levels_(levels),
      targets_(targets) {}

void ShareSums::update(const MatrixView& block) {
  Buffer<double> codes;
  for_each_code_block(levels_, block, [&](const CodeBlock& part, Index) {
    copy_codes(part, codes);
    RowVectors shares = tamis::products(targets_.weights, part.rows, codes);
    const Index width = targets_.targets.front().width();
    Buffer<double> first(part.rows * width);
    for (Index i = 0; i < part.rows; ++i) {
      double* row = shares.row(i);
      for (const RowTarget& target : targets_.targets) {
        to_shares(row, target.classes, targets_.temperature);
        row += target.width();
      }
      for (Index c = 0; c < shares.width; ++c) {
        const auto share = static_cast<std::int64_t>(shares.row(i)[c]);
        sums[c] += share;
        const std::int64_t square = share * share;  // at most 2^40
        squares[c] += square;
      }
      std::copy_n(shares.row(i), width, &first[i * width]);
    }
    for_each_product(codes, part.rows, part.cols, first.data(), width,
                     [&](Index r, const double* of_column) {
                       for (Index c = 0; c < width; ++c)
                         products[r * width + c] += static_cast<std::int64_t>(of_column[c]);
                     });
  });
}

void ShareSums::merge(const ShareSums& other) {
  add_all(sums, other.sums);
  add_all(squares, other.squares);
  add_all(products, other.products);
}

}  // namespace tamis
