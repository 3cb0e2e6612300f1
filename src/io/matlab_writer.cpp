// Level 5, as matlab_5.cpp reads it: a header, then one compressed element per variable. Sizes
// stand before contents, so all are known, and checked, before the file is begun.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "io/atomic_file.hpp"
#include "io/deflater.hpp"
#include "io/delimited.hpp"
#include "io/matlab.hpp"
#include "io/matlab_array.hpp"
#include "io/table_rows.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Level 5 counts the bytes of a variable, its rows and its columns in 32 bits.
constexpr std::size_t kLargestVariable = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kTagSize = 8;
constexpr std::size_t kLargestSmall = 4;  // bytes that fit into the tag itself

bool is_small(std::size_t size) { return size >= 1 && size <= kLargestSmall; }

std::size_t padding(std::size_t size) {
  return is_small(size) ? kLargestSmall - size : (kTagSize - size % kTagSize) % kTagSize;
}

std::size_t element_size(std::size_t size) {
  return (is_small(size) ? kLargestSmall : kTagSize) + size + padding(size);
}

/// What a matrix is, but for its data.
struct Head {
  std::string_view name = {};
  MatlabClass kind = MatlabClass::float64;
  Index rows = 0;
  Index cols = 0;
  std::size_t data_size = 0;  // of all elements behind the name
  std::size_t entries = 0;    // of a sparse matrix

  std::size_t size() const {
    return element_size(8) + element_size(8) + element_size(name.size()) + data_size;
  }
};

/// A variable in memory, compressed as it grows.
class PackedVariable {
 public:
  PackedVariable()
      : deflater_(Deflater::Wrapper::zlib, [this](std::string_view bytes) { packed_ += bytes; }) {}

  void begin_matrix(const Head& head) {
    begin(MatlabType::matrix, head.size());
    const std::array<std::uint32_t, 2> flags = {static_cast<std::uint32_t>(head.kind),
                                                static_cast<std::uint32_t>(head.entries)};
    const std::array<std::int32_t, 2> shape = {static_cast<std::int32_t>(head.rows),
                                               static_cast<std::int32_t>(head.cols)};
    put(MatlabType::uint32, std::span<const std::uint32_t>(flags));
    put(MatlabType::int32, std::span<const std::int32_t>(shape));
    put(MatlabType::int8, std::span<const char>(head.name));
  }
  /// An element: its tag, then its items in any number of parts, then its end.
  void begin(MatlabType type, std::size_t size) {
    const auto number = static_cast<std::uint32_t>(type);
    const auto length = static_cast<std::uint32_t>(size);
    if (is_small(size)) return add(std::array{length << 16 | number});
    add(std::array{number, length});
  }
  template <class Items>
  void add(const Items& items) {
    deflater_.write({reinterpret_cast<const char*>(std::data(items)),
                     std::size(items) * sizeof(*std::data(items))});
  }
  void end(std::size_t size) { deflater_.write(std::string_view("\0\0\0\0\0\0\0", padding(size))); }

  template <class Item>
  void put(MatlabType type, std::span<const Item> items) {
    begin(type, items.size_bytes());
    add(items);
    end(items.size_bytes());
  }

  const std::string& finished() {
    deflater_.finish();
    return packed_;
  }

 private:
  std::string packed_;
  Deflater deflater_;
};

/// A variable of the file to be: its size is known, its data are not made yet.
struct Variable {
  Head head;
  std::function<void(PackedVariable&)> put_data;
};

template <class T>
constexpr MatlabType kTypeOf = std::is_same_v<T, float> ? MatlabType::single : MatlabType::float64;

template <class T>
Variable table_variable(DenseView<T> view, std::span<const Index> columns) {
  const Head head{.name = "X",
                  .kind = std::is_same_v<T, float> ? MatlabClass::single : MatlabClass::float64,
                  .rows = view.rows(),
                  .cols = std::ssize(columns)};
  const std::size_t size = static_cast<std::size_t>(head.rows) * columns.size() * sizeof(T);
  const auto put_data = [view, columns, size](PackedVariable& out) {
    out.begin(kTypeOf<T>, size);
    std::vector<T> column(static_cast<std::size_t>(view.rows()));
    for (const Index r : columns) {
      for (Index i = 0; i < view.rows(); ++i) column[i] = view(i, r);
      out.add(column);
    }
    out.end(size);
  };
  Variable variable{head, put_data};
  variable.head.data_size = element_size(size);
  return variable;
}

/// The entries of a sparse table by columns.
struct Columns {
  std::vector<std::int32_t> rows = {};
  std::vector<std::int32_t> starts = {0};
  std::vector<double> values = {};
};

template <class T>
Columns by_columns(CsrView<T> view, std::span<const Index> columns) {
  std::vector<std::vector<std::pair<Index, double>>> entries(columns.size());
  auto rows = gather_rows(view, columns);
  for (Index i = 0; i < view.rows(); ++i) {
    const auto row = rows.row(i);
    for (std::size_t r = 0; r < row.size(); ++r)
      if (row[r] != 0) entries[r].emplace_back(i, row[r]);
  }
  Columns result;
  for (const auto& column : entries) {
    for (const auto& [row, value] : column) {
      result.rows.push_back(static_cast<std::int32_t>(row));
      result.values.push_back(value);
    }
    result.starts.push_back(static_cast<std::int32_t>(result.values.size()));
  }
  return result;
}

