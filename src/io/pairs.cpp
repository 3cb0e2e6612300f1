#include "tamis/io/pairs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "io/byte_source.hpp"
#include "io/delimited.hpp"
#include "io/dialect.hpp"
#include "io/plain_text.hpp"
#include "io/row_lookup.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

bool is_header(const std::vector<std::string>& fields) {
  return fields.size() >= 3 && lower_case(fields[2]) == "kind";
}

double parse_weight(const std::vector<std::string>& fields, const std::string& place) {
  if (fields.size() < 4 || fields[3].empty()) return 1.0;
  double weight = 0.0;
  if (!parse_number(fields[3], weight) || !std::isfinite(weight) || weight <= 0.0)
    throw DataError(fmt::format("{}: weight {} is not a positive number", place, shown(fields[3])));
  return weight;
}

void add_pair(const std::vector<std::string>& fields, const std::string& place,
              const RowLookup& lookup, PairConstraints& pairs) {
  if (fields.size() < 3 || fields.size() > 4)
    throw DataError(
        fmt::format("{}: {} fields; a pair is a,b,kind or a,b,kind,weight", place, fields.size()));
  const std::string kind = lower_case(fields[2]);
  if (kind != "must" && kind != "cannot")
    throw DataError(fmt::format("{}: kind {} is neither must nor cannot", place, shown(fields[2])));
  const RowPair pair{.first = lookup.at(fields[0], place),
                     .second = lookup.at(fields[1], place),
                     .weight = parse_weight(fields, place)};
  if (pair.first == pair.second)
    throw DataError(fmt::format("{}: pairs {} with itself", place, shown(fields[0])));
  (kind == "must" ? pairs.must_link : pairs.cannot_link).push_back(pair);
}

}  // namespace

PairConstraints read_pairs(const std::string& path, Index rows,
                           const std::vector<std::string>& sample_ids) {
  ByteSource source(path);
  std::string recoded;
  const std::string_view text = trim_text(source.name(), plain_text(source, recoded));
  if (text.empty()) throw DataError(fmt::format("{}: is empty", source.name()));
  const Dialect dialect = detect_dialect(text, kListDelimiters);
  const RowLookup lookup(rows, sample_ids);
  PairConstraints pairs;
  bool is_first = true;
  for (const auto& [line, fields] : split_records(source.name(), text, dialect)) {
    const bool is_blank = fields.size() == 1 && fields.front().empty();
    const bool is_title = std::exchange(is_first, false) && is_header(fields);
    if (is_blank || is_title) continue;
    add_pair(fields, fmt::format("{}:{}", source.name(), line), lookup, pairs);
  }
  return pairs;
}

}  // namespace tamis
