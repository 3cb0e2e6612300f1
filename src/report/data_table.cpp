#include "report/data_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text.hpp"

namespace tamis {
namespace {

struct ToJson {
  std::string operator()(const std::string& text) const { return json_string(text); }
  std::string operator()(Index number) const { return std::to_string(number); }
  std::string operator()(double number) const {
    if (std::isnan(number)) return "null";
    if (std::isinf(number)) return number > 0 ? "\"inf\"" : "\"-inf\"";
    return fmt::format("{}", number);
  }
};

struct ToText {
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(Index number) const { return std::to_string(number); }
  std::string operator()(double number) const { return for_people(number); }
};

bool holds_numbers(const DataTable& data, std::size_t column) {
  return std::ranges::none_of(data.rows, [&](const std::vector<DataTable::Cell>& row) {
    return std::holds_alternative<std::string>(row[column]);
  });
}

template <class Items, class Write>
std::string json_array(const Items& items, Write write) {
  std::string json = "[";
  for (const auto& item : items) {
    if (json.size() > 1) json += ',';
    json += write(item);
  }
  return json + ']';
}

}  // namespace

std::string to_json(const DataTable& data) {
  const auto row_json = [](const std::vector<DataTable::Cell>& row) {
    return json_array(row, [](const DataTable::Cell& cell) { return std::visit(ToJson{}, cell); });
  };
  return fmt::format("{{\"file\":{},\"columns\":{},\"rows\":{}}}", json_string(data.file),
                     json_array(data.columns, json_string), json_array(data.rows, row_json));
}

Html csv_button(const DataTable& data) {
  return element(
      "div", {{"class", "take"}},
      element("button", {{"type", "button"}, {"class", "csv"}, {"aria-label", "Save " + data.file}},
              "CSV ↓"),
      raw_element("script", {{"type", "application/json"}, {"class", "data"}}, to_json(data)));
}

Html sortable_table(const DataTable& data, const Html& caption, Index limit) {
  Html head;
  std::vector<bool> is_number;
  for (std::size_t c = 0; c < data.columns.size(); ++c) {
    is_number.push_back(holds_numbers(data, c));
    head += element("th", {{"scope", "col"}, {"class", is_number[c] ? "number" : "text"}},
                    element("button", {{"type", "button"}}, data.columns[c]));
  }
  Html body;
  for (Index r = 0; r < std::min(limit, std::ssize(data.rows)); ++r) {
    Html cells;
    for (std::size_t c = 0; c < data.columns.size(); ++c)
      cells += element("td", {{"class", is_number[c] ? "number" : "text"}},
                       std::visit(ToText{}, data.rows[r][c]));
    body += element("tr", {}, cells);
  }
  const Html table =
      element("table", {{"class", "sortable"}}, element("thead", {}, element("tr", {}, head)),
              element("tbody", {}, body));
  return element("div", {{"class", "table"}}, element("p", {{"class", "caption"}}, caption),
                 scrolling("Table: " + data.file, table), csv_button(data));
}

Html scrolling(const std::string& label, const Html& table) {
  return element(
      "div", {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", label}},
      table);
}

}  // namespace tamis
