#include "io/arrow_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "io/arrow_column.hpp"
#include "io/arrow_file.hpp"
#include "io/delimited.hpp"
#include "io/expansion.hpp"
#include "io/plain_file.hpp"
#include "io/sheet.hpp"
#include "io/text_columns.hpp"
#include "io/turned.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using namespace std::string_view_literals;

/// The value of a key of Arrow's metadata: a count, and then the length and the bytes of each key
/// and value.
std::string metadata_of(const char* metadata, std::string_view wanted) {
  if (metadata == nullptr) return {};
  const auto number = [&] {
    std::int32_t value = 0;
    std::memcpy(&value, metadata, sizeof(value));
    metadata += sizeof(value);
    return value;
  };
  const auto text = [&] {
    const auto size = number();
    const std::string_view found(metadata, static_cast<std::size_t>(size));
    metadata += size;
    return found;
  };
  for (auto left = number(); left > 0; --left) {
    const std::string_view key = text();
    const std::string_view value = text();
    if (key == wanted) return std::string(value);
  }
  return {};
}

/// The columns that pandas calls the index of a frame, by their names.
std::vector<std::string> index_names(const char* metadata) {
  const auto frame = nlohmann::json::parse(metadata_of(metadata, "pandas"), nullptr, false);
  std::vector<std::string> names;
  if (!frame.is_object()) return names;
  const auto columns = frame.find("index_columns");
  if (columns == frame.end() || !columns->is_array()) return names;
  for (const auto& column : *columns)
    if (column.is_string()) names.push_back(column.get<std::string>());  // else a range: 0, 1, ...
  return names;
}

/// The columns of a file. Each is read when it is needed, and as what is needed.
class ArrowSheet final : public Sheet {
 public:
  explicit ArrowSheet(const ArrowFile& arrow) : arrow_(arrow), fields_(arrow.columns()) {
    file = arrow.path();
    style = {.decimal = '.', .has_groups = true};
    has_header = true;
    std::iota(fields_.begin(), fields_.end(), Index{0});
    const bool has_row_names = take_index();
    std::vector<std::string> given;
    for (const Index field : fields_) given.emplace_back(arrow.column(field).name);
    if (has_row_names) given.front().clear();
    take_names(*this, std::move(given), std::ssize(fields_));
    make_unique(names, notes);
  }

  Index rows() const override { return arrow_.rows(); }
  Index line(Index row) const override { return row + 1; }
  /// Texts of a row; numbers are left out, as nobody looks at them here.
  std::vector<std::string> cells(Index row) const override {
    std::vector<std::string> texts(fields_.size());
    for (Index c = 0; c < columns(); ++c)
      if (is_text(c)) texts[c] = texts_of_column(c)[row];
    return texts;
  }
  void visit(const std::vector<Index>& wanted, const Visit& visit) const override {
    for (const Index c : wanted) {
      const std::vector<std::string> texts = texts_of_column(c);
      for (Index i = 0; i < rows(); ++i)
        if (!visit(i, c, texts[i])) return;
    }
  }
  void parse(ColumnRoles& roles, const ReadOptions& options, Table& table) override {
    if (has_words(roles.features)) set_texts_apart(*this, options.encode, roles);
    if (roles.label) table.label_texts = texts_of_column(*roles.label);
    if (roles.id) table.sample_ids = texts_of_column(*roles.id);
    for (const Index c : roles.other_labels)
      table.other_labels.push_back({names[c], texts_of_column(c)});
    const bool is_single = std::ranges::all_of(
        roles.features, [&](Index c) { return arrow_.column(fields_[c]).format == "f"sv; });
    if (is_single || options.precision == Precision::single)
      take_features<float>(roles.features, table);
    else
      take_features<double>(roles.features, table);
  }
  std::optional<std::vector<std::string>> texts_of_feature(Index column) const override {
    return texts_of_column(column);
  }

 private:
  /// Puts the index of a frame of pandas first. Only its first column can name the rows.
  bool take_index() {
    const std::vector<std::string> index = index_names(arrow_.metadata());
    const auto is_of_index = [&](Index field) {
      return std::ranges::find(index, arrow_.column(field).name) != index.end();
    };
    const Index count =
        std::stable_partition(fields_.begin(), fields_.end(), is_of_index) - fields_.begin();
    if (count > 1) {
      notes.push_back(
          {fmt::format("the index has {} columns, of which the first names the rows", count)});
      fields_.erase(fields_.begin() + 1, fields_.begin() + count);
    }
    return count > 0;
  }

  bool is_text(Index c) const { return kind_of(arrow_.column(fields_[c])) == ArrowKind::texts; }

  std::vector<std::string> texts_of_column(Index c) const {
    check_kind(c);
    std::vector<std::string> texts(static_cast<std::size_t>(rows()));
    arrow_.read(std::array{fields_[c]},
                [&](Index, Index row, const ArrowSchema& field, const ArrowArray& array) {
                  copy_texts(field, array, texts.data() + row);
                });
    return texts;
  }

