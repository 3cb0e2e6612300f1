#pragma once

#include "tamis/core/problem.hpp"
#include "tamis/core/table.hpp"

namespace tamis {

/// A problem that was made from another one, and the table that it looks into.
class OwnedProblem {
 public:
  OwnedProblem(OwnedTable table, std::vector<std::string> feature_names, Knowledge known,
               std::vector<Index> feature_groups)
      : table_(std::move(table)),
        problem_{.matrix = view_of(table_),
                 .feature_names = std::move(feature_names),
                 .known = std::move(known),
                 .feature_groups = std::move(feature_groups)} {}
  OwnedProblem(OwnedProblem&&) = default;
  OwnedProblem& operator=(OwnedProblem&&) = default;

  const Problem& problem() const { return problem_; }

 private:
  OwnedTable table_;
  Problem problem_;
};

}  // namespace tamis
