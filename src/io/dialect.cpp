#include "io/dialect.hpp"

#include <algorithm>
#include <optional>

#include "io/number_style.hpp"

namespace tamis {
namespace {

constexpr std::size_t kRecordsToSee = 20;

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// The end of the record at the start of a text: a line end that is not within quotes.
std::size_t record_size(std::string_view text) {
  std::size_t end = text.find('\n');
  bool is_quoted = false;
  for (std::size_t quote = text.substr(0, end).find('"'); quote != std::string_view::npos;) {
    is_quoted = !is_quoted;
    if (quote > end) end = text.find('\n', quote);
    const std::size_t next = text.find('"', quote + 1);
    quote = is_quoted || next < end ? next : std::string_view::npos;
  }
  return std::min(is_quoted ? text.size() : end, text.size());
}

/// The first records that hold something; comments only if there is nothing else.
std::vector<std::string_view> first_records(std::string_view text) {
  std::string_view rest = text.substr(0, kDialectBytes);
  std::vector<std::string_view> records;
  std::vector<std::string_view> comments;
  while (!rest.empty() && records.size() < kRecordsToSee) {
    const std::size_t size = record_size(rest);
    const bool is_cut = size == rest.size() && text.size() > kDialectBytes;
    const std::string_view record = rest.substr(0, size);
    rest.remove_prefix(std::min(size + 1, rest.size()));
    if (is_blank_line(record) || (is_cut && !records.empty())) continue;
    (begins_like_comment(record) ? comments : records).push_back(record);
  }
  return records.empty() ? comments : records;
}

/// A record without its line end, and under blanks without those at its ends.
std::string_view trimmed(std::string_view record, Dialect dialect) {
  return record_between(record.data(), record.data() + record.size() + 1, dialect);
}

Index count_delimiter(std::string_view record, char delimiter) {
  const Dialect dialect{.delimiter = delimiter,
                        .has_quotes = record.find('"') != std::string_view::npos};
  return count_fields(trimmed(record, dialect), dialect) - 1;
}

/// Whether every record has as many, or the first alone one less.
bool is_steady(const std::vector<std::string_view>& records, char delimiter) {
  const Index first = count_delimiter(records.front(), delimiter);
  if (records.size() == 1) return first > 0;
  const Index usual = count_delimiter(records[1], delimiter);
  if (usual == 0 || (first != usual && first != usual - 1)) return false;
  return std::all_of(records.begin() + 2, records.end(), [&](std::string_view record) {
    return count_delimiter(record, delimiter) == usual;
  });
}

/// Which share of the fields, those of a header apart, are numbers.
double share_of_numbers(const std::vector<std::string_view>& records, char delimiter) {
  Index numbers = 0;
  Index fields = 0;
  for (std::size_t s = records.size() > 1 ? 1 : 0; s < records.size(); ++s) {
    const Dialect dialect{.delimiter = delimiter, .has_quotes = true};
    for (const std::string& field : split_record(trimmed(records[s], dialect), dialect)) {
      numbers += is_number_of_some_style(field) ? 1 : 0;
      ++fields;
    }
  }
  return static_cast<double>(numbers) / static_cast<double>(fields);
}

std::optional<char> steady_delimiter(const std::vector<std::string_view>& records,
                                     std::string_view candidates) {
  std::string steady;
  for (const char delimiter : candidates)
    if (is_steady(records, delimiter)) steady += delimiter;
  if (steady.size() < 2) return steady.empty() ? std::nullopt : std::optional(steady.front());
  return *std::ranges::max_element(
      steady, {}, [&](char delimiter) { return share_of_numbers(records, delimiter); });
}

}  // namespace

char detect_delimiter(std::string_view text, std::string_view candidates) {
  const std::vector<std::string_view> records = first_records(text);
  if (records.empty()) return ',';
  if (const auto steady = steady_delimiter(records, candidates)) return *steady;
  const auto frequency = [&](char delimiter) {
    return delimiter == ' ' ? 0 : count_delimiter(records.front(), delimiter);
  };
  const char most = *std::ranges::max_element(candidates, {}, frequency);
  return frequency(most) > 0 ? most : ',';
}

Dialect detect_dialect(std::string_view text, std::string_view candidates) {
  return {.delimiter = detect_delimiter(text, candidates),
          .has_quotes = text.find('"') != std::string_view::npos};
}

}  // namespace tamis
