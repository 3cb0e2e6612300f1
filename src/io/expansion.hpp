#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tamis/core/index.hpp"

/// How much more than its file the content may be. Compressed and sparse files can claim a thousand
/// times what they hold, or ten million times; tables that are worth reading seldom do.
namespace tamis {

/// The most bytes that a compressed file of this size (nothing: not known) may become: 64 MiB, or a
/// hundred times its size if that is more. No limit if the file is trusted.
std::size_t largest_content(std::optional<std::size_t> stored, bool is_trusted);

/// @throws DataError saying that the file becomes more than that
[[noreturn]] void refuse_expansion(const std::string& name, std::optional<std::size_t> stored);

/// The most rows or columns that a sparse table may claim, of which most would be empty: 2^20, or
/// as many as the bytes it is made from if these are more. If the file is trusted, as many as a
/// sparse table can have.
Index most_sparse_lines(std::size_t bytes, bool is_trusted);

/// @throws DataError if it claims more of them than that
void check_sparse_shape(const std::string& file, Index rows, Index cols, std::size_t bytes,
                        bool is_trusted);

}  // namespace tamis
