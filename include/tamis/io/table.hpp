#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// A dense table that owns its values, row-major.
template <std::floating_point T>
struct DenseTable {
  Index rows = 0;
  Index cols = 0;
  Buffer<T> values = {};
  DenseView<T> view() const { return {values.data(), rows, cols}; }
};

/// A sparse table that owns its values; columns ascend strictly within a row.
template <std::floating_point T>
struct CsrTable {
  Index cols = 0;
  std::vector<Index> offsets = {0};
  std::vector<Index> columns = {};
  std::vector<T> values = {};
  CsrView<T> view() const { return {offsets, columns, values, cols}; }
};

/// A file format, by its name in the list of formats (src/io/formats.cpp).
struct Format {
  std::string_view name;
  bool operator==(const Format&) const = default;

  static const Format csv, tsv, libsvm, matlab, npy;  // those that code asks for by name
};
inline constexpr Format Format::csv{"csv"};
inline constexpr Format Format::tsv{"tsv"};
inline constexpr Format Format::libsvm{"libsvm"};
inline constexpr Format Format::matlab{"matlab"};
inline constexpr Format Format::npy{"npy"};

/// A file in memory: numbers, and the texts around them.
struct Table {
  using Data =
      std::variant<DenseTable<double>, DenseTable<float>, CsrTable<double>, CsrTable<float>>;

  Data data = DenseTable<double>{};
  std::vector<std::string> feature_names =
      {};  ///< always one per column ("f0", ... if the file has none)
  std::vector<std::string> sample_ids = {};   ///< one per row, or empty
  std::vector<std::string> label_texts = {};  ///< one per row as written, or empty: no label column
  std::string label_name = {};                ///< of the label column; empty if it has none
  Format format = Format::csv;
  std::vector<std::string> notes = {};  ///< what the reader assumed, for people

  MatrixView view() const;
  Index rows() const { return view().rows(); }
  Index cols() const { return view().cols(); }
};

}  // namespace tamis
