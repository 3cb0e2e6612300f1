#include "io/xlsx_styles.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>

#include "io/dates.hpp"
#include "io/delimited.hpp"

namespace tamis {
namespace {

constexpr Index kFirstOwnFormat = 164;

Index number_of(std::optional<std::string_view> text) {
  Index number = -1;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

/// Formats that every workbook has: 14 to 22 and 45 to 47 are dates and times, also those of East
/// Asia.
bool is_known_date(Index format) {
  return (format >= 14 && format <= 22) || (format >= 27 && format <= 36) ||
         (format >= 45 && format <= 47) || (format >= 50 && format <= 58);
}

/// Whether a format has a year, month, day, hour or second outside of quotes and brackets.
bool shows_date(std::string_view format) {
  bool is_quoted = false;
  bool is_bracketed = false;
  for (std::size_t at = 0; at < format.size(); ++at) {
    const char c = format[at];
    if (c == '\\' || c == '_' || c == '*') {
      ++at;
      continue;
    }
    if (c == '"') is_quoted = !is_quoted;
    if (c == '[' || c == ']') is_bracketed = c == '[';
    if (!is_quoted && !is_bracketed &&
        std::string_view("yYmMdDhHsS").find(c) != std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

XmlHandler XlsxStyles::handler() {
  return {.start =
              [this](std::string_view name, const XmlAttributes& attributes) {
                if (name == "numFmt")
                  own_formats_.emplace(number_of(attributes.find("numFmtId")),
                                       shows_date(attributes.find("formatCode").value_or("")));
                if (name == "cellXfs") is_within_styles_ = true;
                if (name == "xf" && is_within_styles_)
                  formats_.push_back(number_of(attributes.find("numFmtId")));
              },
          .end =
              [this](std::string_view name) {
                if (name == "cellXfs") is_within_styles_ = false;
              }};
}

bool XlsxStyles::is_date(Index style) const {
  if (style < 0 || style >= std::ssize(formats_)) return false;
  const Index format = formats_[style];
  if (format < kFirstOwnFormat) return is_known_date(format);
  const auto found = own_formats_.find(format);
  return found != own_formats_.end() && found->second;
}

std::string date_text(const std::string& days, bool starts_1904) {
  constexpr double kLastDay = 2'958'465;  // of the year 9999
  constexpr Index kSecondsPerDay = 86'400;
  double value = 0.0;
  if (!parse_number(days, value) || !(value >= 0.0 && value <= kLastDay)) return days;
  const auto seconds =
      static_cast<Index>(std::llround(value * static_cast<double>(kSecondsPerDay)));
  const Index time = seconds % kSecondsPerDay;
  if (seconds < kSecondsPerDay && !starts_1904)
    return fmt::format("{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60);
  using namespace std::chrono;
  // Excel has a 29 February 1900, which never was: days before it count from one later.
  const Index day = seconds / kSecondsPerDay;
  const sys_days start =
      starts_1904 ? sys_days(year(1904) / 1 / 1) : sys_days(year(1899) / 12 / (day < 60 ? 31 : 30));
  return date_text((start.time_since_epoch().count() + day) * kSecondsPerDay + time);
}

}  // namespace tamis
