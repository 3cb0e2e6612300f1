#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tamis/core/problem.hpp"

namespace tamis {

/// Labels as numbers and their names. Classes are numbered in ascending order of their names
/// (numerically if all of them are numbers).
struct EncodedLabels {
  std::vector<Index> labels = {};  ///< kUnlabeled where the text means "not known"
  std::vector<std::string> class_names = {};
  std::vector<std::string> notes = {};  ///< for instance: -1 was taken as unlabeled, 1 is the only class
};

/// `unlabeled` lists the texts that mean "not known"; unset: the empty text, NA, NaN (in any case),
/// ?, and -1 (also -1.0) if every other label is a number.
EncodedLabels encode_labels(const std::vector<std::string>& texts,
                            const std::optional<std::vector<std::string>>& unlabeled = {});

/// Reads a file with one label per line (an optional header "label", "class", "target" or "y", or
/// two columns id,label matched with sample_ids). @throws DataError if its length is not `rows`
std::vector<std::string> read_labels(const std::string& path, Index rows,
                                     const std::vector<std::string>& sample_ids);

}  // namespace tamis
