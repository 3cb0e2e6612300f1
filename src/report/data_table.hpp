#pragma once

#include <string>
#include <variant>
#include <vector>

#include "report/html.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// The numbers behind a chart or a table, exactly; people get them as a CSV file.
struct DataTable {
  using Cell = std::variant<std::string, Index, double>;

  std::string file;                       ///< name of the CSV file
  std::vector<std::string> columns = {};  ///< in words; in the file with underscores for blanks
  std::vector<std::vector<Cell>> rows = {};
};

/// One object, {"file":…,"columns":[…],"rows":[[…],…]}, to stand in <script>: numbers in their
/// shortest exact form, null for what is undefined, "inf" and "-inf" as strings.
std::string to_json(const DataTable& data);

/// The data as a file to take away: a button, and the data for the script that makes the file.
Html csv_button(const DataTable& data);

/// The first `limit` rows as a table that people can sort, numbers with four digits.
Html sortable_table(const DataTable& data, const Html& caption, Index limit);

/// Wraps a table too wide for a narrow screen, so that it scrolls and the page does not.
Html scrolling(const std::string& label, const Html& table);

}  // namespace tamis
