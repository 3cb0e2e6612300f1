#include "graphs/coinciding_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "support/sample.hpp"

namespace tamis::test {
namespace {

/// Each row of a group that no earlier one of it equals, with all that equal it.
RowGroups naive_members(const Dense& x, const RowGroups& groups) {
  RowGroups all;
  for (const std::vector<Index>& rows : groups)
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const auto equals = [&](Index row) {
        for (Index r = 0; r < x.cols; ++r)
          if (x(row, r) != x(rows[a], r)) return false;
        return true;
      };
      if (std::any_of(rows.begin(), rows.begin() + static_cast<Index>(a), equals)) continue;
      std::vector<Index> members;
      std::ranges::copy_if(rows, std::back_inserter(members), equals);
      if (members.size() > 1) all.push_back(members);
    }
  return all;
}

/// Few values, so that many rows coincide, zeros of both signs among them; more columns than are
/// looked at together, and every seventh row of them differs in the last one alone.
Dense crowded_table(Index rows, Index cols) {
  Dense x(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index r = 0; r < std::min<Index>(cols, 3); ++r)
      x(i, r) = (i / (r + 1)) % 2 == 0 ? 1.0 : (i % 3 == 0 ? -0.0 : 0.0);
    if (i % 7 == 0) x(i, cols - 1) = 1e-300;
  }
  return x;
}

TEST(CoincidingRows, AreThoseOfTheDefinition) {
  for (const Index cols : {1, 2, 3, 128, 129, 300}) {
    SCOPED_TRACE(cols);
    const Dense x = crowded_table(60, cols);
    RowGroups groups(2);
    for (Index i = 0; i < 50; ++i) groups[i % 2].push_back(i);
    for (const Storage storage : {Storage::dense_double, Storage::csr_double}) {
      SCOPED_TRACE(name_of(storage));
      const StoredSample stored({.x = x}, storage);
      CoincidingRows found = coinciding_rows(stored.problem().matrix, groups);
      RowGroups expected = naive_members(x, groups);
      std::ranges::sort(found.members);
      std::ranges::sort(expected);
      EXPECT_EQ(found.members, expected);
      for (const std::vector<Index>& members : expected) {
        EXPECT_EQ(found.copies[members[0]], static_cast<double>(members.size()));
        EXPECT_EQ(found.copies[members[1]], 0.0);
      }
    }
  }
}

}  // namespace
}  // namespace tamis::test
