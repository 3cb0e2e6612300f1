#include "clustering/nearest_center.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/simd.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kBlockRows = 256;
/// A product over a longer depth is summed in pieces, which bounds its rounding.
constexpr Index kDepth = 512;
constexpr double kUnitRoundoff = 0x1p-24;

/// Rows whose products with all centres are there at once: of many centres fewer, as every thread
/// has room for them.
Index rows_of_product(Index n_centers) {
  constexpr Index kMostProducts = Index{1} << 18;
  constexpr Index kFewestRows = 128;  // products of fewer cost more
  return std::clamp(kMostProducts / n_centers, kFewestRows, kBlockRows);
}

/// Smallest key |c|^2 - 2 <x, c> of a row.
float smallest_key(const float* products, const float* norms, Index n, float* keys) {
  return for_this_cpu([=](auto) TAMIS_KERNEL {
    float least[kLanes<float>];
    std::fill_n(least, kLanes<float>, std::numeric_limits<float>::infinity());
    Index z = 0;
    for (; z + kLanes<float> <= n; z += kLanes<float>)
      for (Index l = 0; l < kLanes<float>; ++l) {
        const float key = norms[z + l] - 2.0F * products[z + l];
        keys[z + l] = key;
        least[l] = key < least[l] ? key : least[l];
      }
    for (; z < n; ++z) {
      keys[z] = norms[z] - 2.0F * products[z];
      least[0] = keys[z] < least[0] ? keys[z] : least[0];
    }
    return *std::min_element(least, least + kLanes<float>);
  });
}

/// out = (values - shift) * scale
template <class T>
void shift_row(const T* values, const double* shift, double scale, Index n, float* out) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index r = 0; r < n; ++r)
      out[r] = static_cast<float>((static_cast<double>(values[r]) - shift[r]) * scale);
  });
}

/// The largest squared distance of a row from the point.
double largest_distance(const MatrixView& x, std::span<const Index> rows,
                        std::span<const double> point) {
  std::vector<double> largest((std::ssize(rows) + kBlockRows - 1) / kBlockRows, 0.0);
  parallel_for(std::ssize(rows), kBlockRows, [&](Index begin, Index end) {
    double& block_largest = largest[begin / kBlockRows];
    for (Index s = begin; s < end; ++s)
      block_largest = std::max(block_largest, squared_distance(x, rows[s], point));
  });
  return std::ranges::max(largest);
}

/// Writes the places of keys within the limit; returns their number.
Index keys_within(const float* keys, float limit, Index n, unsigned char* marks, Index* places) {
  return for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index z = 0; z < n; ++z) marks[z] = static_cast<unsigned char>(keys[z] <= limit);
    Index count = 0;
    for_each_marked(marks, n, [&](Index z) { places[count++] = z; });
    return count;
  });
}

/// Rows and centres in float32 after a common shift and scaling.
class CenterSearch {
 public:
  CenterSearch(const MatrixView& x, std::span<const Index> rows, std::span<const double> centers);
  NearestCenters run() const;

 private:
  struct Scratch {
    Buffer<double> values;  // of sparse rows
    Buffer<float> block;
    Buffer<float> tile;
    std::vector<float> keys;
    std::vector<unsigned char> marks;
    std::vector<Index> candidates;
  };

  void hold_centers();
  void search_block(Scratch& scratch, Index begin, Index end, NearestCenters& out) const;
  void load_block(Scratch& scratch, Index begin, Index end) const;
  void settle(Index position, double row_norm, float least, Scratch& scratch,
              NearestCenters& out) const;

  const MatrixView& x_;
  std::span<const Index> rows_;
  std::span<const double> centers_;
  Index cols_;
  Index n_centers_;
  Index block_rows_;
  std::vector<double> shift_;
  double scale_ = 1.0;
  Buffer<float> held_;
  std::vector<float> norms_;
  double largest_norm_ = 0.0;  // squared
  double relative_error_ = 0.0;
};

CenterSearch::CenterSearch(const MatrixView& x, std::span<const Index> rows,
                           std::span<const double> centers)
    : x_(x),
      rows_(rows),
      centers_(centers),
      cols_(x.cols()),
      n_centers_(std::ssize(centers) / x.cols()),
      block_rows_(rows_of_product(n_centers_)),
      shift_(x.cols(), 0.0) {
  // The centres' mean is a good enough origin: centres lie among the rows.
  for (Index z = 0; z < n_centers_; ++z)
    for (Index r = 0; r < cols_; ++r)
      shift_[r] += centers[z * cols_ + r] / static_cast<double>(n_centers_);
  const double squares = largest_distance(x, rows, shift_);
  scale_ = squares > 0.0 ? std::exp2(-std::ceil(0.5 * std::log2(squares))) : 1.0;
  hold_centers();
  // Terms of one product, twice (two keys are compared), and what rounding the rows to float32
  // adds.
  const Index terms = std::min(kDepth, cols_) + cols_ / kDepth + 2;
  relative_error_ = 2.0 * (static_cast<double>(terms) + 24.0) * kUnitRoundoff;
}