  void check_kind(Index c) const {
    if (kind_of(arrow_.column(fields_[c])) == ArrowKind::others)
      throw DataError(fmt::format("{}: column {} holds neither numbers nor texts (Arrow calls its "
                                  "type {})",
                                  file, shown(names[c]), shown(arrow_.column(fields_[c]).format)),
                      {Remedy::Action::leave_out, names[c]});
  }

  /// Whether a feature holds a text that is no number.
  bool has_words(const std::vector<Index>& features) const {
    double value = 0.0;
    return std::ranges::any_of(features, [&](Index c) {
      check_kind(c);
      return is_text(c) && !std::ranges::all_of(texts_of_column(c), [&](const std::string& text) {
               return parse_cell(text, style, value);
             });
    });
  }

  template <class T>
  void take_features(const std::vector<Index>& features, Table& table) const {
    auto& data = table.data.emplace<DenseTable<T>>();
    data.rows = rows();
    data.cols = std::ssize(features);
    data.values.resize(static_cast<std::size_t>(data.rows * data.cols));
    std::map<Index, Index> place;  // of the feature that a field is
    for (Index r = 0; r < data.cols; ++r) place.emplace(fields_[features[r]], r);
    std::vector<Index> wanted;
    for (const auto& [field, r] : place) wanted.push_back(field);
    arrow_.read(wanted, [&](Index k, Index row, const ArrowSchema& field, const ArrowArray& array) {
      T* const out = data.values.data() + place.at(wanted[k]) * data.rows + row;
      if (kind_of(field) == ArrowKind::numbers) return copy_numbers(field, array, out);
      std::vector<std::string> texts(static_cast<std::size_t>(array.length));
      copy_texts(field, array, texts.data());
      for (Index i = 0; i < array.length; ++i) parse_cell(texts[i], style, out[i]);
    });
    turn_values(data.values, data.cols, data.rows);
  }

  const ArrowFile& arrow_;
  std::vector<Index> fields_;  // of each column
};

/// A mark, the size of the first message, which fills words of 8 bytes, and where in it its table
/// is.
bool is_stream(ByteSource& source) {
  constexpr std::uint32_t kLargestSchema = 1u << 28;
  std::array<std::uint32_t, 3> words{};
  const std::string_view start = source.peek(sizeof(words));
  if (start.size() < sizeof(words)) return false;
  std::memcpy(words.data(), start.data(), sizeof(words));
  const auto [mark, size, table] = words;
  return mark == 0xFFFFFFFF && size % 8 == 0 && size < kLargestSchema && table < size;
}

/// @param through_python what reads such a file there, with {0} in the place of its path
Table read_by_arrow(ByteSource& source, const ReadOptions& options, std::string_view what,
                    std::string_view through_python) {
  if (arrow_library() == nullptr)
    throw DataError(fmt::format(
        "{0}: is {1}, and this program is without Arrow (libtamis_arrow.so), which reads them; in "
        "Python, tamis.rank(\"{0}\") reads it, and {2}.to_csv(\"table.csv\", index=False) makes "
        "CSV "
        "of it",
        source.name(), what, fmt::format(fmt::runtime(through_python), source.name())));
  if (!source.is_plain_file()) throw DataError(needs_plain_file(source, what));
  const std::size_t size = *source.remaining();
  const std::size_t most = largest_content(size, options.is_trusted);
  const ArrowFile arrow(source.path(), most);
  if (arrow.rows() == 0 || arrow.columns() == 0)
    throw DataError(fmt::format("{}: holds no rows", source.name()));
  if (static_cast<std::size_t>(arrow.rows()) >
      most / sizeof(double) / static_cast<std::size_t>(arrow.columns()))
    refuse_expansion(source.name(), size);
  ArrowSheet sheet(arrow);
  return table_of(sheet, options);
}

}  // namespace

bool looks_like_parquet(ByteSource& source) { return source.starts_with("PAR1\x15"sv); }

bool looks_like_arrow(ByteSource& source) {
  return source.starts_with("ARROW1\0\0"sv) || is_stream(source);
}

Table read_parquet(ByteSource& source, const ReadOptions& options) {
  return read_by_arrow(source, options, "a Parquet file", "pandas.read_parquet(\"{0}\")");
}

Table read_arrow(ByteSource& source, const ReadOptions& options) {
  if (source.starts_with("ARROW1"))
    return read_by_arrow(source, options, "an Arrow IPC file (Feather)",
                         "pandas.read_feather(\"{0}\")");
  return read_by_arrow(source, options, "an Arrow IPC stream",
                       "pyarrow.ipc.open_stream(\"{0}\").read_pandas()");
}

}  // namespace tamis
