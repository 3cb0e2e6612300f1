#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/core/fields.hpp"
#include "tamis/core/method.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/run.hpp"
#include "tamis/core/table.hpp"

namespace tamis {

/// What there is to say about a projection besides its options. Each options struct holds one as
/// `info`; program, bindings and documentation read it there.
struct ProjectionInfo {
  std::string_view name;  ///< = function = file
  std::string_view title;
  Supervision supervision;
  std::string_view reference;
  bool needs_must_links = false;  ///< by labels or pairs
};

/// The help of the option that all projections have.
inline constexpr std::string_view kComponentsHelp =
    "directions to project on, at most the rank of the centred table";

/// Rows seen along a few directions: new features, each a combination of all columns, where a
/// ranking keeps columns as they are.
struct Projection {
  Index rank = 0;                        ///< how many directions the rows vary in
  std::vector<double> eigenvalues = {};  ///< of the components, largest first
  std::vector<double> mean = {};         ///< of the columns
  DenseTable<double> components = {};    ///< a row per direction, a column per column of the table
  DenseTable<double> projected = {};     ///< (x - mean) components', a row per row of the table
  std::vector<std::string> warnings = {};

  static constexpr auto fields() {
    using Self = Projection;
    return field_list(named("rank", &Self::rank), named("eigenvalues", &Self::eigenvalues),
                      named("mean", &Self::mean), named("components", &Self::components),
                      named("projected", &Self::projected), named("warnings", &Self::warnings));
  }
};

/// How anything that projects, on at most so many directions, is passed to code that knows no
/// projection by name.
using Projector = std::function<Projection(const Problem&, Index n_components, const Run&)>;

/// (x - mean) components' of rows that need not be those of the fit. Sparse tables stay sparse.
/// @throws DataError if the table has not as many columns as the components
DenseTable<double> projected_rows(const MatrixView& x, const std::vector<double>& mean,
                                  const DenseTable<double>& components);

}  // namespace tamis
