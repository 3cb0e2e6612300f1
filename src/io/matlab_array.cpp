#include "io/matlab_array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <numeric>

namespace tamis {
namespace {

std::string_view class_name(MatlabClass kind) {
  constexpr std::string_view kNames[] = {
      "empty", "cell",  "struct", "object", "char",   "sparse", "double", "single",  "int8",
      "uint8", "int16", "uint16", "int32",  "uint32", "int64",  "uint64", "function"};
  const auto number = static_cast<std::size_t>(kind);
  return number < std::size(kNames) ? kNames[number] : "opaque";
}

}  // namespace

bool is_possible(std::span<const Index> shape) {
  constexpr Index kMostItems = Index{1} << 56;
  Index size = 1;
  for (const Index length : shape) {
    if (length < 0 || (length > 0 && size > kMostItems / length)) return false;
    size *= std::max<Index>(length, 1);
  }
  return true;
}

Index MatlabArray::size() const {
  return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
}

std::string MatlabArray::describe() const {
  return fmt::format("{} ({} {})", name, fmt::join(shape, " x "), class_name(kind));
}

const MatlabArray* MatlabFile::find(std::string_view name) const {
  const auto found = std::ranges::find(variables, name, &MatlabArray::name);
  return found != variables.end() ? &*found : nullptr;
}

}  // namespace tamis
