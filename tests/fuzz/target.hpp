#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

/// What fuzz targets share. A target defines LLVMFuzzerTestOneInput, which libFuzzer calls with one
/// input after the other.
namespace tamis::fuzz {

/// An input as a file in the temporary directory, which readers open by its path.
class InputFile {
 public:
  explicit InputFile(std::string_view bytes);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string_view view_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process unless the claim holds: a finding, as a crash is.
void claim(bool holds, std::string_view what);

/// A message is there, and printable.
void check_message(std::string_view message);

/// Calls what reads an input. It may refuse it by an error of ours; whatever else it throws is a
/// finding.
template <class Read>
void attempt(Read&& read) {
  const SerialSection one_thread(true);  // the same way through the code for the same input
  try {
    read();
  } catch (const Error& error) {
    check_message(error.what());
  }
}

}  // namespace tamis::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
