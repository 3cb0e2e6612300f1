#include "report/html.hpp"

#include <fmt/format.h>

#include "report/text.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::string escaped(std::string_view text) {
  std::string markup;
  markup.reserve(text.size());
  for (const char c : clean_text(text)) switch (c) {
      case '&':
        markup += "&amp;";
        break;
      case '<':
        markup += "&lt;";
        break;
      case '>':
        markup += "&gt;";
        break;
      case '"':
        markup += "&quot;";
        break;
      case '\'':
        markup += "&#39;";
        break;
      default:
        markup += c;
    }
  return markup;
}

std::string coordinate(double number) {
  std::string text = fmt::format("{:.2f}", number);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace

Html::Html(std::string_view text) : markup_(escaped(text)) {}

Attribute::Attribute(std::string_view its_name, double number)
    : name(its_name), value(coordinate(number)) {}

/// The only maker of tags.
class Tag {
 public:
  Tag(std::string_view name, Attributes attributes) : name_(name), opening_("<") {
    opening_ += name;
    for (const Attribute& attribute : attributes) {
      opening_ += ' ';
      opening_ += attribute.name;
      opening_ += "=\"";
      opening_ += escaped(attribute.value);
      opening_ += '"';
    }
  }

  Html around(std::string_view markup) const {
    Html html;
    html.markup_.reserve(opening_.size() + markup.size() + name_.size() + 4);
    html.markup_ += opening_;
    html.markup_ += '>';
    html.markup_ += markup;
    html.markup_ += "</";
    html.markup_ += name_;
    html.markup_ += '>';
    return html;
  }

  Html alone() const {
    Html html;
    html.markup_ = opening_ + "/>";
    return html;
  }

 private:
  std::string_view name_;
  std::string opening_;
};

Html element_of(std::string_view tag, Attributes attributes, const Html& content) {
  return Tag(tag, attributes).around(content.markup());
}

Html leaf(std::string_view tag, Attributes attributes) { return Tag(tag, attributes).alone(); }

Html raw_element(std::string_view tag, Attributes attributes, std::string_view content) {
  if (content.find("</") != std::string_view::npos ||
      content.find("<!--") != std::string_view::npos)
    throw InvalidArgument(fmt::format("html: the content of <{}> would end it", tag));
  return Tag(tag, attributes).around(content);
}

std::string document(const Html& root) { return "<!DOCTYPE html>\n" + root.markup() + "\n"; }

std::string json_string(std::string_view text) {
  std::string json = "\"";
  const std::string clean = clean_text(text);
  for (std::size_t place = 0; place < clean.size(); ++place) {
    const char c = clean[place];
    const std::string_view rest = std::string_view(clean).substr(place, 3);
    if (rest == "\u2028" || rest == "\u2029") {
      json += rest == "\u2028" ? "\\u2028" : "\\u2029";
      place += 2;
    } else if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (c == '<' || c == '>' || c == '&' || static_cast<unsigned char>(c) < 0x20U) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  return json + '"';
}

}  // namespace tamis
