#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "prepare/owned_problem.hpp"
#include "tamis/core/progress.hpp"

/// Values that are missing (NaN), and what is done about them.
namespace tamis {

enum class Missing { refuse, median, mean, nearest, rows, columns };
constexpr auto option_words(Missing) {
  return std::array{std::pair{std::string_view("refuse"), Missing::refuse},
                    std::pair{std::string_view("median"), Missing::median},
                    std::pair{std::string_view("mean"), Missing::mean},
                    std::pair{std::string_view("nearest"), Missing::nearest},
                    std::pair{std::string_view("rows"), Missing::rows},
                    std::pair{std::string_view("columns"), Missing::columns}};
}

/// Whether something is put in the place of what is missing.
constexpr bool fills_in(Missing kind) {
  return kind == Missing::median || kind == Missing::mean || kind == Missing::nearest;
}

/// Where a table has missing values.
struct MissingValues {
  Index cells = 0;
  std::vector<Index> rows = {};           ///< that have some, ascending
  std::vector<Index> columns = {};        ///< likewise
  std::vector<Index> empty_columns = {};  ///< that have no value in any row
};
MissingValues find_missing(const MatrixView& x);

/// Fills what is missing in place, by what the given rows say and no others. median, mean: of the
/// column, zeros of a sparse one included. nearest: mean of the column over the 5 nearest of the
/// given rows that have a value there; the distance of two rows is the mean of squared differences
/// over the columns that both have, each divided by its standard deviation; ties by row. A column
/// in which none of the given rows has a value becomes 0. A table without missing values is left as
/// it is.
/// @throws InvalidArgument for a kind that fills nothing, or if there are no rows
void fill_missing(OwnedTable& table, std::span<const Index> rows, Missing kind,
                  const Progress& progress = {});

/// The whole problem with what is missing filled in, in the same storage.
OwnedProblem imputed(const Problem& whole, std::span<const Index> rows, Missing kind,
                     const Progress& progress = {});

/// The rows and the columns of a table that are left if those with missing values are left out.
struct CompletePart {
  std::vector<Index> rows = {};
  std::vector<Index> columns = {};
};
/// @param kind rows or columns; any other leaves all of them
/// @throws DataError if nothing is left
CompletePart complete_part(const MissingValues& missing, Missing kind, const MatrixView& x);

/// "12 missing values in 5 rows and 3 columns are filled in with the median of the column", "5 rows
/// with 12 missing values left out": what `kind` does about them; names columns that become 0.
std::string described(const MissingValues& missing, Missing kind,
                      const std::vector<std::string>& feature_names);

}  // namespace tamis
