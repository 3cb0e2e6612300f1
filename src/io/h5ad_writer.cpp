// HDF5 files that anndata reads: attributes name the encoding of every part.
#define H5_USE_110_API
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <map>

#include "io/atomic_file.hpp"
#include "io/delimited.hpp"
#include "io/h5ad.hpp"
#include "io/hdf5_file.hpp"
#include "io/label_header.hpp"
#include "io/sparse_rows.hpp"
#include "io/table_rows.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

template <class Number>
hid_t type_of() {
  if constexpr (std::is_same_v<Number, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<Number, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<Number, Index>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<Number, ColumnIndex>) return H5T_NATIVE_INT32;
  return H5T_NATIVE_INT8;
}

class Writer {
 public:
  /// @param called how messages name the file
  Writer(const std::string& path, std::string called)
      : called_(std::move(called)), text_type_(H5Tcopy(H5T_C_S1)) {
    const Hdf5Handle access(check(H5Pcreate(H5P_FILE_ACCESS)));
    check(H5Pset_file_locking(access.id(), /*use=*/0, /*ignore_when_disabled=*/1));  // it is locked
    file_ = Hdf5Handle(check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id())));
    check(H5Tset_size(text_type_.id(), H5T_VARIABLE));
    check(H5Tset_cset(text_type_.id(), H5T_CSET_UTF8));
  }

  Hdf5Handle root() const { return Hdf5Handle(check(H5Gopen2(file_.id(), "/", H5P_DEFAULT))); }

  Hdf5Handle group(const Hdf5Handle& parent, const char* name, const char* encoding,
                   const char* version) const {
    Hdf5Handle made(check(H5Gcreate2(parent.id(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
    put_encoding(made, encoding, version);
    return made;
  }

  void put_encoding(const Hdf5Handle& part, const char* encoding, const char* version) const {
    put_attribute(part, "encoding-type", encoding);
    put_attribute(part, "encoding-version", version);
  }
  void put_attribute(const Hdf5Handle& part, const char* name, const char* text) const {
    const Hdf5Handle space(check(H5Screate(H5S_SCALAR)));
    put_attribute(part, name, text_type_.id(), space, &text);
  }
  void put_names(const Hdf5Handle& part, const char* name,
                 const std::vector<std::string>& texts) const {
    const std::vector<const char*> pointers = pointers_to(texts);
    const hsize_t count = texts.size();
    const Hdf5Handle space(check(H5Screate_simple(1, &count, nullptr)));
    put_attribute(part, name, text_type_.id(), space, pointers.data());
  }
  void put_shape(const Hdf5Handle& part, Index rows, Index cols) const {
    const std::array<Index, 2> shape = {rows, cols};
    const hsize_t count = shape.size();
    const Hdf5Handle space(check(H5Screate_simple(1, &count, nullptr)));
    put_attribute(part, "shape", H5T_NATIVE_INT64, space, shape.data());
  }
  void put_false(const Hdf5Handle& part, const char* name) const {
    const Hdf5Handle space(check(H5Screate(H5S_SCALAR)));
    const Hdf5Handle type(check(H5Tenum_create(H5T_NATIVE_INT8)));
    const std::int8_t values[] = {0, 1};
    check(H5Tenum_insert(type.id(), "FALSE", &values[0]));
    check(H5Tenum_insert(type.id(), "TRUE", &values[1]));
    put_attribute(part, name, type.id(), space, &values[0]);
  }

  void put_texts(const Hdf5Handle& parent, const char* name,
                 const std::vector<std::string>& texts) const {
    const std::vector<const char*> pointers = pointers_to(texts);
    const Hdf5Handle made = dataset(parent, name, text_type_.id(), {texts.size()});
    put_encoding(made, "string-array", "0.2.0");
    write(made, text_type_.id(), pointers.data(), pointers.size());
  }
  template <class Number>
  void put_numbers(const Hdf5Handle& parent, const char* name,
                   const std::vector<Number>& numbers) const {
    const Hdf5Handle made = dataset(parent, name, type_of<Number>(), {numbers.size()});
    put_encoding(made, "array", "0.2.0");
    write(made, type_of<Number>(), numbers.data(), numbers.size());
  }

  Hdf5Handle dataset(const Hdf5Handle& parent, const char* name, hid_t type,
                     const std::vector<hsize_t>& extents) const {
    const Hdf5Handle space(
        check(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr)));
    return Hdf5Handle(check(
        H5Dcreate2(parent.id(), name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
  }
  /// A row of a dataset of two dimensions.
  template <class T>
  void write_row(const Hdf5Handle& to, Index row, std::span<const T> values) const {
    const Hdf5Handle all(check(H5Dget_space(to.id())));
    const std::array<hsize_t, 2> start = {static_cast<hsize_t>(row), 0};
    const std::array<hsize_t, 2> count = {1, values.size()};
    check(H5Sselect_hyperslab(all.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                              nullptr));
    const Hdf5Handle one(check(H5Screate_simple(2, count.data(), nullptr)));
    check(H5Dwrite(to.id(), type_of<T>(), one.id(), all.id(), H5P_DEFAULT, values.data()));
  }

  void close() {
    check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL));
    file_ = Hdf5Handle();
  }

 private:
  template <class Code>
  Code check(Code code) const {
    if (code < 0) throw IoError(fmt::format("{}: cannot be written by HDF5", called_));
    return code;
  }

  static std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    return pointers;
  }

  void put_attribute(const Hdf5Handle& part, const char* name, hid_t type, const Hdf5Handle& space,
                     const void* value) const {
    const Hdf5Handle attribute(
        check(H5Acreate2(part.id(), name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT)));
    if (H5Sget_simple_extent_npoints(space.id()) > 0) check(H5Awrite(attribute.id(), type, value));
  }

  void write(const Hdf5Handle& to, hid_t type, const void* items, std::size_t count) const {
    if (count > 0) check(H5Dwrite(to.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, items));
  }

  std::string called_;
  Hdf5Handle file_ = Hdf5Handle();
  Hdf5Handle text_type_;
};

template <class T>
void put_matrix(const Writer& writer, const Hdf5Handle& root, DenseView<T> view,
                std::span<const Index> columns) {
  const Hdf5Handle x =
      writer.dataset(root, "X", type_of<T>(), {static_cast<hsize_t>(view.rows()), columns.size()});
  writer.put_encoding(x, "array", "0.2.0");
  auto rows = gather_rows(view, columns);
  for (Index i = 0; i < view.rows(); ++i) writer.write_row(x, i, rows.row(i));
}

template <class T>
void put_matrix(const Writer& writer, const Hdf5Handle& root, CsrView<T> view,
                std::span<const Index> columns) {
  const CsrTable<T> chosen = chosen_columns(view, columns);
  const Hdf5Handle x = writer.group(root, "X", "csr_matrix", "0.1.0");
  writer.put_shape(x, view.rows(), std::ssize(columns));
  writer.put_numbers(x, "data", chosen.values);
  writer.put_numbers(x, "indices", chosen.columns);
  writer.put_numbers(x, "indptr", chosen.offsets);
}

void put_frame(const Writer& writer, const Hdf5Handle& root, const char* name,
               const std::vector<std::string>& index, const Table& table,
               std::span<const Index> columns) {
  const Hdf5Handle frame = writer.group(root, name, "dataframe", "0.2.0");
  writer.put_attribute(frame, "_index", "_index");
  writer.put_texts(frame, "_index", index);
  const bool has_labels = std::string_view(name) == "obs" && !table.label_texts.empty();
  if (!has_labels) return writer.put_names(frame, "column-order", {});
  std::string label = label_header(table, columns);
  std::ranges::replace(label, '/', '_');  // which HDF5 takes for a path
  writer.put_names(frame, "column-order", {label});
  std::map<std::string, Index> codes;
  for (const std::string& text : table.label_texts)
    if (!means_unlabeled(text)) codes.emplace(text, 0);
  std::vector<std::string> categories;
  for (auto& [text, code] : codes) {
    code = std::ssize(categories);
    categories.push_back(text);
  }
  std::vector<Index> numbers;
  for (const std::string& text : table.label_texts)
    numbers.push_back(means_unlabeled(text) ? -1 : codes.at(text));
  const Hdf5Handle column = writer.group(frame, label.c_str(), "categorical", "0.2.0");
  writer.put_false(column, "ordered");
  writer.put_texts(column, "categories", categories);
  writer.put_numbers(column, "codes", numbers);
}

std::vector<std::string> row_names(const Table& table) {
  if (!table.sample_ids.empty()) return table.sample_ids;
  std::vector<std::string> names;
  for (Index i = 0; i < table.rows(); ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace

void write_h5ad(const std::string& path, const Table& table, std::span<const Index> columns) {
  AtomicFile file(path);
  const Hdf5Turn turn;
  Writer writer(file.temporary_path(), path);
  const Hdf5Handle root = writer.root();
  writer.put_encoding(root, "anndata", "0.1.0");
  table.view().visit([&](const auto& view) { put_matrix(writer, root, view, columns); });
  std::vector<std::string> names;
  for (const Index c : columns) names.push_back(table.feature_names[c]);
  put_frame(writer, root, "obs", row_names(table), table, columns);
  put_frame(writer, root, "var", names, table, columns);
  for (const char* const part : {"layers", "obsm", "obsp", "uns", "varm", "varp"})
    writer.group(root, part, "dict", "0.1.0");
  writer.close();
  file.commit();
}

}  // namespace tamis
