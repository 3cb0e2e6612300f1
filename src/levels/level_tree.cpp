#include "levels/level_tree.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

constexpr std::uint64_t kSlots = 8192;
/// A column of few rows needs no more per row.
constexpr std::uint64_t kSlotsPerRow = 16;
constexpr std::uint64_t kLeastSlots = 16;

/// What a slot of several values may hold without being divided. Of slots of like width some hold
/// more than others by chance: that is no reason to read the table again.
double most_in_a_slot(Index rows) {
  if (rows <= kRowsWithOwnSlots) return 1.0;
  const double mean = static_cast<double>(rows) / static_cast<double>(kRowsWithOwnSlots);
  return mean + 8.0 * std::sqrt(mean);
}

/// Slots for a part of the rows.
std::uint64_t share_of_slots(std::uint64_t count, Index rows) {
  const auto n = static_cast<std::uint64_t>(rows);
  const std::uint64_t all = std::min(kSlots, kSlotsPerRow * n);
  return (all * count + n - 1) / n;
}

/// How many cells are buckets: what is part of one begins before the last of them ends.
std::size_t ascending_cells(const std::vector<KeyCell>& cells) {
  std::size_t count = std::min<std::size_t>(1, cells.size());
  while (count < cells.size() && cells[count].low > cells[count - 1].high) ++count;
  return count;
}

Index slots_in(const KeyCell& cell) {
  return static_cast<Index>((cell.high - cell.low) >> cell.shift) + 1;
}

}  // namespace

void SlotCount::merge(const SlotCount& other) {
  count += other.count;
  least = std::min(least, other.least);
  largest = std::max(largest, other.largest);
}

std::int16_t level_of(std::int64_t begin, std::int64_t end, std::int64_t n) {
  constexpr std::int64_t kLevels = 2 * kLargestCode + 1;
  const std::int64_t twice_rank = begin + end - n;
  const std::int64_t level = (std::abs(twice_rank) * kLevels + n) / (2 * n);
  return static_cast<std::int16_t>(twice_rank < 0 ? -level : level);
}

LevelTree::LevelTree(const ColumnScan::Column& scanned, Index rows) {
  for (const auto& [bucket, count] : scanned.histogram.occupied()) {
    const std::uint64_t first = std::uint64_t{bucket} << kBucketShift;
    const std::uint64_t last = first + ((std::uint64_t{1} << kBucketShift) - 1);
    add_cell(std::max(first, scanned.least), std::min(last, scanned.largest),
             share_of_slots(count, rows));
  }
  bucket_cells_ = cells_.size();
}

LevelTree::LevelTree(std::vector<KeyCell> cells, std::vector<std::int32_t> slots)
    : cells_(std::move(cells)),
      bucket_cells_(ascending_cells(cells_)),
      slots_(std::move(slots)),
      all_slots_(cells_.empty() ? 0 : cells_.back().first_slot + slots_in(cells_.back())) {}

void LevelTree::add_cell(std::uint64_t low, std::uint64_t high, std::uint64_t slots) {
  std::int32_t shift = 0;
  while (((high - low) >> shift) >= slots) ++shift;
  cells_.push_back({.low = low,
                    .high = high,
                    .first_slot = static_cast<std::int32_t>(all_slots_),
                    .shift = shift});
  all_slots_ += slots_in(cells_.back());
}

void LevelTree::accept(std::span<const SlotCount> contents, Index rows) {
  const double most = most_in_a_slot(rows);
  const Index first = first_new_slot();
  slots_.reserve(all_slots_);  // and no more, as resize would
  slots_.resize(all_slots_, 0);
  counts_.reserve(all_slots_);
  for (Index s = 0; s < std::ssize(contents); ++s) {
    const SlotCount& content = contents[s];
    counts_.push_back(content.count);
    if (!content.is_mixed() || static_cast<double>(content.count) <= most) continue;
    slots_[first + s] = kCell + static_cast<std::int32_t>(cells_.size());
    add_cell(content.least, content.largest,
             std::max(kLeastSlots, share_of_slots(content.count, rows)));
  }
}

std::vector<CodeCount> LevelTree::assign_codes(Index rows) {
  std::vector<CodeCount> codes;
  std::int64_t begin = 0;
  const auto visit_cell = [&](const auto& visit, const KeyCell& cell) -> void {
    const Index end_slot = cell.first_slot + slots_in(cell);
    for (Index slot = cell.first_slot; slot < end_slot; ++slot) {
      if (slots_[slot] >= kCell) {
        visit(visit, cells_[slots_[slot] - kCell]);
        continue;
      }
      const auto end = begin + static_cast<std::int64_t>(counts_[slot]);
      const std::int16_t code = level_of(begin, end, rows);
      slots_[slot] = code;
      if (end > begin && (codes.empty() || codes.back().code != code)) codes.push_back({code, 0});
      if (end > begin) codes.back().count += counts_[slot];
      begin = end;
    }
  };
  for (std::size_t c = 0; c < bucket_cells_; ++c) visit_cell(visit_cell, cells_[c]);
  counts_ = {};
  cells_.shrink_to_fit();
  return codes;
}

void SlotFinder::open(const LevelTree& tree) {
  for (const std::size_t bucket : open_buckets_) cell_at_[bucket] = 0;
  open_buckets_.clear();
  cells_ = tree.cells_.data();
  slots_ = tree.slots_.data();
  known_ = std::ssize(tree.slots_);
  for (std::size_t c = 0; c < tree.bucket_cells_; ++c) {
    const std::size_t bucket = tree.cells_[c].low >> kBucketShift;
    cell_at_[bucket] = static_cast<std::uint16_t>(c + 1);
    open_buckets_.push_back(bucket);
  }
}

}  // namespace tamis
