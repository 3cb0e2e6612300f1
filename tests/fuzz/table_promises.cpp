#include "fuzz/table_promises.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "fuzz/target.hpp"

namespace tamis::fuzz {
namespace {

template <class T>
void check_storage(const DenseTable<T>& data) {
  claim(std::ssize(data.values) == data.rows * data.cols, "a dense table has all its values");
}

template <class T>
void check_storage(const CsrTable<T>& data) {
  const auto entries = std::ssize(data.values);
  claim(std::ssize(data.columns) == entries, "every entry has a column");
  claim(!data.offsets.empty() && data.offsets.front() == 0 && data.offsets.back() == entries &&
            std::ranges::is_sorted(data.offsets),
        "offsets ascend from 0 to the number of entries");
  for (std::size_t i = 0; i + 1 < data.offsets.size(); ++i) {
    const auto row = std::span(data.columns)
                         .subspan(static_cast<std::size_t>(data.offsets[i]),
                                  static_cast<std::size_t>(data.offsets[i + 1] - data.offsets[i]));
    claim(std::ranges::adjacent_find(row, std::greater_equal{}) == row.end(),
          "columns ascend within a row");
    claim(row.empty() || (row.front() >= 0 && row.back() < data.cols), "columns are in the table");
  }
}

}  // namespace

void check_promises(const Table& table) {
  std::visit([](const auto& data) { check_storage(data); }, table.data);
  claim(table.rows() > 0 && table.cols() > 0, "a table has rows and columns");
  claim(std::ssize(table.feature_names) == table.cols(), "every column has a name");
  const auto is_per_row = [&](const auto& texts) {
    return texts.empty() || std::ssize(texts) == table.rows();
  };
  claim(is_per_row(table.sample_ids), "every row has an id, or none has");
  claim(is_per_row(table.label_texts), "every row has a label, or none has");
  for (const Note& note : table.notes) check_message(note.text);
}

}  // namespace tamis::fuzz
