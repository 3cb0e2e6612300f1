#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// Inner products of rows in float32, tile by tile, and how wrong they can be. The rows are those
/// of a table after a common shift and a scaling by a power of two; `position` s means row
/// among[s].
///
/// With r = the norm of a row as held here, the key |a|^2 + |b|^2 - 2 <a, b> of two rows differs
/// from the squared distance of what is held by at most relative_error * (r_a^2 + r_b^2) +
/// absolute_error, and what is held differs from the table by at most kUnitRoundoff * r per row.
class GramSource {
 public:
  static constexpr double kUnitRoundoff = 0x1p-24;

  /// The buffers of one thread.
  class Worker {
   public:
    virtual ~Worker() = default;
    /// Rows whose products come next.
    virtual void set_panel(std::span<const Index> positions) = 0;
    /// Products of the first `height` rows of the panel with positions begin .. end - 1, row-major;
    /// valid until the next call. begin is a multiple of chunk_rows, end - begin at most that.
    virtual const float* tile(Index height, Index begin, Index end) = 0;
  };

  virtual ~GramSource() = default;
  virtual std::unique_ptr<Worker> worker() const = 0;

  Index size() const { return static_cast<Index>(squared_norms.size()); }

  Index panel_rows = 0;
  Index chunk_rows = 0;
  std::vector<double> squared_norms = {};
  double scale = 1.0;
  double relative_error = 0.0;
  double absolute_error = 0.0;
  bool error_free = false;  ///< keys are exact: small integers
};

std::unique_ptr<GramSource> gram_source(const MatrixView& x, std::span<const Index> among);

/// Whether every value among the rows is an integer that float32 holds exactly.
bool holds_small_integers(const MatrixView& x, std::span<const Index> among);

/// Fills relative_error, absolute_error and error_free for products that are sums of at most
/// `terms` rounded additions over `depth` columns, once squared_norms and scale are known.
void set_error_bounds(GramSource& source, Index terms, Index depth, bool integers);

/// The power of two that brings a sum of squares near 1.
double unit_scale(double sum_of_squares);

}  // namespace tamis
