#pragma once

#include <string_view>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// Where the fields of a record without quotes end. All ends are found before a field is read: then
/// no field waits for the one before it, and the CPU reads several at once.
class FieldEnds {
 public:
  explicit FieldEnds(Index fields) : fields_(fields), ends_(1 + fields + kBeyond, -1) {}

  /// Finds them; false if the record has another number of fields.
  /// @param behind one past the characters that may be looked at behind the record
  bool find(std::string_view record, const char* behind, char delimiter);
  /// Counted from the start of the record. Before the first field, one ended at -1.
  Index operator[](Index field) const { return ends_[field + 1]; }
  const Index* from(Index field) const { return ends_.data() + field + 1; }

 private:
  static constexpr Index kAtOnce = 8;  // ends that are written at once, found or not
  static constexpr Index kBlock = 64;  // characters that are looked at together
  static constexpr Index kBeyond = kBlock + kAtOnce;

  Index fields_;
  std::vector<Index> ends_;
};

}  // namespace tamis
