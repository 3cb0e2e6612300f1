#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tamis/core/problem.hpp"
#include "tamis/core/remedy.hpp"

namespace tamis {

/// Labels as numbers and their names. Classes are numbered in ascending order of their names
/// (numerically if all of them are numbers).
struct EncodedLabels {
  std::vector<Index> labels = {};  ///< kUnlabeled where the text means "not known"
  std::vector<std::string> class_names = {};
  std::vector<Note> notes = {};  ///< what was decided without being asked
};

/// `unlabeled` lists the texts that mean "not known"; unset: the empty text, NA, N/A, #N/A, <NA>,
/// NaN, null (in any case), ?, and -1 (also -1.0) if every other label is a number and these are at
/// least two classes.
/// @throws DataError if the labels are more than 20 numbers of which most rows have one of their
/// own
EncodedLabels encode_labels(const std::vector<std::string>& texts,
                            const std::optional<std::vector<std::string>>& unlabeled = {});

/// Whether labels are numbers to predict rather than classes: all are numbers, and one of them is
/// not whole or more than 20 of them differ. `unlabeled` as for encode_values.
bool is_continuous(const std::vector<std::string>& texts,
                   const std::optional<std::vector<std::string>>& unlabeled = {});

/// Labels as numbers to predict: NaN where the text means "not known", which `unlabeled` lists;
/// unset: as for encode_labels, but that -1 is a number like others.
/// @throws DataError naming the first that is no number
std::vector<double> encode_values(const std::vector<std::string>& texts,
                                  const std::optional<std::vector<std::string>>& unlabeled = {});

/// What a file says of the rows of a table.
struct LabelTexts {
  std::vector<std::string> texts = {};  ///< one per row; empty where the file says nothing
  std::string name = {};                ///< of the column that they come from; empty if none
  std::vector<Note> notes = {};         ///< what was decided without being asked
};

/// Reads a file with one label per line (an empty line is a row without a label), or with columns
/// in any order, one of which holds ids, which are matched with sample_ids (with 0-based rows if
/// there are none): rows that the file does not name have no label. Without ids on either side the
/// lines stand in the order of the rows. `column` names the one with the labels; unset: the only
/// other one, or one named class, label, target or y. A vector of numbers or texts may be NPY,
/// columns the first sheet of an XLSX file or obs of an AnnData file.
/// @throws DataError if one label per line does not make `rows` of them, for an unknown or repeated
/// id, and if several columns may hold the labels; InvalidArgument for an unknown column
LabelTexts read_labels(const std::string& path, Index rows,
                       const std::vector<std::string>& sample_ids,
                       const std::optional<std::string>& column = {});

/// Whether most lines of a file of labels or pairs name, in the same column, one of so many rows:
/// by an id, or by a number if there are no ids.
bool names_samples(const std::string& path, Index rows, const std::vector<std::string>& ids);

}  // namespace tamis
