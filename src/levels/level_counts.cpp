#include "levels/level_counts.hpp"

#include "levels/column_chunks.hpp"

namespace tamis {

LevelCounts::LevelCounts(std::span<const LevelTree> trees, Index first_column)
    : trees_(trees), first_column_(first_column), columns_(trees.size()) {
  for (std::size_t r = 0; r < trees.size(); ++r) columns_[r].resize(trees[r].new_slots());
}

void LevelCounts::update(const MatrixView& block) {
  for_each_column_chunk(
      block, {first_column_, first_column_ + cols()}, [] { return SlotFinder(); },
      [&](SlotFinder& finder, Index r, const ColumnValues& chunk) {
        if (columns_[r].empty()) return;
        finder.open(trees_[r]);
        const Index first = trees_[r].first_new_slot();
        const auto add = [&](double value, Index times) {
          const std::uint64_t key = value_key(value);
          const Index slot = finder.slot_of(key);
          if (slot >= first) columns_[r][slot - first].add(key, times);
        };
        for (const double value : chunk.values) add(value, 1);
        if (chunk.zeros() > 0) add(0.0, chunk.zeros());
      });
}

void LevelCounts::merge(const LevelCounts& other) {
  for (std::size_t r = 0; r < columns_.size(); ++r)
    for (std::size_t s = 0; s < columns_[r].size(); ++s) columns_[r][s].merge(other.columns_[r][s]);
}

}  // namespace tamis
