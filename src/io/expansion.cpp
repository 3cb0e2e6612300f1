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
  if (is_trusted) return std::numeric_limits<Index>::max();
  return std::max(kAlwaysLines, static_cast<Index>(bytes));
}

}  // namespace tamis
