#include "streaming/chosen_rows.hpp"

#include <algorithm>

#include "streaming/run_places.hpp"

namespace tamis {
namespace {

template <class T>
void put(ByteWriter& writer, const DenseTable<T>& table) {
  writer.put(table.rows);
  writer.put(table.cols);
  writer.put_all(table.values);
}

template <class T>
void put(ByteWriter& writer, const CsrTable<T>& table) {
  writer.put(table.cols);
  writer.put_all(table.offsets);
  writer.put_all(table.columns);
  writer.put_all(table.values);
}

template <class T>
void get(ByteReader& reader, DenseTable<T>& table) {
  table.rows = reader.get<Index>();
  table.cols = reader.get<Index>();
  table.values = reader.get_all<Buffer<T>>();
}

template <class T>
void get(ByteReader& reader, CsrTable<T>& table) {
  table.cols = reader.get<Index>();
  table.offsets = reader.get_all<std::vector<Index>>();
  table.columns = reader.get_all<std::vector<ColumnIndex>>();
  table.values = reader.get_all<std::vector<T>>();
}

/// The table of the kind with that number.
OwnedTable table_of_kind(Index kind) {
  switch (kind) {
    case 0:
      return DenseTable<double>{};
    case 1:
      return DenseTable<float>{};
    case 2:
      return CsrTable<double>{};
    default:
      return CsrTable<float>{};
  }
}

}  // namespace

Pass ChosenRowsState::pass(std::span<const Index> rows, Index cols) {
  ByteWriter writer;
  writer.put_all(rows);
  writer.put(cols);
  return {std::string(kKind), writer.take()};
}

ChosenRowsState::ChosenRowsState(const Pass& pass) : ranges_(0) {
  ByteReader reader(pass.broadcast);
  wanted_ = reader.get_all<std::vector<Index>>();
  ranges_ = ColumnRanges(reader.get<Index>());
}

ChosenRowsState::ChosenRowsState(const Pass& pass, std::span<const std::byte> bytes)
    : ChosenRowsState(pass) {
  ByteReader reader(bytes);
  ranges_ = ColumnRanges(reader);
  found_ = reader.get_all<std::vector<Index>>();
  if (!found_.empty()) {
    kept_ = table_of_kind(reader.get<Index>());
    std::visit([&](auto& table) { get(reader, table); }, *kept_);
  }
  reader.expect_end();
}

void ChosenRowsState::update(const MatrixView& block, Index first_row) {
  ranges_.update(block, first_row);
  const std::vector<Index> places = places_in_run(wanted_, first_row, block.rows());
  if (places.empty()) return;
  if (!kept_) kept_ = empty_like(block);
  append_rows(*kept_, block, places);
  for (const Index place : places) found_.push_back(first_row + place);
  sort();
}

void ChosenRowsState::merge(PassState& other) {
  auto& others = static_cast<ChosenRowsState&>(other);
  ranges_.merge(others.ranges_);
  if (!others.kept_) return;
  if (!kept_) {
    kept_ = std::move(others.kept_);
    found_ = std::move(others.found_);
    return;
  }
  append_rows(*kept_, view_of(*others.kept_), all_indices(std::ssize(others.found_)));
  found_.insert(found_.end(), others.found_.begin(), others.found_.end());
  sort();
}

/// Runs of rows mostly come in order; what does not is put there.
void ChosenRowsState::sort() {
  if (std::ranges::is_sorted(found_)) return;
  std::vector<Index> order = all_indices(std::ssize(found_));
  std::ranges::sort(order, {}, [&](Index s) { return found_[s]; });
  const MatrixView view = view_of(*kept_);
  OwnedTable sorted = empty_like(view);
  append_rows(sorted, view, order);
  kept_ = std::move(sorted);
  std::ranges::sort(found_);
}

Bytes ChosenRowsState::bytes() const {
  ByteWriter writer;
  ranges_.write(writer);
  writer.put_all(found_);
  if (kept_) {
    writer.put(static_cast<Index>(kept_->index()));
    std::visit([&](const auto& table) { put(writer, table); }, *kept_);
  }
  return writer.take();
}

std::optional<OwnedTable> ChosenRowsState::take_table() { return std::move(kept_); }

}  // namespace tamis
