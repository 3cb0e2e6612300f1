#include "tamis/registry/method_call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

void add_option(const std::string& text, const std::string& call, OptionTexts& options) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InvalidArgument(fmt::format("'{}' in '{}' is not option=value", text, call));
  std::string name = text.substr(0, equals);
  std::ranges::replace(name, '-', '_');  // as the program writes flags
  if (!options.emplace(name, text.substr(equals + 1)).second)
    throw InvalidArgument(fmt::format("'{}' gives {} twice", call, name));
}

}  // namespace

MethodCall parse_method_call(const std::string& text) {
  const std::size_t colon = text.find(':');
  MethodCall call{&find_method(text.substr(0, colon)), {}};
  for (std::size_t end = colon; end != std::string::npos;) {
    const std::size_t begin = end + 1;
    end = text.find(',', begin);
    add_option(text.substr(begin, end == std::string::npos ? end : end - begin), text,
               call.options);
  }
  call.method->resolve(call.options);
  return call;
}

}  // namespace tamis
