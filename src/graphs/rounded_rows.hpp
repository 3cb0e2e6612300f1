#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphs/centred_rows.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {

/// Centred rows of a table as integers of 16 bits, each row times a number of its own, its unit.
/// Units are such that no inner product over kPieceCols columns from a multiple of them leaves 32
/// bits, so that these are exact.
template <class T>
class RoundedRows {
 public:
  static constexpr Index kPieceCols = 256;

  RoundedRows(const DenseView<T>& x, std::span<const Index> among);

  /// False if values overflow or underflow too much to be held; then all else means nothing.
  bool are_held() const { return are_held_; }
  Index size() const { return rows_.size(); }
  Index cols() const { return rows_.cols(); }
  /// Small integers, which are held as they are, and whose keys are exact.
  bool are_exact() const { return are_exact_; }

  /// A power of two: an integer times its unit is a centred value times this.
  double scale() const { return scale_; }
  const std::vector<float>& units() const { return units_; }
  /// Of the rows as held.
  const std::vector<double>& squared_norms() const { return squared_norms_; }
  /// What is held differs from the table by at most this times the norm of the row as held.
  double relative_error() const { return relative_error_; }

  /// Of a tile of rows, as multiply_integer_tiles() takes it.
  Index tile_size() const;
  /// Writes rows as tiles, with zeros in place of rows that the last one lacks.
  void pack(std::span<const Index> positions, Buffer<std::int16_t>& scratch,
            std::int32_t* tiles) const;

 private:
  struct Held {
    float unit = 0.0F;
    T factor = T{0};
    double squared_norm = 0.0;
    double error = 0.0;
    bool is_held = true;
  };
  bool are_small_integers() const;
  void hold_all();
  Held hold(Index position) const;

  CentredRows<T> rows_;
  double scale_;
  bool are_held_ = true;
  bool are_exact_ = false;
  std::vector<T> factors_;  // an integer is a centred value times this, rounded
  std::vector<float> units_;
  std::vector<double> squared_norms_;
  double relative_error_ = 0.0;
};

}  // namespace tamis
