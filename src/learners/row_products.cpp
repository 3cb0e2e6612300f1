#include "learners/row_products.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kColumns = 8;  ///< at a time: a product is loaded and stored once for so many
constexpr Index kBlockRows = 16;

/// A few columns of the training rows, each together.
using Panel = std::array<std::vector<double>, kColumns>;

/// products[j] += sum_c values[c] panel[c][j], one column after the other. Zeros, which pad, change
/// nothing.
void add_products(const std::array<double, kColumns>& values, const Panel& panel, Index n,
                  double* products) {
  for (Index j = 0; j < n; ++j) {
    double sum = products[j];
    for (Index c = 0; c < kColumns; ++c) sum += values[c] * panel[c][j];
    products[j] = sum;
  }
}

}  // namespace

RowProducts::RowProducts(const DenseView<double>& columns, std::vector<Index> rows, Index n_train)
    : columns_(columns),
      rows_(std::move(rows)),
      n_train_(n_train),
      products_(std::ssize(rows_) * n_train, 0.0) {}

void RowProducts::grow(Index length) {
  Panel panel;
  for (; length_ < length; length_ += std::min(kColumns, length - length_)) {
    const Index width = std::min(kColumns, length - length_);
    for (Index c = 0; c < kColumns; ++c) {
      panel[c].assign(n_train_, 0.0);
      for (Index j = 0; c < width && j < n_train_; ++j)
        panel[c][j] = columns_(rows_[j], length_ + c);
    }
    parallel_for(std::ssize(rows_), kBlockRows, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        std::array<double, kColumns> values{};
        std::copy_n(columns_.row(rows_[i]) + length_, width, values.begin());
        add_products(values, panel, n_train_, products_.data() + i * n_train_);
      }
    });
  }
}

DenseView<double> RowProducts::table() const {
  return {products_.data(), std::ssize(rows_), n_train_};
}

}  // namespace tamis
