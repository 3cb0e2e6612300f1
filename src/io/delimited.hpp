#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/core/index.hpp"

/// The grammar of delimited text (RFC 4180): records, fields, quotes, and numbers in them.
namespace tamis {

struct Dialect {
  char delimiter = ',';
  bool has_quotes = false;  ///< some quote occurs: records may span lines

  /// Then several are one, and those around a record none.
  bool separates_by_blanks() const { return delimiter == ' '; }
};

/// Text without a UTF-8 byte order mark and without blank lines at its end.
/// @throws DataError if it is not text (zero bytes)
std::string_view trim_text(const std::string& name, std::string_view text);

/// Where in the text the records start, plus one past the end of the last: record i is the text
/// between two of them, less its line end. @throws DataError if a quote is never closed
std::vector<std::size_t> record_starts(const std::string& name, std::string_view text,
                                       Dialect dialect);
std::string_view record_between(const char* start, const char* next_start, Dialect dialect);

/// Moves `position` to the end of the field that starts there (a delimiter or `end`) and returns
/// the field without surrounding blanks and quotes. `scratch` holds it where quotes were doubled.
std::string_view next_field(const char*& position, const char* end, Dialect dialect,
                            std::string& scratch);
/// Moves `position` from the end of a field to the start of the next one.
inline void skip_delimiter(const char*& position, const char* end, Dialect dialect) {
  ++position;
  if (dialect.separates_by_blanks())
    while (position < end && *position == ' ') ++position;
}
std::vector<std::string> split_record(std::string_view record, Dialect dialect);
Index count_fields(std::string_view record, Dialect dialect);

struct Record {
  Index line;  ///< 1-based, on which it starts
  std::vector<std::string> fields;
};
/// All of a small text at once. @throws DataError if a quote is never closed
std::vector<Record> split_records(const std::string& name, std::string_view text, Dialect dialect);

/// 1-based line on which `position` lies.
Index line_of(std::string_view text, const char* position);

/// Whether a label means "not known": empty, NA, NaN, N/A, #N/A, <NA>, null (in any case) or ?.
bool means_unlabeled(std::string_view text);
/// Whether people write such a label where they do not know; as a class it would mislead.
bool reads_like_unknown(std::string_view text);
/// Whether a cell means "no value": as a label, or one of . - none #NUM! #DIV/0! #VALUE!
bool means_missing(std::string_view text);
/// Reads a whole field as a number; NaN if it means "no value". Too large is infinite, too small 0.
/// Returns whether it was one.
template <std::floating_point T>
bool parse_number(std::string_view text, T& value);
bool is_number_or_missing(std::string_view text);

/// Whether a line begins as comments do: with #, % or !.
bool begins_like_comment(std::string_view line);

/// A text as a field: in quotes if it has blank ends or one of the special characters, or could
/// begin a comment.
std::string quoted_field(const std::string& text, std::string_view special);

std::string lower_case(std::string_view text);
/// A text fit for a message: printable, quoted, cut between two characters when long.
std::string shown(std::string_view text);

}  // namespace tamis
