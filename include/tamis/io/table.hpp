#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tamis/core/table.hpp"

namespace tamis {

enum class Format { csv, tsv, libsvm, matlab, npy };
std::string_view name_of(Format format);

/// A file in memory: numbers, and the texts around them.
struct Table {
  OwnedTable data = DenseTable<double>{};
  std::vector<std::string> feature_names =
      {};  ///< always one per column ("f0", ... if the file has none)
  std::vector<std::string> sample_ids = {};   ///< one per row, or empty
  std::vector<std::string> label_texts = {};  ///< one per row as written, or empty: no label column
  std::string label_name = {};                ///< of the label column; empty if it has none
  Format format = Format::csv;
  std::vector<std::string> notes = {};  ///< what the reader assumed, for people

  MatrixView view() const { return view_of(data); }
  Index rows() const { return view().rows(); }
  Index cols() const { return view().cols(); }
};

}  // namespace tamis
