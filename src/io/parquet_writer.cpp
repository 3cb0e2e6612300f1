#include <fmt/format.h>

#include "io/arrow_file.hpp"
#include "io/arrow_table.hpp"
#include "io/atomic_file.hpp"
#include "io/label_header.hpp"
#include "io/table_rows.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/printable.hpp"

namespace tamis {
namespace {

/// A table as the library asks for it: ids, features, labels.
class WrittenTable {
 public:
  WrittenTable(const Table& table, std::span<const Index> columns)
      : table_(table), columns_(columns), label_name_(label_header(table, columns)) {}

  /// Valid while this is.
  TamisArrowTable for_library() {
    return {.rows = table_.rows(),
            .columns = ids() + std::ssize(columns_) + (table_.label_texts.empty() ? 0 : 1),
            .is_single = table_.view().is_single() ? 1 : 0,
            .context = this,
            .name = [](void* self, std::int64_t c) { return of(self).name(c); },
            .holds_texts = [](void* self, std::int64_t c) { return of(self).holds_texts(c); },
            .text = [](void* self, std::int64_t c, std::int64_t row,
                       std::int64_t* length) { return of(self).text(c, row, *length); },
            .numbers = [](void* self, std::int64_t first, std::int64_t count,
                          void* out) { of(self).copy_numbers(first, count, out); }};
  }

 private:
  static const WrittenTable& of(void* self) { return *static_cast<const WrittenTable*>(self); }

  /// How many columns of ids there are.
  Index ids() const { return table_.sample_ids.empty() ? 0 : 1; }
  bool is_id(Index c) const { return c < ids(); }
  bool is_label(Index c) const { return c == ids() + std::ssize(columns_); }

  const char* name(Index c) const {
    if (is_id(c)) return "id";
    return is_label(c) ? label_name_.c_str() : table_.feature_names[columns_[c - ids()]].c_str();
  }
  int holds_texts(Index c) const { return is_id(c) || is_label(c) ? 1 : 0; }
  const char* text(Index c, Index row, std::int64_t& length) const {
    const std::string& text = is_id(c) ? table_.sample_ids[row] : table_.label_texts[row];
    length = std::ssize(text);
    return text.empty() ? nullptr : text.data();
  }

  void copy_numbers(Index first, Index count, void* out) const {
    table_.view().visit([&](const auto& view) { copy_numbers(view, first, count, out); });
  }
  template <class View>
  void copy_numbers(const View& view, Index first, Index count, void* out) const {
    auto rows = gather_rows(view, columns_);
    for (Index i = 0; i < count; ++i) {
      const auto row = rows.row(first + i);
      using Number = typename decltype(row)::value_type;
      for (Index r = 0; r < std::ssize(row); ++r) static_cast<Number*>(out)[r * count + i] = row[r];
    }
  }

  const Table& table_;
  std::span<const Index> columns_;
  std::string label_name_;
};

}  // namespace

void check_parquet_writer() {
  if (arrow_library() == nullptr)
    throw InvalidArgument(
        "this program is without Arrow (libtamis_arrow.so), which writes Parquet; write CSV, and "
        "in Python pandas.read_csv(\"table.csv\").to_parquet(\"table.parquet\") makes Parquet of "
        "it");
}

void write_parquet(const std::string& path, const Table& table, std::span<const Index> columns) {
  check_parquet_writer();
  AtomicFile file(path);
  WrittenTable written(table, columns);
  const TamisArrowTable as_asked = written.for_library();
  TamisArrowMessage message{};
  if (arrow_library()->write(file.temporary_path().c_str(), &as_asked, &message) != 0)
    throw IoError(fmt::format("{}: cannot be written: {}", path, printable(message.text)));
  file.commit();
}

}  // namespace tamis
