#include "levels/labeled_sums.hpp"

#include <algorithm>

#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kGrain = 64;
constexpr Index kCodes = 2 * kLargestCode + 1;

template <class List>
void add_all(List& to, const List& from) {
  for (std::size_t e = 0; e < to.size(); ++e) to[e] += from[e];
}

}  // namespace

Index LabeledRows::count() const {
  Index sum = 0;
  for (const Index size : sizes) sum += size;
  return sum;
}

LabeledSums::LabeledSums(const ColumnPart& columns, const LabeledRows& rows)
    : class_sums(rows.are_asked() ? columns.count() * std::ssize(rows.sizes) : 0, 0),
      columns_(columns),
      rows_(rows) {
  if (!rows.are_asked() || rows.are_all()) return;
  gram = SymmetricTiles<std::int64_t>(columns.end, columns.first / kTileSide);
  counts.resize(columns.count() * kCodes, 0);
}

void LabeledSums::update(const CodeBlock& block, Index first_row, CodeKernel kernel) {
  if (!rows_.are_asked()) return;
  const std::int32_t* const classes = &rows_.class_of[first_row];
  const Index n_classes = std::ssize(rows_.sizes);
  CodeBlock labeled = block;
  parallel_for(columns_.end, kGrain, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r)
      for (Index i = 0; i < block.rows; ++i) {
        std::int16_t& code = labeled.codes[r * kCodeRows + i];
        const Index asked = r - columns_.first;
        if (classes[i] < 0) {
          code = 0;
        } else if (asked >= 0) {
          class_sums[asked * n_classes + classes[i]] += code;
          if (!counts.empty()) ++counts[asked * kCodes + code + kLargestCode];
        }
      }
  });
  if (gram.side() > 0) add_code_products(std::span(&labeled, 1), kernel, gram);
}

void LabeledSums::merge(const LabeledSums& other) {
  add_all(class_sums, other.class_sums);
  add_all(gram.values(), other.gram.values());
  add_all(counts, other.counts);
}

std::vector<CodeCount> LabeledSums::counts_of(Index column) const {
  std::vector<CodeCount> occurring;
  for (Index code = 0; code < kCodes; ++code)
    if (const std::int64_t count = counts[column * kCodes + code]; count > 0)
      occurring.push_back(
          {static_cast<std::int16_t>(code - kLargestCode), static_cast<std::uint64_t>(count)});
  return occurring;
}

}  // namespace tamis
