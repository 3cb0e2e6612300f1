#pragma once

#include <string>
#include <vector>

#include "tamis/core/problem.hpp"

namespace tamis {

/// Labels as numbers and their names. Classes are numbered in ascending order of their names
/// (numerically if all of them are numbers).
struct EncodedLabels {
  std::vector<Index> labels = {};  ///< kUnlabeled where the text means "not known"
  std::vector<std::string> class_names = {};
};

/// `unlabeled` lists the texts that mean "not known"; empty: the empty text, NA, NaN and ?, and -1
/// if every label is a number and there are other numbers besides -1 and 1 or the caller cannot
/// mean the classes -1 and 1 (see labels.cpp for the exact rule).
EncodedLabels encode_labels(const std::vector<std::string>& texts,
                            const std::vector<std::string>& unlabeled = {});

/// Reads a file with one label per line (an optional header "label", "class", "target" or "y", or
/// two columns id,label matched with sample_ids). @throws DataError if its length is not `rows`
std::vector<std::string> read_labels(const std::string& path, Index rows,
                                     const std::vector<std::string>& sample_ids);

}  // namespace tamis
