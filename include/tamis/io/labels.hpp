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

/// `unlabeled` lists the texts that mean "not known"; unset: the empty text, NA, NaN (in any case),
/// ?, and -1 (also -1.0) if every other label is a number and these are at least two classes.
/// @throws DataError if the labels are more than 20 numbers of which most rows have one of their
/// own
EncodedLabels encode_labels(const std::vector<std::string>& texts,
                            const std::optional<std::vector<std::string>>& unlabeled = {});

/// Reads a file with one label per line (an optional header "label", "class", "target" or "y"; an
/// empty line is a row without a label), or with two columns id,label in any order of rows: ids
/// are matched with sample_ids (with 0-based rows if there are none), and rows that the file does
/// not name have no label.
/// @throws DataError if one label per line does not make `rows` of them, for an unknown or repeated
/// id, for other numbers of columns; the message names file and line
std::vector<std::string> read_labels(const std::string& path, Index rows,
                                     const std::vector<std::string>& sample_ids);

}  // namespace tamis
