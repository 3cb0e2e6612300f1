#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Makes columns of the rows of so many values, row by row, in their own place and little more.
template <std::floating_point T>
void turn_values(Buffer<T>& values, Index rows, Index cols);

/// Makes columns of the rows of a table. Its ids become the names of features, numbered where they
/// repeat, and its names the ids, unless nobody gave them.
void turn(Table& table);

/// Whether the rows of a table without labels are perhaps its features: there are far more of them
/// than columns, and at least a thousand; or fewer, but their ids are like those of genes, or the
/// names of columns like those of samples (S1, GSM200, control_3). Never if its format says which
/// are the features.
bool looks_turned(const Table& table);

/// Numbers names that come again (x, x.1, x.2) and says so.
void make_unique(std::vector<std::string>& names, std::vector<Note>& notes);

}  // namespace tamis
