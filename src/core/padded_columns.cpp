#include "core/padded_columns.hpp"

#include <algorithm>

namespace tamis {

void copy_padded_columns(const MatrixView& x, std::span<const Index> rows, Index first, Index width,
                         Index stride, double* out) {
  copy_columns(x, rows, first, width, out);
  if (width == stride) return;
  for (Index i = std::ssize(rows) - 1; i >= 0; --i) {  // rows move apart, from the last one on
    std::copy_backward(out + i * width, out + (i + 1) * width, out + i * stride + width);
    std::fill(out + i * stride + width, out + (i + 1) * stride, 0.0);
  }
}

}  // namespace tamis
