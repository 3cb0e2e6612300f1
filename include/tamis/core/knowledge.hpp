#pragma once

#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// The label of a row whose class is not known.
inline constexpr Index kUnlabeled = -1;

/// The value of a row whose number is not known.
inline constexpr double kUnknownValue = std::numeric_limits<double>::quiet_NaN();

/// Two different rows of which something is known.
struct RowPair {
  Index first = 0;
  Index second = 0;
  double weight = 1.0;
  friend bool operator==(const RowPair&, const RowPair&) = default;
};

/// What a user knows about pairs of rows.
struct PairConstraints {
  std::vector<RowPair> must_link = {};
  std::vector<RowPair> cannot_link = {};

  bool empty() const { return must_link.empty() && cannot_link.empty(); }
};

/// What is known about the rows of a table: how they are called, the classes of some or a number
/// that features should predict, and pairs.
struct Knowledge {
  std::vector<std::string> sample_ids = {};   ///< one per row, or empty: rows have numbers
  std::vector<Index> labels = {};             ///< one per row, or empty: no row is labeled
  std::vector<std::string> class_names = {};  ///< of label 0, 1, ...; may be empty
  std::vector<double> values = {};  ///< a numeric target: one per row (NaN: unknown), or empty
  std::optional<PairConstraints> pairs = std::nullopt;  ///< in addition to those of the labels

  Index label(Index row) const { return labels.empty() ? kUnlabeled : labels[row]; }
  bool has_pairs() const { return pairs && !pairs->empty(); }
};

/// Rows that have a label, ascending.
std::vector<Index> labeled_rows(const Knowledge& known);

/// Rows whose value is known, ascending.
std::vector<Index> valued_rows(const Knowledge& known);

/// Whether features are to predict numbers: there are values, and no labels of two classes, which
/// take precedence. Values take precedence over pairs.
bool values_decide(const Knowledge& known);

/// Rows that have a label, a value or are in a pair, ascending.
std::vector<Index> known_rows(const Knowledge& known);

/// The positions of each class in a list of labels, ascending; unlabeled ones are in none.
std::map<Index, std::vector<Index>> positions_by_class(std::span<const Index> labels);

/// The labeled rows of each class, ascending; classes without a row are left out.
std::vector<std::vector<Index>> rows_by_class(const Knowledge& known);

/// How messages call a row, by its id if it has one, and a class.
std::string row_name(const Knowledge& known, Index row);
std::string class_name(const Knowledge& known, Index label);

/// What is known about the given rows, in their order: rows are renumbered, a row that comes twice
/// is two rows, a pair is there for every two copies of its ends, and pairs with other rows are
/// gone.
Knowledge known_about(const Knowledge& known, std::span<const Index> rows);

/// @throws DataError naming the first pair whose weight is not 1, for `who` knows hard pairs only
void refuse_pair_weights(std::string_view who, const Knowledge& known);

/// @throws DataError naming the first row whose id, label, value or pair does not fit a table of
/// `rows` rows, the first value that is too large to be squared, or the first pair whose weight is
/// negative or not finite
void check_knowledge(const Knowledge& known, Index rows);

}  // namespace tamis
