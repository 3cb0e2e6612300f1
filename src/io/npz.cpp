#include "io/npz.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "io/annotations.hpp"
#include "io/columns.hpp"
#include "io/delimited.hpp"
#include "io/expansion.hpp"
#include "io/npy.hpp"
#include "io/npy_header.hpp"
#include "io/sparse_parts.hpp"
#include "io/turned.hpp"
#include "io/zip_archive.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::string_view kEnding = ".npy";
constexpr std::size_t kMostArrays = 1000;  // each is held open

// What people call such arrays, the likeliest name first; upper and lower case are alike.
constexpr auto kTableNames =
    std::to_array<std::string_view>({"x", "data", "matrix", "features", "table", "arr_0"});
constexpr auto kLabelNames = std::to_array<std::string_view>(
    {"y", "label", "labels", "target", "targets", "class", "classes"});
constexpr auto kFeatureNames = std::to_array<std::string_view>(
    {"feature_names", "features", "columns", "var_names", "gene_names", "genes", "names"});
constexpr auto kSampleIds = std::to_array<std::string_view>(
    {"sample_ids", "ids", "samples", "index", "obs_names", "barcodes", "sample_names"});

struct Array {
  std::string name;
  NpyHeader header;
  std::unique_ptr<ByteSource> source;  ///< what follows the header
  const ZipMember* member = nullptr;
  bool is_used = false;

  bool is_table() const {
    return header.is_number() && header.dimensions == 2 && header.rows > 0 && header.cols > 0;
  }

  /// "X (100, 20) '<f8'".
  std::string described() const { return fmt::format("{} {} {}", name, header.shape, header.type); }
};

bool is_named(const Array& array, std::string_view name) { return lower_case(array.name) == name; }

class Reader {
 public:
  Reader(ByteSource& source, bool is_trusted)
      : file_(source.name()), is_trusted_(is_trusted), archive_(source, is_trusted) {
    if (archive_.members().size() > kMostArrays)
      throw DataError(fmt::format("{}: holds {} arrays; at most {} are read", file_,
                                  archive_.members().size(), kMostArrays));
    for (const ZipMember& member : archive_.members()) open(member);
  }

  Table read(const ReadOptions& options) {
    Table table;
    table.data = is_scipy() ? read_sparse() : read_dense(choose_table(options, table.notes));
    table.feature_names = numbered_names(table.cols());
    ReadOptions of_columns = options;
    of_columns.transpose = false;
    if (options.transpose) turn(table);
    if (auto names = texts_by_name(kFeatureNames, table.cols(), table.notes); !names.empty())
      table.feature_names = std::move(names);
    make_unique(table.feature_names, table.notes);
    table.sample_ids = texts_by_name(kSampleIds, table.rows(), table.notes);
    choose_labels(table, of_columns);
    const Annotations annotations = annotations_of(table.rows());
    apply_options(file_, table, annotations, of_columns);
    note_others(table);
    return table;
  }

 private:
  void open(const ZipMember& member) {
    std::string name = member.name;
    if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
    std::unique_ptr<ByteSource> source = archive_.open(member, fmt::format("array {}", name));
    NpyHeader header = read_npy_header(*source);
    if (header.is_number() || header.is_text()) check_npy_length(*source, header);
    content_ += member.size;
    arrays_.push_back({std::move(name), std::move(header), std::move(source), &member});
  }

  Array* find(std::string_view name) {
    const auto found = std::ranges::find(arrays_, name, &Array::name);
    return found == arrays_.end() ? nullptr : &*found;
  }

  std::string list_arrays() const {
    std::vector<std::string> described;
    for (const Array& array : arrays_) described.push_back(array.described());
    return fmt::format("{}", fmt::join(described, ", "));
  }

  // The table.

  Array& choose_table(const ReadOptions& options, std::vector<Note>& notes) {
    if (options.table_name) {
      if (Array* const array = find(*options.table_name)) return *array;
      throw DataError(fmt::format("{}: has no array {}; it holds {}", file_, *options.table_name,
                                  list_arrays()),
                      {Remedy::Action::choose_table});
    }
    std::vector<Array*> tables;
    for (Array& array : arrays_)
      if (array.is_table() && array.header.cols > 1) tables.push_back(&array);
    for (const std::string_view name : kTableNames)
      for (Array* const array : tables)
        if (is_named(*array, name)) {
          if (tables.size() > 1)
            notes.push_back({fmt::format("array {} is taken as the table", shown(array->name)),
                             {Remedy::Action::choose_table}});
          return *array;
        }
    if (tables.size() == 1) return *tables.front();
    throw DataError(fmt::format("{}: {}: {}", file_,
                                tables.empty() ? "none of its arrays is a table of numbers"
                                               : "which of its arrays is the table?",
                                list_arrays()),
                    {tables.empty() ? Remedy::Action::none : Remedy::Action::choose_table});
  }

