#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "streaming/column_ranges.hpp"
#include "streaming/pass.hpp"
#include "streaming/row_places.hpp"

namespace tamis {

/// A sum of whole numbers below 2^51 that no number of rows overflows.
struct WideSum {
  std::int64_t high = 0;
  std::int64_t low = 0;

  void add(std::int64_t number);
  void merge(const WideSum& other);
  double value() const;
};

/// A row that does not go to its nearest centre but to this one, or to none: kNoCluster.
struct BoundRow {
  Index row = 0;
  Index center = 0;
};

/// Asks which centre is nearest to each row, of each of some sets of equally many centres, and for
/// the sum of the rows at each centre, in fixed point. A map has one such set, k-means one for each
/// restart.
class CenterSumsState : public PassState {
 public:
  static constexpr std::string_view kKind = "centers";
  struct Question {
    std::vector<std::span<const double>> sets;  ///< each centres x columns
    const ColumnRanges& ranges;
    std::vector<BoundRow> bound = {};  ///< by ascending rows
    bool keeps_places = false;         ///< whether to answer at which centre each row is
  };
  static Pass pass(const Question& question);
  /// Memory that the state takes with what it is made of, places excluded.
  static Index bytes(Index n_sets, Index n_centers, Index cols);

  explicit CenterSumsState(const Pass& pass);
  CenterSumsState(const Pass& pass, std::span<const std::byte> bytes);

  void update(const MatrixView& block, Index first_row) override;
  void merge(PassState& other) override;
  Bytes bytes() const override;

  Index count(Index set, Index center) const { return counts_[set * n_centers_ + center]; }
  /// Of the rows at a centre.
  double sum(Index set, Index center, Index column) const;
  /// The same, if there is at least one.
  double mean(Index set, Index center, Index column) const;
  /// Of rows and their centres, over all rows that are at one.
  double mean_distance(Index set) const;
  double sum_of_squares(Index set) const { return squares_[set].value() / square_factor_; }

  RowPlaces take_places() { return std::move(*places_); }

 private:
  struct Placed;
  Placed place(const MatrixView& block, Index first_row, std::span<const double> centers) const;
  std::span<const double> set(Index number) const;
  double deviation(Index set, Index center, Index column) const;

  Index n_sets_ = 0;
  Index n_centers_ = 0;
  std::vector<double> middles_;  // of columns, as in FixedPoint
  std::vector<double> factors_;
  double distance_factor_ = 1.0;
  double square_factor_ = 1.0;
  std::vector<BoundRow> bound_;
  std::vector<double> centers_;       // sets x centres x columns
  std::vector<std::int64_t> sums_;    // likewise
  std::vector<std::int64_t> counts_;  // sets x centres
  std::vector<WideSum> distances_;    // of each set
  std::vector<WideSum> squares_;
  std::optional<RowPlaces> places_ = std::nullopt;
};

}  // namespace tamis
