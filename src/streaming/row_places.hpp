#pragma once

#include <map>
#include <vector>

#include "streaming/bytes.hpp"

namespace tamis {

/// Which centre each row is at, for each of some sets of centres, in as few bytes as hold the
/// number of a centre. Rows come in any runs; the same rows have the same bytes.
class RowPlaces {
 public:
  RowPlaces(Index n_centers, Index n_sets);
  /// @throws DataError if it is damaged
  RowPlaces(Index n_centers, Index n_sets, ByteReader& reader);

  /// @param places of a run of rows, one list for each set; kNoCluster: at none
  void add(Index first_row, const std::vector<std::vector<Index>>& places);
  void merge(RowPlaces& other) { runs_.merge(other.runs_); }
  void write(ByteWriter& writer) const;

  /// Those of all rows, ascending.
  std::vector<Index> of_set(Index set) const;
  /// The same as places of one set.
  RowPlaces only(Index set) const;

  /// Memory for each row.
  static Index bytes_per_row(Index n_centers, Index n_sets) { return n_sets * bytes_of(n_centers); }

 private:
  static Index bytes_of(Index n_centers);
  Index place_at(const Bytes& run, Index position) const;

  Index n_centers_;
  Index n_sets_;
  Index width_;                  // of a number
  std::map<Index, Bytes> runs_;  // by their first rows: rows x sets
};

}  // namespace tamis
