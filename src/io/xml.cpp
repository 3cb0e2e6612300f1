#include "io/xml.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <new>
#include <vector>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kPieceSize = std::size_t{1} << 16;

std::string_view without_prefix(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

/// What a callback needs. Errors must not unwind through C: they wait until the parser returned.
struct Parsing {
  const XmlHandler& handler;
  XML_Parser parser;
  bool has_type = false;
  std::exception_ptr error = nullptr;

  template <class Call>
  void attempt(const Call& call) noexcept {
    if (error != nullptr) return;
    try {
      call();
    } catch (...) {
      error = std::current_exception();
      XML_StopParser(parser, XML_FALSE);
    }
  }
};

Parsing& parsing_of(void* context) { return *static_cast<Parsing*>(context); }

void XMLCALL on_start(void* context, const char* name, const char** attributes) {
  Parsing& parsing = parsing_of(context);
  if (parsing.handler.start)
    parsing.attempt(
        [&] { parsing.handler.start(without_prefix(name), XmlAttributes(attributes)); });
}

void XMLCALL on_end(void* context, const char* name) {
  Parsing& parsing = parsing_of(context);
  if (parsing.handler.end) parsing.attempt([&] { parsing.handler.end(without_prefix(name)); });
}

void XMLCALL on_text(void* context, const char* text, int size) {
  Parsing& parsing = parsing_of(context);
  if (parsing.handler.text)
    parsing.attempt([&] { parsing.handler.text({text, static_cast<std::size_t>(size)}); });
}

void XMLCALL on_type(void* context, const char*, const char*, const char*, int) {
  Parsing& parsing = parsing_of(context);
  parsing.has_type = true;
  XML_StopParser(parsing.parser, XML_FALSE);
}

struct FreeParser {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};

}  // namespace

std::optional<std::string_view> XmlAttributes::find(std::string_view name) const {
  for (const char** pair = pairs_; *pair != nullptr; pair += 2)
    if (without_prefix(*pair) == name) return pair[1];
  return std::nullopt;
}

void parse_xml(ByteSource& source, std::string_view part, const XmlHandler& handler) {
  const std::unique_ptr<XML_ParserStruct, FreeParser> parser(XML_ParserCreate(nullptr));
  if (parser == nullptr) throw std::bad_alloc();
  Parsing parsing{.handler = handler, .parser = parser.get()};
  XML_SetUserData(parser.get(), &parsing);
  XML_SetElementHandler(parser.get(), on_start, on_end);
  XML_SetCharacterDataHandler(parser.get(), on_text);
  XML_SetStartDoctypeDeclHandler(parser.get(), on_type);
  std::vector<char> piece(kPieceSize);
  for (bool is_last = false; !is_last;) {
    const std::size_t size = source.read(piece.data(), piece.size());
    is_last = size < piece.size();
    if (XML_Parse(parser.get(), piece.data(), static_cast<int>(size), is_last ? 1 : 0) ==
        XML_STATUS_OK)
      continue;
    if (parsing.error != nullptr) std::rethrow_exception(parsing.error);
    if (parsing.has_type)
      throw DataError(
          fmt::format("{}: {} has a document type, which may lead to other files and is not read",
                      source.name(), part));
    throw DataError(fmt::format("{}: {}, line {}: is no XML ({})", source.name(), part,
                                XML_GetCurrentLineNumber(parser.get()),
                                XML_ErrorString(XML_GetErrorCode(parser.get()))));
  }
}

}  // namespace tamis
