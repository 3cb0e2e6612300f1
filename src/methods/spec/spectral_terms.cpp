#include "methods/spec/spectral_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/adjacency.hpp"
#include "core/lanes.hpp"
#include "core/padded_columns.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns at once: their sums stay in registers.
constexpr Index kWidth = 16;
using Sums = std::array<double, kWidth>;

/// Calls visit(weight, in_i - in_j) for each edge at row i.
template <class Row, class Visit>
TAMIS_INLINE void for_each_edge(const Adjacency& edges, Index i, const double* in,
                                const Visit& visit) {
  const auto own = Row::load(in + i * kWidth);
  for (Index s = edges.offsets[i]; s < edges.offsets[i + 1]; ++s)
    visit(edges.weights[s], own - Row::load(in + edges.partners[s] * kWidth));
}

/// out_i = sum_j w_ij (in_i - in_j) / D_i, 0 for rows without edges: D^-1 (D - S) in.
void take_differences(const Adjacency& edges, const double* degrees, Index rows, const double* in,
                      double* out) {
  for_this_cpu([=, &edges](auto cpu) TAMIS_KERNEL {
    using Row = Lanes<double, kWidth, decltype(cpu)>;
    for (Index i = 0; i < rows; ++i) {
      Row sums{};
      for_each_edge<Row>(edges, i, in, [&](double weight, const Row& difference) TAMIS_KERNEL {
        sums += weight * difference;
      });
      if (degrees[i] > 0.0) sums = sums / degrees[i];
      sums.store(out + i * kWidth);
    }
  });
}

/// sum over edges of w_ij (in_i - in_j)^2, each edge met from both ends.
void sum_differences(const Adjacency& edges, Index rows, const double* in, double* out) {
  for_this_cpu([=, &edges](auto cpu) TAMIS_KERNEL {
    using Row = Lanes<double, kWidth, decltype(cpu)>;
    Row sums{};
    for (Index i = 0; i < rows; ++i)
      for_each_edge<Row>(edges, i, in, [&](double weight, const Row& difference) TAMIS_KERNEL {
        sums += weight * (difference * difference);
      });
    (sums * 0.5).store(out);
  });
}

/// sum_i D_i in_i^2
void sum_squares(const double* degrees, Index rows, const double* in, double* out) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Row = Lanes<double, kWidth, decltype(cpu)>;
    Row sums{};
    for (Index i = 0; i < rows; ++i) {
      const auto own = Row::load(in + i * kWidth);
      sums += degrees[i] * (own * own);
    }
    sums.store(out);
  });
}

/// Some columns of a table and what the graph makes of them.
class Panel {
 public:
  Panel(const Adjacency& edges, const std::vector<double>& degrees, Index power)
      : edges_(edges),
        degrees_(degrees),
        power_(power),
        values_(degrees.size() * kWidth),
        other_(values_.size()) {}

  void load(const MatrixView& x, std::span<const Index> rows, Index begin, Index width) {
    copy_padded_columns(x, rows, begin, width, kWidth, values_.data());
    scale();
  }

  Sums squares() const {
    Sums sums;
    sum_squares(degrees_.data(), rows(), values_.data(), sums.data());
    return sums;
  }

  /// Takes the D-weighted mean off; an offset first, so that it costs no digits.
  void center() {
    const auto joined = std::ranges::find_if(degrees_, [](double d) { return d > 0.0; });
    if (joined == degrees_.end()) return;
    Sums offset;
    std::copy_n(row(joined - degrees_.begin()), kWidth, offset.begin());
    subtract(offset);
    Sums mean{};
    double total = 0.0;
    for (Index i = 0; i < rows(); ++i) {
      total += degrees_[i];
      for (Index c = 0; c < kWidth; ++c) mean[c] += degrees_[i] * row(i)[c];
    }
    for (double& value : mean) value /= total;
    subtract(mean);
  }

  /// (2^p - lambda^p)(xi'D^1/2 values)^2, summed over the eigenpairs.
  Sums smooth(const SmoothEigenpairs& pairs) const {
    Sums sums{};
    const Index count = std::ssize(pairs.values);
    for (Index j = 0; j < count; ++j) {
      Sums shares{};
      for (Index i = 0; i < rows(); ++i) {
        const double factor = pairs.vectors[i * count + j] * std::sqrt(degrees_[i]);
        for (Index c = 0; c < kWidth; ++c) shares[c] += factor * row(i)[c];
      }
      const auto power = static_cast<double>(power_);
      const double weight = std::pow(2.0, power) - std::pow(pairs.values[j], power);
      for (Index c = 0; c < kWidth; ++c) sums[c] += weight * (shares[c] * shares[c]);
    }
    return sums;
  }

  /// values'(D - S)(D^-1 (D - S))^(p - 1) values; spoils them.
  Sums rough() {
    for (Index step = 0; step < power_ / 2; ++step) {
      take_differences(edges_, degrees_.data(), rows(), values_.data(), other_.data());
      std::swap(values_, other_);
    }
    if (power_ % 2 == 0) return squares();
    Sums sums;
    sum_differences(edges_, rows(), values_.data(), sums.data());
    return sums;
  }

 private:
  Index rows() const { return std::ssize(degrees_); }
  double* row(Index i) { return values_.data() + i * kWidth; }
  const double* row(Index i) const { return values_.data() + i * kWidth; }

  /// Scores are ratios: a column may be multiplied by what brings it near 1, a power of two.
  void scale() {
    Sums largest{};
    for (Index i = 0; i < rows(); ++i)
      for (Index c = 0; c < kWidth; ++c) largest[c] = std::max(largest[c], std::abs(row(i)[c]));
    Sums factor;
    for (Index c = 0; c < kWidth; ++c)
      factor[c] =
          largest[c] > 0.0 ? std::ldexp(1.0, -std::max(std::ilogb(largest[c]), -1000)) : 1.0;
    for (Index i = 0; i < rows(); ++i)
      for (Index c = 0; c < kWidth; ++c) row(i)[c] *= factor[c];
  }

  void subtract(const Sums& offset) {
    for (Index i = 0; i < rows(); ++i)
      for (Index c = 0; c < kWidth; ++c) row(i)[c] -= offset[c];
  }

  const Adjacency& edges_;
  const std::vector<double>& degrees_;
  Index power_;
  std::vector<double> values_;  // rows x kWidth
  std::vector<double> other_;
};

}  // namespace

SpectralTerms spectral_terms(const MatrixView& x, const Graph& graph, Index power,
                             const SmoothEigenpairs& pairs) {
  const std::vector<double> degree = degrees(graph);
  const Adjacency edges(graph.n_rows, graph.edges);
  const std::vector<Index> rows = all_indices(graph.n_rows);
  SpectralTerms terms;
  for (auto* sums : {&terms.squares, &terms.centered, &terms.rough, &terms.smooth})
    sums->resize(x.cols());
  parallel_for_with(
      x.cols(), kWidth, [&] { return Panel(edges, degree, power); },
      [&](Panel& panel, Index begin, Index end) {
        const auto put = [&](const Sums& sums, std::vector<double>& out) {
          std::copy_n(sums.begin(), end - begin, out.begin() + begin);
        };
        panel.load(x, rows, begin, end - begin);
        put(panel.squares(), terms.squares);
        panel.center();
        put(panel.squares(), terms.centered);
        put(panel.smooth(pairs), terms.smooth);
        put(panel.rough(), terms.rough);
      });
  return terms;
}

}  // namespace tamis
