#pragma once

#include <zip.h>

#include <string>
#include <utility>
#include <vector>

#include "files.hpp"

namespace tamis::test {

/// The bytes of a ZIP archive of these files.
inline std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("t.zip");
  zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  for (const auto& [name, content] : files)
    zip_file_add(archive, name.c_str(),
                 zip_source_buffer(archive, content.data(), content.size(), 0), 0);
  zip_close(archive);
  return bytes_of(path);
}

}  // namespace tamis::test