  OwnedTable read_dense(Array& array) {
    array.is_used = true;
    table_name_ = array.name;
    if (array.header.kind == 'O') refuse_objects(array.source->name());
    check_is_table(array.source->name(), array.header);
    return read_npy_table(*array.source, array.header, Precision::as_stored);
  }

  bool is_scipy() { return find("format") && find("shape") && find("data"); }

  /// A part of the sparse matrix.
  Array& part(std::string_view name) {
    Array* const array = find(name);
    if (array == nullptr)
      throw DataError(fmt::format("{}: the sparse matrix lacks its part {}", file_, name));
    array->is_used = true;
    return *array;
  }

  Array& list_of_integers(std::string_view name) {
    Array& array = part(name);
    if (!array.header.is_integer() || array.header.cols != 1)
      throw DataError(fmt::format("{}: is not a list of integers", array.source->name()));
    return array;
  }

  template <class Integer>
  std::vector<Integer> integers(std::string_view name) {
    Array& array = list_of_integers(name);
    return read_npy_numbers<Integer>(*array.source, array.header);
  }

  OwnedTable read_sparse() {
    const Array& format = part("format");
    const bool is_text = format.header.is_text() && format.header.rows * format.header.cols == 1;
    const std::string kind = is_text ? read_npy_texts(*format.source, format.header).front() : "?";
    if (Array* const mark = find("_is_array")) mark->is_used = true;  // of SciPy's newer classes
    const auto shape = integers<Index>("shape");
    if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1)
      throw DataError(fmt::format("{}: the sparse matrix of shape ({}) is no table", file_,
                                  fmt::join(shape, ", ")));
    check_sparse_shape(file_, shape[0], shape[1], content_, is_trusted_);
    if (part("data").header.is_single()) return read_entries<float>(kind, shape[0], shape[1]);
    return read_entries<double>(kind, shape[0], shape[1]);
  }

  template <class T>
  CsrTable<T> read_entries(const std::string& kind, Index rows, Index cols) {
    if (kind != "csr" && kind != "csc" && kind != "coo")
      throw DataError(
          fmt::format("{}: the sparse matrix is of the kind {}; in SciPy, save its "
                      ".tocsr()",
                      file_, shown(kind)));
    Array& data = part("data");
    if (!data.header.is_number() || data.header.cols != 1)
      throw DataError(fmt::format("{}: is not a list of numbers", data.source->name()));
    if (kind == "csc") return read_columns<T>(data, rows, cols);
    std::vector<T> values = read_npy_numbers<T>(*data.source, data.header);
    if (kind == "coo") return read_coordinates(std::move(values), rows, cols);
    SparseParts<T> parts{integers<Index>("indptr"), integers<ColumnIndex>("indices"),
                         std::move(values)};
    refuse_if(
        fault_of_starts(parts.starts, std::ssize(parts.indices), std::ssize(parts.values), rows));
    return table_of(std::move(parts), rows, cols,
                    [this](const std::string& fault) { refuse_if(fault); });
  }

  /// The next items of an array, from its start anew if they are the first.
  template <class T>
  void read_part(Array& array, Index first, std::span<T> out) const {
    if (first == 0) {
      array.source = archive_.open_again(*array.member, fmt::format("array {}", array.name));
      read_npy_header(*array.source);
    }
    NpyHeader part = array.header;
    part.rows = std::ssize(out);
    std::ranges::copy(read_npy_numbers<T>(*array.source, part), out.begin());
  }

  template <class T>
  CsrTable<T> read_columns(Array& data, Index rows, Index cols) {
    const auto starts = integers<Index>("indptr");
    Array& indices = list_of_integers("indices");
    refuse_if(fault_of_starts(starts, indices.header.rows, data.header.rows, cols));
    return gather_columns<T>(
        rows, starts,
        [&](Index first, std::span<ColumnIndex> out) { read_part(indices, first, out); },
        [&](Index first, std::span<T> out) { read_part(data, first, out); },
        [&](Index row, Index) {
          if (row < 0 || row >= rows) refuse_if(fault_outside(rows));
        });
  }

  template <class T>
  CsrTable<T> read_coordinates(std::vector<T> values, Index rows, Index cols) {
    const auto row = integers<ColumnIndex>("row");
    const auto column = integers<ColumnIndex>("col");
    if (row.size() != values.size() || column.size() != values.size())
      refuse_if("is damaged: its parts data, row and col do not fit each other");
    refuse_if(fault_of_indices(row, rows));
    refuse_if(fault_of_indices(column, cols));
    return gather_entries<T>(rows, cols, [&](const auto& put) {
      for (std::size_t e = 0; e < values.size(); ++e) put(row[e], column[e], values[e]);
    });
  }

  void refuse_if(const std::string& fault) const {
    if (!fault.empty()) throw DataError(fmt::format("{}: the sparse matrix {}", file_, fault));
  }

  // What stands beside it.

  static std::vector<std::string> texts_of(Array& array) {
    array.is_used = true;
    if (array.header.kind == 'O') refuse_objects(array.source->name());
    if (!array.header.is_number() && !array.header.is_text())
      throw DataError(fmt::format("{}: NPY type {} is neither numbers nor texts",
                                  array.source->name(), array.header.type));
    return read_npy_texts(*array.source, array.header);
  }

  /// The texts of an array that is called so and has as many as needed; none if there is none.
  std::vector<std::string> texts_by_name(std::span<const std::string_view> names, Index count,
                                         std::vector<Note>& notes) {
    for (const std::string_view name : names)
      for (Array& array : arrays_) {
        if (array.is_used || !is_named(array, name) || !array.header.is_list(count)) continue;
        if (array.header.kind != 'O') return texts_of(array);
        array.is_used = true;
        notes.push_back(
            {fmt::format("array {} is left out: it holds Python objects; save it with "
                         ".astype(str)",
                         shown(array.name))});
      }
    return {};
  }

  /// Unless the options say where the labels are: an array of their name, or the one that was saved
  /// beside the table (y_train beside X_train, arr_1 behind arr_0).
  void choose_labels(Table& table, ReadOptions& options) {
    if (options.label_column) return;
    std::vector<std::string> wanted(kLabelNames.begin(), kLabelNames.end());
    const std::string table_name = lower_case(table_name_);
    if (table_name.starts_with('x'))
      wanted.push_back(fmt::format("y{}", std::string_view(table_name).substr(1)));
    if (table_name == "arr_0") wanted.emplace_back("arr_1");
    for (const std::string& name : wanted)
      for (const Array& array : arrays_)
        if (!array.is_used && is_named(array, name) && array.header.is_list(table.rows())) {
          options.label_column = array.name;
          table.notes.push_back(
              {fmt::format("array {} is taken as the labels", shown(array.name))});
          return;
        }
  }

  Annotations annotations_of(Index rows) {
    Annotations annotations;
    std::vector<Array*> lists;
    for (Array& array : arrays_) {
      if (array.is_used || !array.header.is_list(rows)) continue;
      annotations.names.push_back(array.name);
      lists.push_back(&array);
    }
    annotations.texts = [lists](Index number) { return texts_of(*lists[number]); };
    return annotations;
  }

  void note_others(Table& table) const {
    std::vector<std::string> others;
    for (const Array& array : arrays_)
      if (!array.is_used) others.push_back(shown(array.name));
    if (!others.empty())
      table.notes.push_back(
          {fmt::format("{} {} left out: {}", others.size() == 1 ? "an array" : "arrays",
                       others.size() == 1 ? "is" : "are", fmt::join(others, ", "))});
  }

  std::string file_;
  bool is_trusted_;
  ZipArchive archive_;
  std::vector<Array> arrays_ = {};
  std::size_t content_ = 0;  // bytes of all arrays
  std::string table_name_ = {};
};

}  // namespace

bool looks_like_npz(ByteSource& source) {
  if (!source.starts_with(kZipMagic)) return false;
  const ZipArchive archive(source, /*is_trusted=*/false);
  return !archive.members().empty() &&
         std::ranges::all_of(archive.members(), [](const ZipMember& member) {
           return member.name.ends_with(kEnding);
         });
}

Table read_npz(ByteSource& source, const ReadOptions& options) {
  return Reader(source, options.is_trusted).read(options);
}

}  // namespace tamis
