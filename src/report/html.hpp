#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tamis/core/index.hpp"

/// Markup for HTML and for SVG inside of it.
namespace tamis {

/// Markup that is safe by construction: whatever becomes text is escaped on its way in, and nothing
/// but the functions below makes tags. Bytes that are no UTF-8 and control characters become
/// U+FFFD.
class Html {
 public:
  Html() = default;
  Html(std::string_view text);
  Html(const std::string& text) : Html(std::string_view(text)) {}
  Html(const char* text) : Html(std::string_view(text)) {}

  Html& operator+=(const Html& other) {
    markup_ += other.markup_;
    return *this;
  }
  bool is_empty() const { return markup_.empty(); }
  const std::string& markup() const { return markup_; }

 private:
  friend class Tag;
  std::string markup_;
};

/// An attribute. A number is a coordinate: at most two decimals.
struct Attribute {
  std::string_view name;
  std::string value;

  Attribute(std::string_view its_name, std::string_view text) : name(its_name), value(text) {}
  Attribute(std::string_view its_name, double number);
  Attribute(std::string_view its_name, std::integral auto number)
      : name(its_name), value(std::to_string(number)) {}
};
using Attributes = std::initializer_list<Attribute>;

/// <tag attributes>content</tag>
Html element_of(std::string_view tag, Attributes attributes, const Html& content);

template <class... Parts>
Html element(std::string_view tag, Attributes attributes, const Parts&... parts) {
  Html content;
  ((content += Html(parts)), ...);
  return element_of(tag, attributes, content);
}

/// <tag attributes/>, for elements that hold nothing.
Html leaf(std::string_view tag, Attributes attributes);

/// <style> and <script>, whose content the browser takes as it is.
/// @throws InvalidArgument if the content would end its element
Html raw_element(std::string_view tag, Attributes attributes, std::string_view content);

/// "<!DOCTYPE html>" and the page.
std::string document(const Html& root);

/// A string in quotes for JSON inside of <script>: nothing in it ends the element or the line.
std::string json_string(std::string_view text);

}  // namespace tamis
