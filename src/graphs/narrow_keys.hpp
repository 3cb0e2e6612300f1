#pragma once

#include <memory>
#include <span>

#include "graphs/held_rows.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// The keys of some rows of a table of few columns, a panel of rows with all rows at a time;
/// `position` s means row among[s].
class NarrowKeys : public HeldRows {
 public:
  virtual ~NarrowKeys() = default;

  /// Writes the keys of `height` positions from `first` on, a multiple of panel_rows, with all
  /// positions to keys (height x padded_rows, with room for panel_rows), and to group_minima
  /// (height x kColumnGroups) the smallest of each of so many groups of them.
  virtual void fill(Index first, Index height, float* keys, float* group_minima) const = 0;

  /// Whether the first panel has all rows, at most SmallestKeys::kMostRows, and keys are symmetric.
  bool are_all_at_once() const { return panel_rows == padded_rows; }

  Index panel_rows = 0;
  Index padded_rows = 0;
};

/// By float32 products.
template <class T>
std::unique_ptr<NarrowKeys> float_narrow_keys(const DenseView<T>& x, std::span<const Index> among);

/// By products of integers, which cost less and whose bounds are wider, or null if they save
/// nothing on this table and CPU.
template <class T>
std::unique_ptr<NarrowKeys> integer_narrow_keys(const DenseView<T>& x,
                                                std::span<const Index> among);

}  // namespace tamis