void CenterSearch::hold_centers() {
  held_.resize(centers_.size());
  norms_.resize(n_centers_);
  for (Index z = 0; z < n_centers_; ++z) {
    double squared_norm = 0.0;
    for (Index r = 0; r < cols_; ++r) {
      const auto value = static_cast<float>((centers_[z * cols_ + r] - shift_[r]) * scale_);
      held_[z * cols_ + r] = value;
      squared_norm += static_cast<double>(value) * static_cast<double>(value);
    }
    norms_[z] = static_cast<float>(squared_norm);
    largest_norm_ = std::max(largest_norm_, squared_norm);
  }
}

NearestCenters CenterSearch::run() const {
  NearestCenters out{.centers = std::vector<Index>(rows_.size()),
                     .squared_distances = std::vector<double>(rows_.size())};
  parallel_for_with(
      std::ssize(rows_), block_rows_,
      [&] {
        return Scratch{.values = {},
                       .block = Buffer<float>(block_rows_ * cols_),
                       .tile = Buffer<float>(block_rows_ * n_centers_),
                       .keys = std::vector<float>(n_centers_),
                       .marks = std::vector<unsigned char>(n_centers_ + kMarksBeyond),
                       .candidates = std::vector<Index>(n_centers_)};
      },
      [&](Scratch& scratch, Index begin, Index end) { search_block(scratch, begin, end, out); });
  return out;
}

void CenterSearch::load_block(Scratch& scratch, Index begin, Index end) const {
  const auto load = [&](const auto* values, Index s) {
    shift_row(values, shift_.data(), scale_, cols_, scratch.block.data() + s * cols_);
  };
  if (x_.is_sparse()) {
    scratch.values.resize(block_rows_ * cols_);
    copy_columns(x_, rows_.subspan(begin, end - begin), 0, cols_, scratch.values.data());
    for (Index s = 0; s < end - begin; ++s) load(scratch.values.data() + s * cols_, s);
    return;
  }
  x_.visit([&](const auto& view) {
    if constexpr (requires { view.row(0); })
      for (Index s = 0; s < end - begin; ++s) load(view.row(rows_[begin + s]), s);
  });
}

void CenterSearch::search_block(Scratch& scratch, Index begin, Index end,
                                NearestCenters& out) const {
  load_block(scratch, begin, end);
  for (Index from = 0; from < cols_; from += kDepth)
    multiply_transposed(scratch.block.data() + from, cols_, end - begin, held_.data() + from, cols_,
                        n_centers_, std::min(kDepth, cols_ - from), from > 0, scratch.tile.data(),
                        n_centers_);
  for (Index s = begin; s < end; ++s) {
    const std::span<const float> row(scratch.block.data() + (s - begin) * cols_,
                                     static_cast<std::size_t>(cols_));
    const float least = smallest_key(scratch.tile.data() + (s - begin) * n_centers_, norms_.data(),
                                     n_centers_, scratch.keys.data());
    settle(s, squared_norm(row), least, scratch, out);
  }
}

/// Measures the centres whose keys rounding cannot tell from the least.
void CenterSearch::settle(Index position, double row_norm, float least, Scratch& scratch,
                          NearestCenters& out) const {
  const double limit = static_cast<double>(least) + relative_error_ * (row_norm + largest_norm_) +
                       static_cast<double>(cols_) * 0x1p-140;
  const Index count =
      keys_within(scratch.keys.data(),
                  std::nextafter(static_cast<float>(limit), std::numeric_limits<float>::infinity()),
                  n_centers_, scratch.marks.data(), scratch.candidates.data());
  double nearest = std::numeric_limits<double>::infinity();
  for (Index c = 0; c < count; ++c) {
    const Index z = scratch.candidates[c];
    const double distance =
        squared_distance(x_, rows_[position], centers_.subspan(z * cols_, cols_));
    if (distance < nearest) {
      nearest = distance;
      out.centers[position] = z;
    }
  }
  out.squared_distances[position] = nearest;
}

}  // namespace

NearestCenters nearest_centers(const MatrixView& x, std::span<const Index> rows,
                               std::span<const double> centers) {
  if (rows.empty()) return {};
  return CenterSearch(x, rows, centers).run();
}

}  // namespace tamis
