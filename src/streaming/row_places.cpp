#include "streaming/row_places.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "clustering/links.hpp"

namespace tamis {
namespace {

static_assert(kNoCluster == -1, "a place is written as its number and one more");

}  // namespace

RowPlaces::RowPlaces(Index n_centers, Index n_sets)
    : n_centers_(n_centers), n_sets_(n_sets), width_(bytes_of(n_centers)) {}

RowPlaces::RowPlaces(Index n_centers, Index n_sets, ByteReader& reader)
    : RowPlaces(n_centers, n_sets) {
  const auto count = reader.get<Index>();
  for (Index r = 0; r < count; ++r) {
    const auto first = reader.get<Index>();
    const Bytes& run = runs_[first] = reader.get_all<Bytes>();
    const Index numbers = std::ssize(run) / width_;
    if (std::ssize(run) % (width_ * n_sets_) != 0) ByteReader::refuse();
    for (Index p = 0; p < numbers; ++p)
      if (place_at(run, p) >= n_centers_) ByteReader::refuse();
  }
}

Index RowPlaces::bytes_of(Index n_centers) {
  return n_centers <= UINT8_MAX ? 1 : n_centers <= UINT16_MAX ? 2 : 4;
}

void RowPlaces::add(Index first_row, const std::vector<std::vector<Index>>& places) {
  const Index rows = std::ssize(places.front());
  if (rows == 0) return;
  Bytes run(static_cast<std::size_t>(rows * n_sets_ * width_));
  std::byte* to = run.data();
  for (Index i = 0; i < rows; ++i)
    for (const std::vector<Index>& set : places) {
      const auto number = static_cast<std::uint32_t>(set[i] + 1);
      std::memcpy(to, &number, static_cast<std::size_t>(width_));  // its lowest bytes
      to += width_;
    }
  runs_.emplace(first_row, std::move(run));
}

void RowPlaces::write(ByteWriter& writer) const {
  std::vector<std::pair<Index, Bytes>> joined;  // however they came
  const auto rows_of = [&](const Bytes& run) { return std::ssize(run) / (width_ * n_sets_); };
  for (const auto& [first, run] : runs_) {
    if (joined.empty() || joined.back().first + rows_of(joined.back().second) != first)
      joined.emplace_back(first, Bytes());
    Bytes& last = joined.back().second;
    last.insert(last.end(), run.begin(), run.end());
  }
  writer.put(std::ssize(joined));
  for (const auto& [first, run] : joined) {
    writer.put(first);
    writer.put_all(run);
  }
}

Index RowPlaces::place_at(const Bytes& run, Index position) const {
  std::uint32_t number = 0;
  std::memcpy(&number, run.data() + position * width_, static_cast<std::size_t>(width_));
  return static_cast<Index>(number) - 1;
}

std::vector<Index> RowPlaces::of_set(Index set) const {
  std::vector<Index> places;
  for (const auto& [first, run] : runs_)
    for (Index p = set; p < std::ssize(run) / width_; p += n_sets_)
      places.push_back(place_at(run, p));
  return places;
}

RowPlaces RowPlaces::only(Index set) const {
  RowPlaces some(n_centers_, 1);
  const Index width_of_row = width_ * n_sets_;
  for (const auto& [first, run] : runs_) {
    Bytes& kept = some.runs_[first];
    for (Index at = set * width_; at < std::ssize(run); at += width_of_row)
      kept.insert(kept.end(), run.begin() + at, run.begin() + at + width_);
  }
  return some;
}

}  // namespace tamis
