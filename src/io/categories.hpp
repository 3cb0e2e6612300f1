#pragma once

#include <string>
#include <vector>

#include "io/text_columns.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// A column of texts that is to become a feature.
struct TextFeature {
  std::string place;  ///< how messages call it: "x.csv: column 3 (colour)"
  std::string name;
  TextColumn seen;                 ///< what it holds
  std::vector<std::string> texts;  ///< row by row, as they are written
};

/// Columns of numbers in the place of columns of texts.
struct EncodedTexts {
  std::vector<std::string> names = {};
  std::vector<std::vector<double>> values = {};  ///< by column; NaN where a text is missing
  std::vector<Index> groups = {};       ///< the number of the text for which the column stands
  std::vector<std::string> notes = {};  ///< what each text became
};

/// For each category a column of 0 and 1 (onehot), or one column that numbers the categories in the
/// order of their names, or of their values if all are numbers (ordinal). Dates become days since
/// 1970-01-01.
/// @throws DataError for texts that are no categories, because most rows have one of their own
EncodedTexts encode_features(const std::vector<TextFeature>& features, Encode kind);

/// Makes features of columns of texts in the sheet of a table, behind those that it has, or leaves
/// them out, as `kind` says; those of one text are a group. What is missing stays so. Says what was
/// done.
/// @throws DataError like encode_features
void encode_texts(const Sheet& sheet, const std::vector<Index>& columns, Encode kind, Table& table);

}  // namespace tamis
