#pragma once

#include "levels/code_sums.hpp"
#include "levels/column_scan.hpp"
#include "levels/crossed_sums.hpp"
#include "levels/level_counts.hpp"
#include "levels/share_sums.hpp"
#include "streaming/bytes.hpp"

/// Questions and answers of ridge_omp on levels as bytes.
namespace tamis {

void write(std::span<const LevelTree> levels, ByteWriter& writer);
std::vector<LevelTree> read_levels(ByteReader& reader);

void write(const CodeRows& rows, ByteWriter& writer);
CodeRows read_code_rows(ByteReader& reader);

void write(const RowTargets& targets, ByteWriter& writer);
RowTargets read_row_targets(ByteReader& reader);

void write(const CrossedQuestion& question, ByteWriter& writer);
CrossedQuestion read_crossed_question(ByteReader& reader);

/// Answers: what is read comes into the answer of no rows to the same question.
/// @throws DataError if it does not fit
void write(const ColumnScan& scan, ByteWriter& writer);
void read(ByteReader& reader, ColumnScan& scan);
void write(const LevelCounts& counts, ByteWriter& writer);
void read(ByteReader& reader, LevelCounts& counts);
void write(const CodeSums& sums, ByteWriter& writer);
void read(ByteReader& reader, CodeSums& sums);
void write(const ShareSums& sums, ByteWriter& writer);
void read(ByteReader& reader, ShareSums& sums);
void write(const CrossedSums& sums, ByteWriter& writer);
void read(ByteReader& reader, CrossedSums& sums);

}  // namespace tamis
