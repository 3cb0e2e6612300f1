#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Days as people write them.
namespace tamis {

/// A moment as 2024-05-01, or 2024-05-01 13:05:00 if it is not midnight; the number of its seconds
/// if it is in none of the years 0 to 9999.
std::string date_text(std::int64_t seconds_since_1970);

/// Whether it reads like a date: three numbers between -, / or ., one of them a year of four
/// digits, perhaps with a time of day behind them.
bool looks_like_date(std::string_view text);

/// Dates of one column as days since 1970-01-01, with the time of day as a part of one; NaN where a
/// text means "no value". Years come first, or the day does between points; where the day and the
/// month could change places, one that has only one reading decides for all.
/// @throws DataError if it does not, or a text is no day of the calendar; `where` is its first
/// words
std::vector<double> days_of(const std::string& where, const std::vector<std::string>& texts);

}  // namespace tamis
