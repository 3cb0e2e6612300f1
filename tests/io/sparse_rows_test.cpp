#include "io/sparse_rows.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tamis {
namespace {

struct Entry {
  Index row, column;
  double value;
};

template <std::size_t N>
auto putting(const std::array<Entry, N>& entries) {
  return [entries](const auto& put) {
    for (const Entry& e : entries) put(e.row, e.column, e.value);
  };
}

TEST(GatherEntries, SortsAndAddsUpWhatComesInAnyOrder) {
  const CsrTable<double> table = gather_entries<double>(
      3, 4, putting(std::array<Entry, 5>{{{2, 3, 1}, {0, 1, 2}, {2, 0, 3}, {0, 1, 4}, {2, 2, 0}}}));
  EXPECT_EQ(table.offsets, (std::vector<Index>{0, 1, 1, 3}));
  EXPECT_EQ(table.columns, (std::vector<ColumnIndex>{1, 0, 3}));
  EXPECT_EQ(table.values, (std::vector<double>{6, 3, 1}));
}

TEST(GatherEntries, NoticesThatAFileChangedBetweenTwoReadings) {
  const auto before = putting(std::array<Entry, 2>{{{0, 0, 1}, {1, 0, 1}}});
  const auto moved = putting(std::array<Entry, 2>{{{0, 0, 1}, {0, 1, 1}}});
  const auto fewer = putting(std::array<Entry, 1>{{{0, 0, 1}}});
  EXPECT_THROW(gather_entries<double>(2, 2, before, moved), OtherEntries);
  EXPECT_THROW(gather_entries<double>(2, 2, before, fewer), OtherEntries);
}

}  // namespace
}  // namespace tamis
