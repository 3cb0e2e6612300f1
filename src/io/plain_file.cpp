#include "io/plain_file.hpp"

#include <fmt/format.h>

#include <fstream>

#include "io/decompressor.hpp"
#include "io/zip_archive.hpp"

namespace tamis {
namespace {

/// What makes a plain file of a compressed one; empty if there is none to be made.
std::string_view tool_for(const std::string& path) {
  if (path == "-") return {};
  std::string start(kLongestCompressionMagic, '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), std::ssize(start));
  if (const Compression* const compression = compression_of(start)) return compression->tool;
  if (start.starts_with("\x1F\x8B")) return "gunzip -k";
  return start.starts_with(kZipMagic) ? "unzip" : "";
}

}  // namespace

std::string needs_plain_file(const ByteSource& source, std::string_view what) {
  const std::string_view tool = tool_for(source.path());
  return fmt::format(
      "{}: {} can be read neither from a pipe nor compressed; {}", source.name(), what,
      tool.empty() ? "give it as a plain file"
                   : fmt::format("make a plain file of it by {} {}", tool, source.path()));
}

}  // namespace tamis
