#pragma once

#include <string>
#include <vector>

#include "files.hpp"

namespace tamis::test {

using Texts = std::vector<std::string>;

/// A file that another tool made: tests/data/formats/make_files.py says how.
inline std::string made_file(const std::string& name) {
  return (source_root() / "tests/data/formats" / name).string();
}

/// The table in a file of that content.
inline Table read_content(const std::string& content, const ReadOptions& options = {}) {
  const TemporaryDirectory directory;
  return read_table(directory.with("t", content), options);
}

/// What is said of a file of that content, without its name.
inline std::string refusal_of(const std::string& content) {
  const TemporaryDirectory directory;
  const std::string path = directory.with("t", content);
  return message_of<DataError>([&] { read_table(path); }).substr(path.size());
}

}  // namespace tamis::test
