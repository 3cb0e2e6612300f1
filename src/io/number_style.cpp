#include "io/number_style.hpp"

#include <algorithm>

#include "io/delimited.hpp"

namespace tamis {
namespace {

constexpr std::array<NumberStyle, 4> kStyles = {
    {{'.', false}, {'.', true}, {',', false}, {',', true}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The length of what may set thousands apart at the start of a text, or 0.
std::size_t group_mark(std::string_view text, char decimal) {
  static constexpr std::array<std::string_view, 5> kMarks = {
      " ", "'", "\u00A0", "\u202F", "\u2019"};  // the last three: blanks that do not break, and '
  if (text.front() == (decimal == '.' ? ',' : '.')) return 1;
  for (const std::string_view mark : kMarks)
    if (text.starts_with(mark)) return mark.size();
  return 0;
}

/// Moves the digits before the decimal sign from `text` to `plain`; false if they are grouped in
/// another way than by threes.
bool take_integer(std::string_view& text, NumberStyle style, std::string& plain) {
  std::string_view mark;
  std::size_t digits = 0;
  const std::size_t start = plain.size();
  while (!text.empty()) {
    if (is_digit(text.front())) {
      plain += text.front();
      text.remove_prefix(1);
      ++digits;
      continue;
    }
    const std::size_t length = style.has_groups ? group_mark(text, style.decimal) : 0;
    if (length == 0) break;
    const bool is_first = mark.empty();
    if (is_first ? digits == 0 || digits > 3 || plain[start] == '0'
                 : digits != 3 || text.substr(0, length) != mark)
      return false;
    mark = text.substr(0, length);
    text.remove_prefix(length);
    digits = 0;
  }
  return mark.empty() || digits == 3;
}

/// A number of the style as std::from_chars reads it; nothing if it has another form.
std::optional<std::string> plain_number(std::string_view text, NumberStyle style) {
  std::string plain;
  if (text.starts_with('+') || text.starts_with('-')) {
    if (text.front() == '-') plain = "-";
    text.remove_prefix(1);
  }
  if (!take_integer(text, style, plain)) return std::nullopt;
  if (text.starts_with(style.decimal)) {
    plain += '.';
    text.remove_prefix(1);
  }
  if (text.find_first_of(",.") != std::string_view::npos) return std::nullopt;
  return plain.append(text);
}

/// What follows the minus sign of printed tables, which is no hyphen; nothing if it has none, or no
/// digits follow.
std::string_view after_printed_minus(std::string_view text, NumberStyle style) {
  constexpr std::string_view kMinus = "\u2212";
  if (!text.starts_with(kMinus)) return {};
  text.remove_prefix(kMinus.size());
  const std::string_view digits = text.substr(text.starts_with(style.decimal) ? 1 : 0);
  return !digits.empty() && is_digit(digits.front()) ? text : std::string_view();
}

template <std::floating_point T>
bool parse_styled(std::string_view text, NumberStyle style, T& value) {
  if (const std::string_view size = after_printed_minus(text, style); !size.empty()) {
    if (!parse_styled(size, style, value)) return false;
    value = -value;
    return true;
  }
  if (style.is_plain() || means_missing(text)) return parse_number(text, value);
  const std::optional<std::string> plain = plain_number(text, style);
  return plain && !means_missing(*plain) && parse_number(*plain, value);
}

}  // namespace

std::optional<int> truth_of(std::string_view text) {
  if (text.size() < 4 || text.size() > 5) return std::nullopt;
  const std::string word = lower_case(text);
  if (word == "true") return 1;
  if (word == "false") return 0;
  return std::nullopt;
}

template <std::floating_point T>
bool parse_cell(std::string_view text, NumberStyle style, T& value) {
  if (parse_styled(text, style, value)) return true;
  const std::optional<int> truth = truth_of(text);
  if (truth) value = static_cast<T>(*truth);
  return truth.has_value();
}
template bool parse_cell(std::string_view, NumberStyle, float&);
template bool parse_cell(std::string_view, NumberStyle, double&);

std::string_view unit_sign(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kSigns = {"%", "$", "€", "£", "¥"};
  const auto is_number = [](std::string_view rest) {
    constexpr std::string_view kSpaces = " \t\u00A0";
    const std::size_t begin = rest.find_first_not_of(kSpaces);
    if (begin == std::string_view::npos) return false;
    rest = rest.substr(begin, rest.find_last_not_of(kSpaces) + 1 - begin);
    return !means_missing(rest) && is_number_of_some_style(rest);
  };
  for (const std::string_view sign : kSigns) {
    if (text.ends_with(sign) && is_number(text.substr(0, text.size() - sign.size()))) return sign;
    if (sign == "%" || !text.starts_with(sign)) continue;
    if (is_number(text.substr(sign.size()))) return sign;
  }
  return {};
}

bool is_number_of_some_style(std::string_view text) {
  double value = 0.0;
  return std::ranges::any_of(kStyles,
                             [&](NumberStyle style) { return parse_styled(text, style, value); });
}

void StyleVotes::see(std::string_view cell) {
  if (means_missing(cell) || std::ranges::all_of(cell, is_digit)) return;  // alike in all styles
  std::array<std::optional<double>, kStyles.size()> values;
  for (std::size_t s = 0; s < kStyles.size(); ++s) {
    double value = 0.0;
    if (!parse_styled(cell, kStyles[s], value)) continue;
    values[s] = value;
    ++counts_[s];
    if (!values[0] && examples_[s].empty()) examples_[s] = cell;
  }
  ++seen_;
  const std::optional<double> with_point = values[0] ? values[0] : values[1];
  const std::optional<double> with_comma = values[2] ? values[2] : values[3];
  if (two_fold_.empty() && with_point && with_comma && *with_point != *with_comma) two_fold_ = cell;
}

std::size_t StyleVotes::winning() const {
  return static_cast<std::size_t>(std::ranges::max_element(counts_) - counts_.begin());
}

NumberStyle StyleVotes::winner() const { return kStyles[winning()]; }

std::optional<std::string> StyleVotes::undecided() const {
  const bool comma_reads_as_many = std::max(counts_[2], counts_[3]) == counts_[1];
  if (winner() != kStyles[1] || !comma_reads_as_many || two_fold_.empty()) return std::nullopt;
  return two_fold_;
}

}  // namespace tamis
