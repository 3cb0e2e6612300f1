#pragma once

#define H5_USE_110_API
#include <gtest/gtest.h>
#include <hdf5.h>
#include <zlib.h>

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// MATLAB files in the making, written down plainly as the formats have them.
namespace tamis::test {

enum class Level { five, seven_3 };
using Shape = std::vector<std::int32_t>;

/// How a level 7.3 file keeps a class: MATLAB, h5py with numpy's bytes, h5py with a Python str.
enum class AttributeKind { terminated, padded, variable };

inline std::string file_header(Level level) {
  std::string header = level == Level::five ? "MATLAB 5.0 MAT-file" : "MATLAB 7.3 MAT-file";
  header.resize(116, ' ');
  header.append(8, '\0');
  header += level == Level::five ? std::string("\x00\x01IM", 4) : std::string("\x00\x02IM", 4);
  return header;
}

/// Level 5: elements of type, length and padded data.
class Mat5File {
 public:
  Mat5File(std::string path, bool compressed) : path_(std::move(path)), compressed_(compressed) {}
  ~Mat5File() { std::ofstream(path_, std::ios::binary) << bytes_; }

  /// `number` and `type` are those of the class and of its items in the format.
  template <class T>
  static std::string matrix(std::string_view name, std::uint32_t number, std::uint32_t type,
                            const Shape& shape, const std::vector<std::vector<T>>& parts) {
    std::string inside = head(name, number, shape);
    for (const auto& part : parts) inside += element(type, bytes_of_items(part));
    return element(kMatrix, inside);
  }
  static std::string sparse(std::string_view name, const Shape& shape,
                            const std::vector<std::int32_t>& rows,
                            const std::vector<std::int32_t>& starts,
                            const std::vector<double>& values) {
    return element(kMatrix, head(name, 5, shape) + element(5, bytes_of_items(rows)) +
                                element(5, bytes_of_items(starts)) +
                                element(9, bytes_of_items(values)));
  }
  static std::string cells(std::string_view name, const std::vector<std::string>& texts) {
    std::string inside = head(name, 1, {static_cast<std::int32_t>(texts.size()), 1});
    for (const std::string& text : texts)
      inside += matrix<char>("", 4, 16, {1, static_cast<std::int32_t>(text.size())},
                             {std::vector<char>(text.begin(), text.end())});
    return element(kMatrix, inside);
  }
  void add(const std::string& matrix) {
    if (!compressed_) {
      bytes_ += matrix;
      return;
    }
    uLongf size = compressBound(matrix.size());
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size,
             reinterpret_cast<const Bytef*>(matrix.data()), matrix.size());
    const std::vector<std::uint32_t> tag = {15, static_cast<std::uint32_t>(size)};
    bytes_ += bytes_of_items(tag) + packed.substr(0, size);
  }

 private:
  static constexpr std::uint32_t kMatrix = 14;

  template <class T>
  static std::string bytes_of_items(const std::vector<T>& items) {
    return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T)};
  }
  static std::string element(std::uint32_t type, std::string data) {
    const std::vector<std::uint32_t> tag = {type, static_cast<std::uint32_t>(data.size())};
    data.resize((data.size() + 7) / 8 * 8, '\0');
    return bytes_of_items(tag) + data;
  }
  static std::string head(std::string_view name, std::uint32_t flags, const Shape& shape) {
    return element(6, bytes_of_items(std::vector<std::uint32_t>{flags, 0})) +
           element(5, bytes_of_items(shape)) + element(1, std::string(name));
  }

  std::string path_;
  bool compressed_;
  std::string bytes_ = file_header(Level::five);
};

/// Level 7.3: HDF5 behind 512 bytes with MATLAB's header.
class Mat73File {
 public:
  using Extents = std::vector<hsize_t>;  // as HDF5 has them, reverse to MATLAB's

  explicit Mat73File(std::string path) : path_(std::move(path)) {
    H5dont_atexit();  // as tamis does
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(creation, 512);
    file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
    H5Pclose(creation);
  }
  ~Mat73File() {
    EXPECT_GE(H5Fclose(file_), 0);
    std::fstream(path_, std::ios::binary | std::ios::in | std::ios::out)
        << file_header(Level::seven_3);
  }

  hid_t id() const { return file_; }

  static hid_t space_of(const Extents& extents) {
    return extents.empty()
               ? H5Screate(H5S_SCALAR)
               : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
  }
  static void set_class(hid_t object, const std::string& name,
                        AttributeKind kind = AttributeKind::terminated) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, kind == AttributeKind::variable ? H5T_VARIABLE : name.size());
    if (kind == AttributeKind::padded) H5Tset_strpad(type, H5T_STR_NULLPAD);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate2(object, "MATLAB_class", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char* const text = name.c_str();
    if (kind == AttributeKind::variable)
      H5Awrite(attribute, type, &text);
    else
      H5Awrite(attribute, type, text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  }
  static void set_number(hid_t object, const char* name, std::uint64_t value) {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate2(object, name, H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_UINT64, &value);
    H5Aclose(attribute);
    H5Sclose(space);
  }
  /// A dataset, still open. A class of "" is not written, nor are data if there are none.
  hid_t put(hid_t place, const std::string& name, const std::string& kind, hid_t type,
            const Extents& extents, const void* data, hid_t creation = H5P_DEFAULT) const {
    const hid_t space = space_of(extents);
    const hid_t set =
        H5Dcreate2(place, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (data != nullptr) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    if (!kind.empty()) set_class(set, kind);
    H5Sclose(space);
    return set;
  }
  void add(const std::string& name, const std::string& kind, hid_t type, const Extents& extents,
           const void* data, hid_t creation = H5P_DEFAULT) const {
    H5Dclose(put(file_, name, kind, type, extents, data, creation));
  }
  void add_sparse(const std::string& name, std::uint64_t n_rows,
                  const std::vector<std::uint64_t>& rows, const std::vector<std::uint64_t>& starts,
                  const std::vector<double>& values) const {
    const hid_t group = H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    set_class(group, "double");
    set_number(group, "MATLAB_sparse", n_rows);
    H5Dclose(put(group, "jc", "", H5T_NATIVE_UINT64, {starts.size()}, starts.data()));
    if (!rows.empty()) {
      H5Dclose(put(group, "ir", "", H5T_NATIVE_UINT64, {rows.size()}, rows.data()));
      H5Dclose(put(group, "data", "", H5T_NATIVE_DOUBLE, {values.size()}, values.data()));
    }
    H5Gclose(group);
  }
  /// Cells that refer to what has these paths in the file.
  void add_cells_of(const std::string& name, const std::vector<std::string>& paths) const {
    std::vector<hobj_ref_t> references(paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i)
      H5Rcreate(&references[i], file_, paths[i].c_str(), H5R_OBJECT, -1);
    add(name, "cell", H5T_STD_REF_OBJ, {1, paths.size()}, references.data());
  }
  void add_cells(const std::string& name, const std::vector<std::string>& texts) const {
    if (H5Lexists(file_, "#refs#", H5P_DEFAULT) <= 0)
      H5Gclose(H5Gcreate2(file_, "#refs#", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    std::vector<std::string> paths;
    for (const std::string& text : texts) {
      const std::vector<std::uint16_t> units(text.begin(), text.end());
      paths.push_back("#refs#/" + name + std::to_string(paths.size()));
      add(paths.back(), "char", H5T_NATIVE_UINT16, {units.size(), 1}, units.data());
    }
    add_cells_of(name, paths);
  }

 private:
  std::string path_;
  hid_t file_;
};

}  // namespace tamis::test
