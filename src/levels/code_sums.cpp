#include "levels/code_sums.hpp"

#include <algorithm>

namespace tamis {

CodeSums::CodeSums(std::span<const LevelTree> levels, const CodeRows& rows, Index first_column,
                   CodeKernel kernel)
    : levels_(levels),
      rows_(rows),
      columns_{first_column, std::ssize(levels)},
      kernel_(kernel),
      gram_(columns_.end, first_column / kTileSide),
      codes_(std::ssize(rows.kept) * columns_.count(), 0),
      labeled_(columns_, rows.labeled) {}

void CodeSums::update(const MatrixView& block, Index first_row) {
  for_each_code_run(levels_, block, [&](std::span<const CodeBlock> run, Index from) {
    add_code_products(run, kernel_, gram_);
    Index begin = first_row + from;
    for (const CodeBlock& codes : run) {
      labeled_.update(codes, begin, kernel_);
      keep_rows(codes, begin);
      begin += codes.rows;
    }
  });
}

void CodeSums::keep_rows(const CodeBlock& codes, Index begin) {
  const auto first = std::ranges::lower_bound(rows_.kept, begin);
  for (auto row = first; row != rows_.kept.end() && *row < begin + codes.rows; ++row) {
    std::int16_t* const out = &codes_[(row - rows_.kept.begin()) * columns_.count()];
    for (Index r = 0; r < columns_.count(); ++r)
      out[r] = codes.column(columns_.first + r)[*row - begin];
  }
}

void CodeSums::merge(const CodeSums& other) {
  for (std::size_t e = 0; e < gram_.values().size(); ++e)
    gram_.values()[e] += other.gram_.values()[e];
  for (std::size_t e = 0; e < codes_.size(); ++e)
    codes_[e] = static_cast<std::int16_t>(codes_[e] + other.codes_[e]);
  labeled_.merge(other.labeled_);
}

}  // namespace tamis
