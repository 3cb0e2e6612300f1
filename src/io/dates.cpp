#include "io/dates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <limits>
#include <utility>

#include "io/delimited.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// The numbers of a date in the order in which they stand.
struct DateParts {
  std::array<int, 3> numbers{};
  char mark = '-';
  bool has_year_first = true;
  std::string_view time = {};  ///< what stands behind them

  /// With the year first, the month as `has_day_first` says.
  std::chrono::year_month_day day(bool has_day_first) const {
    auto [year, month, day] = numbers;
    if (!has_year_first) std::swap(year, day);  // day or month, the other, year
    if (!has_year_first && !has_day_first) std::swap(month, day);
    return std::chrono::year(year) / month / day;
  }
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_time(std::string_view text) {
  return text.size() > 1 && (text.front() == ' ' || text.front() == 'T') &&
         text.find_first_not_of("0123456789:.+-ZTAMPamp ") == std::string_view::npos;
}

/// Cuts the digits off that a text begins with; at most four.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < std::min<std::size_t>(text.size(), 5) && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

std::optional<DateParts> date_parts(std::string_view text) {
  DateParts parts;
  std::array<std::size_t, 3> digits{};
  for (std::size_t part = 0; part < digits.size(); ++part) {
    const std::string_view number = take_digits(text);
    digits[part] = number.size();
    std::from_chars(number.data(), number.data() + number.size(), parts.numbers[part]);
    if (part == 2) break;
    if (text.empty() || std::string_view("-/.").find(text.front()) == std::string_view::npos ||
        (part == 1 && text.front() != parts.mark))
      return std::nullopt;
    parts.mark = text.front();
    text.remove_prefix(1);
  }
  const auto is_short = [](std::size_t count) { return count == 1 || count == 2; };
  parts.has_year_first = digits[0] == 4 && is_short(digits[2]);
  const bool has_year_last = is_short(digits[0]) && digits[2] == 4;
  if (!(parts.has_year_first || has_year_last) || !is_short(digits[1])) return std::nullopt;
  if (!text.empty() && !is_time(text)) return std::nullopt;
  parts.time = text;
  return parts;
}

/// The part of a day that "T13:45:10.5" is, perhaps with a Z behind it.
std::optional<double> part_of_day(std::string_view time) {
  if (time.empty()) return 0.0;
  time.remove_prefix(1);
  if (time.ends_with('Z')) time.remove_suffix(1);
  constexpr std::array<double, 3> kLimits = {24.0, 60.0, 61.0};  // seconds may leap
  double days = 0.0;
  double unit = 24.0;
  for (std::size_t part = 0; part < kLimits.size(); ++part) {
    double number = 0.0;
    const auto [stop, code] =
        std::from_chars(time.data(), time.data() + time.size(), number, std::chars_format::fixed);
    if (code != std::errc{} || number < 0.0 || number >= kLimits[part]) return std::nullopt;
    days += number / unit;
    unit *= 60.0;
    time.remove_prefix(static_cast<std::size_t>(stop - time.data()));
    if (time.empty()) return part == 0 ? std::nullopt : std::optional(days);
    if (time.front() != ':') return std::nullopt;
    time.remove_prefix(1);
  }
  return std::nullopt;
}

/// Whether the day comes before the month, by the first date that can be read in one way only.
/// @throws DataError if there is none
bool has_day_first(const std::string& where, const std::vector<std::string>& texts) {
  std::optional<std::string> doubtful;
  for (const std::string& text : texts) {
    const auto parts = date_parts(text);
    if (!parts || parts->has_year_first) continue;
    if (parts->mark == '.') return true;
    if (parts->numbers[0] > 12) return true;
    if (parts->numbers[1] > 12) return false;
    if (!doubtful && parts->numbers[0] != parts->numbers[1]) doubtful = text;
  }
  if (doubtful)
    throw DataError(
        fmt::format("{}: whether {} begins with the day or the month cannot be told; "
                    "write the year first",
                    where, shown(*doubtful)));
  return true;
}

}  // namespace

std::string date_text(std::int64_t seconds_since_1970) {
  using namespace std::chrono;
  constexpr sys_seconds kFirst = sys_days(year(0) / 1 / 1);
  constexpr sys_seconds kBehind = sys_days(year(10'000) / 1 / 1);
  const sys_seconds moment{seconds{seconds_since_1970}};
  if (moment < kFirst || moment >= kBehind) return fmt::format("{}", seconds_since_1970);
  const sys_days day = floor<days>(moment);
  const year_month_day date{day};
  std::string text =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (const hh_mm_ss time{moment - day}; moment != day)
    text += fmt::format(" {:02}:{:02}:{:02}", time.hours().count(), time.minutes().count(),
                        time.seconds().count());
  return text;
}

bool looks_like_date(std::string_view text) { return date_parts(text).has_value(); }

std::vector<double> days_of(const std::string& where, const std::vector<std::string>& texts) {
  const bool day_first = has_day_first(where, texts);
  std::vector<double> days;
  for (const std::string& text : texts) {
    if (means_missing(text)) {
      days.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const auto parts = date_parts(text);
    const auto time = parts ? part_of_day(parts->time) : std::nullopt;
    if (!time || !parts->day(day_first).ok())
      throw DataError(
          fmt::format("{}: {} is no day of the calendar, perhaps with a time such as "
                      "13:45",
                      where, shown(text)));
    const std::chrono::sys_days day = parts->day(day_first);
    days.push_back(static_cast<double>(day.time_since_epoch().count()) + *time);
  }
  return days;
}

}  // namespace tamis