template <class T>
Variable table_variable(CsrView<T> view, std::span<const Index> columns) {
  const auto sparse = std::make_shared<const Columns>(by_columns(view, columns));
  const std::size_t entries = sparse->values.size();
  const std::size_t size = element_size(entries * sizeof(std::int32_t)) +
                           element_size(sparse->starts.size() * sizeof(std::int32_t)) +
                           element_size(entries * sizeof(double));
  const auto put_data = [sparse](PackedVariable& out) {
    out.put(MatlabType::int32, std::span(sparse->rows));
    out.put(MatlabType::int32, std::span(sparse->starts));
    out.put(MatlabType::float64, std::span(sparse->values));
  };
  return {{"X", MatlabClass::sparse, view.rows(), std::ssize(columns), size, entries}, put_data};
}

/// Characters, not bytes: that is what MATLAB's extents count.
Index characters(std::string_view utf8) {
  return std::ranges::count_if(utf8, [](char byte) { return (byte & 0xC0) != 0x80; });
}

Head text_head(std::string_view text) {
  return {.kind = MatlabClass::text,
          .rows = text.empty() ? 0 : 1,
          .cols = characters(text),
          .data_size = element_size(text.size())};
}

Variable texts_variable(std::string_view name, std::vector<std::string> texts, Index rows,
                        Index cols) {
  Head head{.name = name, .kind = MatlabClass::cell, .rows = rows, .cols = cols};
  for (const std::string& text : texts) head.data_size += kTagSize + text_head(text).size();
  return {head, [texts = std::move(texts)](PackedVariable& out) {
            for (const std::string& text : texts) {
              out.begin_matrix(text_head(text));
              out.put(MatlabType::utf8, std::span<const char>(text));
            }
          }};
}

Variable label_variable(const std::vector<std::string>& labels) {
  const Index rows = std::ssize(labels);
  const auto is_number_or_unknown = [](const std::string& text) {
    return means_unlabeled(text) || (!means_missing(text) && is_number_or_missing(text));
  };
  if (!std::ranges::all_of(labels, is_number_or_unknown))
    return texts_variable("Y", labels, rows, 1);
  std::vector<double> values(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) parse_number(labels[i], values[i]);
  const std::size_t size = element_size(values.size() * sizeof(double));
  return {{"Y", MatlabClass::float64, rows, 1, size},
          [values = std::move(values)](PackedVariable& out) {
            out.put(MatlabType::float64, std::span(values));
          }};
}

std::vector<Variable> variables_of(const Table& table, std::span<const Index> columns) {
  std::vector<Variable> variables;
  table.view().visit([&](const auto& view) { variables.push_back(table_variable(view, columns)); });
  if (!table.label_texts.empty()) variables.push_back(label_variable(table.label_texts));
  std::vector<std::string> names;
  for (const Index c : columns) names.push_back(table.feature_names[c]);
  variables.push_back(texts_variable("feature_names", std::move(names), 1, std::ssize(columns)));
  if (!table.sample_ids.empty())
    variables.push_back(
        texts_variable("sample_ids", table.sample_ids, std::ssize(table.sample_ids), 1));
  return variables;
}

void check_size(const std::string& path, const Head& head) {
  const auto largest = std::max(
      {head.size(), static_cast<std::size_t>(head.rows), static_cast<std::size_t>(head.cols)});
  if (largest > kLargestVariable)
    throw DataError(fmt::format(
        "{}: a MATLAB level 5 file holds at most 2 GiB per variable, {} ({} x {}) has {} bytes; "
        "write NPY or CSV instead",
        path, head.name, head.rows, head.cols, head.size()));
}

std::string file_header() {
  constexpr std::size_t kTextSize = 116;
  constexpr std::array<std::uint16_t, 2> kVersionAndOrder = {0x0100, 0x4D49};
  std::string header = "MATLAB 5.0 MAT-file, written by tamis";
  header.resize(kTextSize, ' ');
  header.append(8, '\0');  // no data of subsystems
  header.append(reinterpret_cast<const char*>(kVersionAndOrder.data()), sizeof(kVersionAndOrder));
  return header;
}

}  // namespace

void write_matlab(const std::string& path, const Table& table, std::span<const Index> columns) {
  const std::vector<Variable> variables = variables_of(table, columns);
  for (const Variable& variable : variables) check_size(path, variable.head);
  AtomicFile file(path);
  file.write(file_header());
  for (const Variable& variable : variables) {
    PackedVariable packed;
    packed.begin_matrix(variable.head);
    variable.put_data(packed);
    const std::string& bytes = packed.finished();
    const std::array<std::uint32_t, 2> tag = {static_cast<std::uint32_t>(MatlabType::compressed),
                                              static_cast<std::uint32_t>(bytes.size())};
    file.write({reinterpret_cast<const char*>(tag.data()), sizeof(tag)});
    file.write(bytes);
  }
  file.commit();
}

}  // namespace tamis
