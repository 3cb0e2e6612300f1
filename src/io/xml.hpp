#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "io/byte_source.hpp"

namespace tamis {

/// The attributes of an element; names without prefix.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char** pairs) : pairs_(pairs) {}
  std::optional<std::string_view> find(std::string_view name) const;

 private:
  const char** pairs_;  // expat's: name, value, ..., nullptr
};

/// What is called while a document is read; names without prefix.
struct XmlHandler {
  std::function<void(std::string_view name, const XmlAttributes& attributes)> start = {};
  std::function<void(std::string_view name)> end = {};
  std::function<void(std::string_view text)> text = {};  ///< in any number of parts
};

/// Reads a document by expat, piece by piece. Nothing makes it read another file, or expand what
/// stands for more: a document type, the only place for such things, is refused.
/// @throws DataError naming the file, the part of it and the line
void parse_xml(ByteSource& source, std::string_view part, const XmlHandler& handler);

}  // namespace tamis
