#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tamis/core/remedy.hpp"
#include "tamis/core/table.hpp"

namespace tamis {

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

/// A column of labels as they are written.
struct LabelColumn {
  std::string name = {};                ///< empty if it has none
  std::vector<std::string> texts = {};  ///< one per row
};

/// A file in memory: numbers, and the texts around them.
struct Table {
  OwnedTable data = DenseTable<double>{};
  std::vector<std::string> feature_names =
      {};  ///< always one per column ("f0", ... if the file has none)
  /// One number per column, which columns share that stand for one of the file; empty: each stands
  /// for itself.
  std::vector<Index> groups = {};
  std::vector<std::string> sample_ids = {};   ///< one per row, or empty
  std::vector<std::string> label_texts = {};  ///< one per row as written, or empty: no label column
  std::string label_name = {};                ///< of the label column; empty if it has none
  std::vector<LabelColumn> other_labels = {};  ///< those that were asked for besides
  Format format = Format::csv;
  std::vector<Note> notes = {};  ///< what the reader assumed

  MatrixView view() const { return view_of(data); }
  Index rows() const { return view().rows(); }
  Index cols() const { return view().cols(); }
};

}  // namespace tamis
