#include "clustering/nearest_center.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/lanes.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kBlockRows = 256;
/// A product over a longer depth is summed in pieces, which bounds its rounding.
constexpr Index kDepth = 512;
constexpr double kUnitRoundoff = 0x1p-24;

/// Rows whose products with all centres are there at once: of many centres fewer, as every thread
/// has room for them, in whole registers.
Index rows_of_product(Index n_centers) {
  constexpr Index kMostProducts = Index{1} << 18;
  constexpr Index kFewestRows = 128;  // products of fewer cost more
  const Index rows = kMostProducts / n_centers / kFewestRows * kFewestRows;
  return std::clamp(rows, kFewestRows, kBlockRows);
}

using OfRows = std::array<float, kBlockRows>;

/// What the keys |c|^2 - 2 <x, c> of a block of rows are made of. Those with one centre lie side by
/// side: a register holds as many rows.
struct BlockKeys {
  const float* products;  ///< centres x stride
  const float* norms;     ///< squared, of the centres
  Index centers;
  Index rows;
  Index stride;  ///< whole registers

  float key(Index z, Index row) const { return norms[z] - 2.0F * products[z * stride + row]; }

  template <class Rows>
  TAMIS_INLINE Rows keys(Index z, Index first) const {
    return norms[z] - 2.0F * Rows::load(products + z * stride + first);
  }
};

/// Rows whose keys are looked at together.
template <class Cpu>
inline constexpr Index kRowsAtOnce = 4 * kRegisterLanes<float, Cpu>;
template <class Cpu>
using RowsAtOnce = Lanes<float, kRowsAtOnce<Cpu>, Cpu>;

/// Writes the smallest key of each row.
void find_least(const BlockKeys& keys, float* least) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Rows = RowsAtOnce<decltype(cpu)>;
    for (Index first = 0; first < keys.rows; first += kRowsAtOnce<decltype(cpu)>) {
      Rows smallest = keys.keys<Rows>(0, first);
      for (Index z = 1; z < keys.centers; ++z)
        smallest = smaller(keys.keys<Rows>(z, first), smallest);
      smallest.store(least + first);
    }
  });
}

/// Writes how many keys of each row are below its limit, and the sum of their places: if it is one,
/// its place.
void count_below(const BlockKeys& keys, const float* limits, float* counts, float* places) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Rows = RowsAtOnce<decltype(cpu)>;
    for (Index first = 0; first < keys.rows; first += kRowsAtOnce<decltype(cpu)>) {
      const auto limit = Rows::load(limits + first);
      Rows count{};
      Rows sum{};
      for (Index z = 0; z < keys.centers; ++z) {
        const Rows is_below = ones_where_less(keys.keys<Rows>(z, first), limit);
        count += is_below;
        sum += static_cast<float>(z) * is_below;
      }
      count.store(counts + first);
      sum.store(places + first);
    }
  });
}

/// Writes (values - shift) * scale and returns their squared norm.
template <class T>
double hold(const T* values, const double* shift, double scale, Index n, float* out) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index r = 0; r < n; ++r)
      out[r] = static_cast<float>((static_cast<double>(values[r]) - shift[r]) * scale);
  });
  return squared_norm(std::span<const float>(out, static_cast<std::size_t>(n)));
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

std::vector<double> mean_of(std::span<const double> centers, Index cols) {
  std::vector<double> mean(cols, 0.0);
  for (Index z = 0; z < std::ssize(centers) / cols; ++z)
    for (Index r = 0; r < cols; ++r) mean[r] += centers[z * cols + r];
  for (double& value : mean)
    value *= static_cast<double>(cols) / static_cast<double>(centers.size());
  return mean;
}

}  // namespace

/// The centres, and the same in float32, shifted and scaled like the rows.
struct CenterSearch::Centers {
  std::span<const double> given;
  Index count;
  Buffer<float> values;
  std::vector<float> norms = {};  // squared
  double largest_norm = 0.0;      // squared
};

CenterSearch::CenterSearch(const MatrixView& x, std::span<const Index> rows,
                           std::span<const double> origin)
    : x_(x), rows_(rows), cols_(x.cols()), origin_(origin.begin(), origin.end()) {
  const double squares = largest_distance(x, rows, origin);
  scale_ = squares > 0.0 ? std::exp2(-std::ceil(0.5 * std::log2(squares))) : 1.0;
  // Terms of one product, twice (two keys are compared), and what rounding the rows to float32
  // adds.
  const Index terms = std::min(kDepth, cols_) + cols_ / kDepth + 2;
  relative_error_ = 2.0 * (static_cast<double>(terms) + 24.0) * kUnitRoundoff;
  if (std::ssize(rows) <= kBlockRows) load(0, std::ssize(rows), only_block_.emplace());
}

