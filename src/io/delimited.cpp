#include "io/delimited.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>

#include "io/formats.hpp"
#include "io/whole_records.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kBytesToSee = std::size_t{1} << 20;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trim(std::string_view text, char delimiter) {
  const auto drops = [&](char c) { return is_blank(c) && c != delimiter; };
  while (!text.empty() && drops(text.front())) text.remove_prefix(1);
  while (!text.empty() && drops(text.back())) text.remove_suffix(1);
  return text;
}

/// The end of the line end's record, or nullptr if a quote stays open. A quote opens a field only
/// at its start: elsewhere it is a character like any other.
const char* quoted_record_end(const char* position, const char* end, char delimiter) {
  bool at_field_start = true;
  while (position < end && *position != '\n') {
    if (at_field_start && *position == '"') {
      do {
        position = static_cast<const char*>(
            std::memchr(position + 1, '"', static_cast<std::size_t>(end - position - 1)));
        if (position == nullptr) return nullptr;
        ++position;
      } while (position < end && *position == '"');
      at_field_start = false;
      continue;
    }
    at_field_start = *position == delimiter || (at_field_start && *position == ' ');
    ++position;
  }
  return position;
}

const char* plain_record_end(const char* position, const char* end) {
  const void* const found = std::memchr(position, '\n', static_cast<std::size_t>(end - position));
  return found != nullptr ? static_cast<const char*>(found) : end;
}

/// The field whose opening quote is at `position`, which moves behind the closing one.
std::string_view unquote(const char*& position, const char* end, std::string& scratch) {
  const char* const start = ++position;
  scratch.clear();
  bool doubled = false;
  for (const char* piece = start;;) {
    const char* const quote = std::find(position, end, '"');
    position = std::min(quote + 1, end);
    if (quote + 1 < end && quote[1] == '"') {
      scratch.append(piece, quote + 1);
      piece = position = quote + 2;
      doubled = true;
      continue;
    }
    if (!doubled) return {start, static_cast<std::size_t>(quote - start)};
    scratch.append(piece, quote);
    return scratch;
  }
}

}  // namespace

std::string_view trim_text(const std::string& name, std::string_view text) {
  if (text.substr(0, kBytesToSee).find('\0') != std::string_view::npos)
    throw DataError(
        fmt::format("{}: is neither text nor {}: it holds zero bytes", name, binary_formats()));
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::size_t size = text.size(); size > 0; --size) {
    const char last = text[size - 1];
    if (last == '\n')
      text = text.substr(0, size - 1);
    else if (last != ' ' && last != '\r')
      break;
    else if (size == 1)
      text = {};
  }
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::vector<std::size_t> record_starts(const std::string& name, std::string_view text,
                                       Dialect dialect) {
  std::vector<std::size_t> starts;
  const char* position = text.data();
  const char* const end = position + text.size();
  while (position <= end) {
    starts.push_back(static_cast<std::size_t>(position - text.data()));
    const char* const stop = dialect.has_quotes
                                 ? quoted_record_end(position, end, dialect.delimiter)
                                 : plain_record_end(position, end);
    if (stop == nullptr)
      throw DataError(fmt::format("{}:{}: a quote is opened here and never closed", name,
                                  line_of(text, position)));
    position = stop + 1;
  }
  starts.push_back(static_cast<std::size_t>(position - text.data()));
  return starts;
}

std::size_t whole_records(std::string_view text, Dialect dialect) {
  if (!dialect.has_quotes) return text.rfind('\n') + 1;  // 0 if there is none
  const char* position = text.data();
  const char* const end = position + text.size();
  while (position < end) {
    const char* const stop = quoted_record_end(position, end, dialect.delimiter);
    if (stop == nullptr || stop == end) break;
    position = stop + 1;
  }
  return static_cast<std::size_t>(position - text.data());
}

std::string_view record_between(const char* start, const char* next_start, Dialect dialect) {
  std::string_view record(start, static_cast<std::size_t>(next_start - 1 - start));
  if (record.ends_with('\r')) record.remove_suffix(1);
  return dialect.separates_by_blanks() ? trim(record, '\0') : record;
}

std::string_view next_field(const char*& position, const char* end, Dialect dialect,
                            std::string& scratch) {
  const char* start = position;
  if (dialect.has_quotes) {
    const char* quote = start;
    while (quote < end && *quote == ' ') ++quote;
    if (quote < end && *quote == '"') {
      position = quote;
      const std::string_view inside = unquote(position, end, scratch);
      const char* const stop = std::find(position, end, dialect.delimiter);
      if (trim({position, static_cast<std::size_t>(stop - position)}, '\0').empty()) {
        position = stop;
        return inside;
      }
      position = stop;  // text behind the closing quote: keep the field as it is written
      return {start, static_cast<std::size_t>(stop - start)};
    }
  }
  const void* const found =
      std::memchr(start, dialect.delimiter, static_cast<std::size_t>(end - start));
  position = found != nullptr ? static_cast<const char*>(found) : end;
  return trim({start, static_cast<std::size_t>(position - start)}, dialect.delimiter);
}

