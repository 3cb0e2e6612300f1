#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graphs/held_rows.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Inner products of held rows, tile by tile; `position` s means row among[s].
class GramSource : public HeldRows {
 public:
  /// Which products: of each row with all positions, or only with those after its own, so that each
  /// pair comes once.
  enum class Needed { all, later };

  /// The buffers of one thread.
  class Worker {
   public:
    virtual ~Worker() = default;
    /// Rows whose products come next.
    virtual void set_panel(std::span<const Index> positions) = 0;
    /// Products of the first `height` rows of the panel with positions begin .. end - 1, row-major;
    /// valid until the next call. begin is a multiple of chunk_rows, end - begin at most that. What
    /// is not needed may be anything.
    virtual const float* tile(Index height, Index begin, Index end, Needed needed) = 0;
  };

  virtual ~GramSource() = default;
  virtual std::unique_ptr<Worker> worker() const = 0;

  Index size() const { return static_cast<Index>(squared_norms.size()); }

  Index panel_rows = 0;
  Index chunk_rows = 0;
};

std::unique_ptr<GramSource> gram_source(const MatrixView& x, std::span<const Index> among);

/// One whose products cost less and whose bounds may be wider, or null if there is none for this
/// table and CPU.
std::unique_ptr<GramSource> cheap_gram_source(const MatrixView& x, std::span<const Index> among);

/// Whether every value among the rows is an integer that float32 holds exactly.
bool holds_small_integers(const MatrixView& x, std::span<const Index> among);

/// What one thread may take for copies of rows: a share of the table, which has so many bytes, and
/// kLeastWorkBytes however small it is.
double work_bytes(double table);
inline constexpr Index kLeastWorkBytes = Index{8} << 20;

/// The power of two that brings a sum of squares near 1.
double unit_scale(double sum_of_squares);

}  // namespace tamis