void CenterSearch::load(Index begin, Index end, RowBlock& block) const {
  block.values.resize((end - begin) * cols_);
  block.norms.resize(end - begin);
  const auto put = [&](const auto* values, Index s) {
    block.norms[s] = hold(values, origin_.data(), scale_, cols_, block.values.data() + s * cols_);
  };
  if (x_.is_sparse()) {
    block.doubles.resize((end - begin) * cols_);
    copy_columns(x_, rows_.subspan(begin, end - begin), 0, cols_, block.doubles.data());
    for (Index s = 0; s < end - begin; ++s) put(block.doubles.data() + s * cols_, s);
    return;
  }
  x_.visit([&](const auto& view) {
    if constexpr (requires { view.row(0); })
      for (Index s = 0; s < end - begin; ++s) put(view.row(rows_[begin + s]), s);
  });
}

CenterSearch::Centers CenterSearch::prepared(std::span<const double> centers) const {
  Centers out{.given = centers,
              .count = std::ssize(centers) / cols_,
              .values = Buffer<float>(centers.size())};
  for (Index z = 0; z < out.count; ++z) {
    const double norm =
        hold(&centers[z * cols_], origin_.data(), scale_, cols_, out.values.data() + z * cols_);
    out.norms.push_back(static_cast<float>(norm));
    out.largest_norm = std::max(out.largest_norm, norm);
  }
  return out;
}

NearestCenters CenterSearch::nearest(std::span<const double> centers) const {
  struct Scratch {
    RowBlock block;
    Buffer<float> products;
  };
  NearestCenters out{.centers = std::vector<Index>(rows_.size()),
                     .squared_distances = std::vector<double>(rows_.size())};
  const Centers all = prepared(centers);
  const Index at_once = only_block_ ? kBlockRows : rows_of_product(all.count);
  parallel_for_with(
      std::ssize(rows_), at_once,
      [&] { return Scratch{.block = {}, .products = Buffer<float>(all.count * at_once, 0.0F)}; },
      [&](Scratch& scratch, Index begin, Index end) {
        if (!only_block_) load(begin, end, scratch.block);
        search(only_block_ ? *only_block_ : scratch.block, all, begin, scratch.products, out);
      });
  return out;
}

/// Measures the centres whose keys rounding cannot tell from the least: of most rows one. Where
/// float32 holds no key, as centres are too far away, it measures all.
void CenterSearch::search(const RowBlock& block, const Centers& centers, Index begin,
                          Buffer<float>& products, NearestCenters& out) const {
  const Index n_rows = std::ssize(block.norms);
  const Index stride = std::ssize(products) / centers.count;
  for (Index from = 0; from < cols_; from += kDepth)
    multiply_transposed(centers.values.data() + from, cols_, centers.count,
                        block.values.data() + from, cols_, n_rows, std::min(kDepth, cols_ - from),
                        from > 0, products.data(), stride);
  const BlockKeys keys{products.data(), centers.norms.data(), centers.count, n_rows, stride};
  OfRows limits;
  find_least(keys, limits.data());
  for (Index s = 0; s < n_rows; ++s) {
    const double limit = static_cast<double>(limits[s]) +
                         relative_error_ * (block.norms[s] + centers.largest_norm) +
                         static_cast<double>(cols_) * 0x1p-140;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    limits[s] = std::nextafter(std::nextafter(static_cast<float>(limit), kInfinity), kInfinity);
  }
  OfRows counts;
  OfRows places;
  count_below(keys, limits.data(), counts.data(), places.data());
  for (Index s = 0; s < n_rows; ++s) {
    Index& nearest = out.centers[begin + s];
    double& least = out.squared_distances[begin + s];
    least = std::numeric_limits<double>::infinity();
    const auto measure = [&](Index z) {
      const double distance =
          squared_distance(x_, rows_[begin + s], centers.given.subspan(z * cols_, cols_));
      if (distance >= least) return;
      least = distance;
      nearest = z;
    };
    if (counts[s] == 1.0F)
      measure(static_cast<Index>(places[s]));
    else
      for (Index z = 0; z < centers.count; ++z)
        if (counts[s] == 0.0F || keys.key(z, s) < limits[s]) measure(z);
  }
}

NearestCenters nearest_centers(const MatrixView& x, std::span<const Index> rows,
                               std::span<const double> centers) {
  if (rows.empty()) return {};
  return CenterSearch(x, rows, mean_of(centers, x.cols())).nearest(centers);
}

}  // namespace tamis
