#include "fuzz/target.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace tamis::fuzz {

InputFile::InputFile(std::string_view bytes)
    : path_((std::filesystem::temp_directory_path() / "tamis-fuzz-XXXXXX").string()) {
  const int descriptor = mkstemp(path_.data());
  claim(write(descriptor, bytes.data(), bytes.size()) == std::ssize(bytes), "inputs are written");
  close(descriptor);
}

InputFile::~InputFile() { unlink(path_.c_str()); }

void claim(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "This does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

void check_message(std::string_view message) {
  claim(!message.empty(), "a message says something");
  claim(printable(message) == message, "a message is printable");
}

}  // namespace tamis::fuzz
