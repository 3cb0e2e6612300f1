#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "io/table_stream.hpp"
#include "tamis/core/table.hpp"

namespace tamis::test {

/// All rows of a stream, so many at a time.
inline OwnedTable read_in_runs(RowSource& rows, Index at_once) {
  OwnedTable block;
  rows.read(0, std::min(at_once, rows.rows()), block);
  OwnedTable all = empty_like(view_of(block));
  for (Index first = 0; first < rows.rows(); first += at_once) {
    const Index count = std::min(at_once, rows.rows() - first);
    rows.read(first, count, block);
    append_rows(all, view_of(block), all_indices(count));
  }
  return all;
}

/// Runs of rows put together are what is read at once.
inline void expect_streamed_like_table(const std::string& path, const ReadOptions& options = {}) {
  const Table whole = read_table(path, options);
  for (const Index at_once : {Index{1}, Index{2}, whole.rows()}) {
    auto stream = open_table_stream(path, options);
    ASSERT_TRUE(stream);
    EXPECT_EQ(stream->rows->rows(), whole.rows());
    EXPECT_EQ(stream->rows->cols(), whole.cols());
    EXPECT_EQ(stream->rows->is_single(), whole.view().is_single());
    EXPECT_EQ(stream->rows->is_sparse(), whole.view().is_sparse());
    EXPECT_EQ(stream->feature_names, whole.feature_names);
    EXPECT_EQ(stream->label_texts, whole.label_texts);
    EXPECT_EQ(stream->label_name, whole.label_name);
    EXPECT_EQ(stream->sample_ids, whole.sample_ids);
    EXPECT_EQ(stream->format, whole.format);
    std::visit(
        [&](const auto& table) {
          const auto& same = std::get<std::decay_t<decltype(table)>>(whole.data);
          EXPECT_TRUE(table.values == same.values);
          if constexpr (requires { table.offsets; }) {
            EXPECT_EQ(table.offsets, same.offsets);
            EXPECT_EQ(table.columns, same.columns);
          }
        },
        read_in_runs(*stream->rows, at_once));
  }
}

}  // namespace tamis::test