std::vector<std::string> split_record(std::string_view record, Dialect dialect) {
  std::vector<std::string> fields;
  std::string scratch;
  const char* position = record.data();
  const char* const end = position + record.size();
  fields.emplace_back(next_field(position, end, dialect, scratch));
  while (position < end) {
    skip_delimiter(position, end, dialect);
    fields.emplace_back(next_field(position, end, dialect, scratch));
  }
  return fields;
}

Index count_fields(std::string_view record, Dialect dialect) {
  if (!dialect.has_quotes && !dialect.separates_by_blanks()) {
    Index fields = 1;
    for (std::size_t at = record.find(dialect.delimiter); at != std::string_view::npos; ++fields)
      at = record.find(dialect.delimiter, at + 1);
    return fields;
  }
  std::string scratch;
  const char* position = record.data();
  const char* const end = position + record.size();
  next_field(position, end, dialect, scratch);
  Index fields = 1;
  for (; position < end; ++fields) {
    skip_delimiter(position, end, dialect);
    next_field(position, end, dialect, scratch);
  }
  return fields;
}

std::vector<Record> split_records(const std::string& name, std::string_view text, Dialect dialect) {
  std::vector<Record> records;
  const std::vector<std::size_t> starts = record_starts(name, text, dialect);
  Index line = 1;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const std::string_view record =
        record_between(text.data() + starts[i], text.data() + starts[i + 1], dialect);
    records.push_back({line, split_record(record, dialect)});
    line += 1 + std::ranges::count(record, '\n');
  }
  return records;
}

Index line_of(std::string_view text, const char* position) {
  return 1 + std::count(text.data(), position, '\n');
}

bool means_unlabeled(std::string_view text) {
  static constexpr std::array<std::string_view, 8> kWords = {"",    "?",    "na",   "nan",
                                                             "n/a", "#n/a", "<na>", "null"};
  return text.size() <= 4 && std::ranges::find(kWords, lower_case(text)) != kWords.end();
}

bool reads_like_unknown(std::string_view text) {
  static constexpr std::array<std::string_view, 10> kWords = {
      "unknown", "unlabeled", "unlabelled", "none",      ".",
      "-",       "missing",   "unassigned", "undefined", "not available"};
  return std::ranges::find(kWords, lower_case(text)) != kWords.end();
}

bool means_missing(std::string_view text) {
  static constexpr std::array<std::string_view, 16> kWords = {
      ".",     "-",      "--",     "none",    "n.a.",   "#na",     "#num!",   "#div/0!",
      "#ref!", "#name?", "#null!", "#value!", "1.#ind", "1.#qnan", "-1.#ind", "-1.#qnan"};
  if (text.size() > 8) return false;
  // "1.#IND" is how programs of Windows write NaN.
  if (!text.empty() && text.front() >= '0' && text.front() <= '9' &&
      !text.substr(1).starts_with(".#"))
    return false;
  return means_unlabeled(text) || std::ranges::find(kWords, lower_case(text)) != kWords.end();
}

template <std::floating_point T>
bool parse_number(std::string_view text, T& value) {
  if (means_missing(text)) {
    value = std::numeric_limits<T>::quiet_NaN();
    return true;
  }
  if (text.starts_with('+') && !text.substr(1).starts_with('-')) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (stop != end) return false;
  if (code != std::errc::result_out_of_range) return code == std::errc{};
  long double wide = 0.0L;  // its larger range tells too large from too small
  const bool fits = std::from_chars(text.data(), end, wide).ec == std::errc{};
  value = static_cast<T>(wide);
  return fits;
}
template bool parse_number(std::string_view, float&);
template bool parse_number(std::string_view, double&);

bool is_number_or_missing(std::string_view text) {
  double value = 0.0;
  return parse_number(text, value);
}

bool begins_like_comment(std::string_view line) {
  return line.starts_with('#') || line.starts_with('%') || line.starts_with('!');
}

std::string quoted_field(const std::string& text, std::string_view special) {
  const bool has_blank_end = text.starts_with(' ') || text.ends_with(' ');
  if (!has_blank_end && !begins_like_comment(text) &&
      text.find_first_of(special) == std::string::npos)
    return text;
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  const auto is_within_character = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u;
  };
  std::size_t end = std::min(kLongest, text.size());
  while (end > 0 && is_within_character(end)) --end;
  return fmt::format("'{}{}'", printable(text.substr(0, end)), end < text.size() ? "..." : "");
}

}  // namespace tamis
