#include "io/expansion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kAlwaysContent = std::size_t{1} << 26;
constexpr std::size_t kLargestExpansion = 100;
constexpr Index kAlwaysLines = Index{1} << 20;

}  // namespace

std::size_t largest_content(std::optional<std::size_t> stored, bool is_trusted) {
  if (is_trusted) return std::numeric_limits<std::size_t>::max();
  return std::max(kAlwaysContent, kLargestExpansion * stored.value_or(0));
}

void refuse_expansion(const std::string& name, std::optional<std::size_t> stored) {
  throw DataError(fmt::format("{}: its content takes more than {} bytes{}", name,
                              largest_content(stored, /*is_trusted=*/false),
                              stored ? fmt::format(", the file {}", *stored) : ""),
                  {Remedy::Action::trust_file});
}

Index most_sparse_lines(std::size_t bytes, bool is_trusted) {
  if (is_trusted) return kMostSparseLines;
  return std::clamp(static_cast<Index>(bytes), kAlwaysLines, kMostSparseLines);
}

void check_sparse_shape(const std::string& file, Index rows, Index cols, std::size_t bytes,
                        bool is_trusted) {
  const Index lines = std::max(rows, cols);
  if (lines > kMostSparseLines)
    throw DataError(
        fmt::format("{}: a table of {} x {} is too large; those of its kind have at most {} rows "
                    "and columns",
                    file, rows, cols, kMostSparseLines));
  if (lines > most_sparse_lines(bytes, is_trusted))
    throw DataError(
        fmt::format("{}: makes a table of {} x {} out of {} bytes", file, rows, cols, bytes),
        {Remedy::Action::trust_file});
}

}  // namespace tamis
