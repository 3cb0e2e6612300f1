#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include "core/utf8.hpp"
#include "io/npy_header.hpp"
#include "io/npz.hpp"
#include "io/sparse_rows.hpp"
#include "io/table_rows.hpp"
#include "io/zip_writer.hpp"

namespace tamis {
namespace {

template <class Item>
std::string_view bytes_of(std::span<const Item> items) {
  return {reinterpret_cast<const char*>(items.data()), items.size_bytes()};
}

template <class Item>
std::string_view type_name() {
  if constexpr (std::is_same_v<Item, float>) return "f4";
  if constexpr (std::is_same_v<Item, double>) return "f8";
  if constexpr (std::is_same_v<Item, std::int32_t>) return "i4";
  return "i8";
}

/// The characters of a text; a byte that is none counts as its replacement.
std::vector<std::uint32_t> characters_of(std::string_view text) {
  std::vector<std::uint32_t> characters;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, length] = utf8_at(text, at);
    characters.push_back(length == 0 ? kReplacementCharacter : code);
    at += std::max<std::size_t>(length, 1);
  }
  return characters;
}

/// Labels that are whole numbers, written as such; nothing if one is not.
std::optional<std::vector<std::int64_t>> whole_numbers(const std::vector<std::string>& texts) {
  std::vector<std::int64_t> numbers;
  for (const std::string& text : texts) {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, number);
    if (code != std::errc{} || stop != end || std::to_string(number) != text) return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

class Writer {
 public:
  explicit Writer(const std::string& path) : archive_(path) {}

  template <class T>
  void add_matrix(DenseView<T> view, std::span<const Index> columns) {
    add("X", type_name<T>(), fmt::format("({}, {})", view.rows(), columns.size()),
        [&](const ZipWriter::Sink& sink) {
          auto rows = gather_rows(view, columns);
          for (Index i = 0; i < view.rows(); ++i) sink(bytes_of(rows.row(i)));
        });
  }

  template <class T>
  void add_matrix(CsrView<T> view, std::span<const Index> columns) {
    const CsrTable<T> chosen = chosen_columns(view, columns);
    add("format", "|S3", "()", [](const ZipWriter::Sink& sink) { sink("csr"); });
    add_numbers("shape", std::vector<Index>{view.rows(), std::ssize(columns)});
    add_numbers("data", chosen.values);
    add_numbers("indices", chosen.columns);
    if (std::ssize(chosen.values) <= std::numeric_limits<std::int32_t>::max())
      add_narrow("indptr", chosen.offsets);  // 32 bits where they do, as SciPy has it
    else
      add_numbers("indptr", chosen.offsets);
  }

  void add_texts(const std::string& name, const std::vector<std::string>& texts) {
    std::size_t longest = 1;
    for (const std::string& text : texts) longest = std::max(longest, characters_of(text).size());
    const char order = std::endian::native == std::endian::little ? '<' : '>';
    add(name, fmt::format("{}U{}", order, longest), fmt::format("({},)", texts.size()),
        [&](const ZipWriter::Sink& sink) {
          for (const std::string& text : texts) {
            std::vector<std::uint32_t> characters = characters_of(text);
            characters.resize(longest, 0);
            sink(bytes_of<std::uint32_t>(characters));
          }
        });
  }

  void add_labels(const std::string& name, const std::vector<std::string>& texts) {
    if (const auto numbers = whole_numbers(texts))
      add_numbers(name, *numbers);
    else
      add_texts(name, texts);
  }

  void commit() { archive_.commit(); }

 private:
  template <class Content>
  void add(const std::string& name, std::string_view type, std::string_view shape,
           const Content& content) {
    const std::string header = npy_header_text(type, shape);
    archive_.add(name + ".npy", [&](const ZipWriter::Sink& sink) {
      sink(header);
      content(sink);
    });
  }

  template <class Item>
  void add_numbers(const std::string& name, const std::vector<Item>& items) {
    add(name, type_name<Item>(), fmt::format("({},)", items.size()),
        [&](const ZipWriter::Sink& sink) { sink(bytes_of<Item>(items)); });
  }

  void add_narrow(const std::string& name, const std::vector<Index>& numbers) {
    add(name, type_name<std::int32_t>(), fmt::format("({},)", numbers.size()),
        [&](const ZipWriter::Sink& sink) {
          constexpr std::size_t kAtOnce = 1 << 14;
          std::vector<std::int32_t> narrow;
          for (std::size_t first = 0; first < numbers.size(); first += kAtOnce) {
            const auto some =
                std::span(numbers).subspan(first, std::min(kAtOnce, numbers.size() - first));
            narrow.assign(some.begin(), some.end());
            sink(bytes_of<std::int32_t>(narrow));
          }
        });
  }

  ZipWriter archive_;
};

}  // namespace

void write_npz(const std::string& path, const Table& table, std::span<const Index> columns) {
  Writer writer(path);
  table.view().visit([&](const auto& view) { writer.add_matrix(view, columns); });
  std::vector<std::string> names;
  for (const Index c : columns) names.push_back(table.feature_names[c]);
  writer.add_texts("feature_names", names);
  if (!table.sample_ids.empty()) writer.add_texts("sample_ids", table.sample_ids);
  if (!table.label_texts.empty()) writer.add_labels("y", table.label_texts);
  writer.commit();
}

}  // namespace tamis
