#pragma once

#include <string_view>

#include "streaming/column_ranges.hpp"
#include "streaming/level_bytes.hpp"
#include "streaming/pass.hpp"

/// The passes of ridge_omp on levels.
namespace tamis {

/// Questions as they are broadcast; nobody() is the answer of no rows.
struct ScanQuestion {
  static constexpr std::string_view kKind = "scan";
  using Answer = ColumnScan;
  explicit ScanQuestion(ByteReader& reader) : cols(reader.get<Index>()) {}
  Answer nobody() const { return ColumnScan(cols); }
  Index cols;
};
struct LevelsQuestion {
  static constexpr std::string_view kKind = "levels";
  using Answer = LevelCounts;
  explicit LevelsQuestion(ByteReader& reader)
      : first_column(reader.get<Index>()), levels(read_levels(reader)) {}
  Answer nobody() const { return LevelCounts(levels, first_column); }
  Index first_column;
  std::vector<LevelTree> levels;
};
struct CodesQuestion {
  static constexpr std::string_view kKind = "products";
  using Answer = CodeSums;
  explicit CodesQuestion(ByteReader& reader)
      : first_column(reader.get<Index>()),
        levels(read_levels(reader)),
        rows(read_code_rows(reader)) {}
  Answer nobody() const { return CodeSums(levels, rows, first_column); }
  Index first_column;
  std::vector<LevelTree> levels;
  CodeRows rows;
};
struct SharesQuestion {
  static constexpr std::string_view kKind = "shares";
  using Answer = ShareSums;
  explicit SharesQuestion(ByteReader& reader)
      : levels(read_levels(reader)), targets(read_row_targets(reader)) {}
  Answer nobody() const { return ShareSums(levels, targets); }
  std::vector<LevelTree> levels;
  RowTargets targets;
};
struct JudgingQuestion {
  static constexpr std::string_view kKind = "judging";
  using Answer = CrossedSums;
  explicit JudgingQuestion(ByteReader& reader)
      : levels(read_levels(reader)), crossed(read_crossed_question(reader)) {}
  Answer nobody() const { return CrossedSums(levels, crossed); }
  std::vector<LevelTree> levels;
  CrossedQuestion crossed;
};

/// The answer of some rows to such a question.
template <class Question>
class LevelState : public PassState {
 public:
  static constexpr std::string_view kKind = Question::kKind;
  using Answer = typename Question::Answer;

  explicit LevelState(const Pass& pass)
      : question_(question_of(pass)), answer_(question_.nobody()) {}
  LevelState(const Pass& pass, std::span<const std::byte> bytes) : LevelState(pass) {
    ByteReader reader(bytes);
    bad_ = read_bad_values(reader);
    read(reader, answer_);
    reader.expect_end();
  }

  void update(const MatrixView& block, Index first_row) override {
    if constexpr (std::same_as<Answer, ColumnScan>) bad_.merge(find_bad_values(block, first_row));
    if constexpr (requires { answer_.update(block, first_row); })
      answer_.update(block, first_row);
    else
      answer_.update(block);
  }
  void merge(PassState& other) override {
    auto& same = static_cast<LevelState&>(other);
    bad_.merge(same.bad_);
    answer_.merge(same.answer_);
  }
  Bytes bytes() const override {
    return ByteWriter::written([&](ByteWriter& writer) {
      write(bad_, writer);
      write(answer_, writer);
    });
  }

  Answer& answer() { return answer_; }
  /// Of a scan, which sees every value first.
  const BadValues& bad_values() const { return bad_; }

 private:
  static Question question_of(const Pass& pass) {
    ByteReader reader(pass.broadcast);
    return Question(reader);
  }

  Question question_;
  BadValues bad_ = {};
  Answer answer_;
};

}  // namespace tamis
