#include "streaming/whole_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "streaming/memory_plan.hpp"
#include "tamis/core/error.hpp"

namespace tamis {

Index file_size_of(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return 0;
  const auto size = std::filesystem::file_size(path, none);
  return none ? 0 : static_cast<Index>(size);
}

bool fits_for_sure(const std::string& path, Index memory) {
  return fits_in_memory(static_cast<double>(file_size_of(path)) * sizeof(double), memory);
}

void refuse_too_large(const std::string& path, Index memory, std::string_view remedy) {
  const Index size = file_size_of(path);
  if (fits_in_memory(static_cast<double>(size), memory)) return;
  throw InvalidArgument(
      fmt::format("{}: its {} do not fit into {} of memory, and only NPY files in C order, full "
                  "matrices of MATLAB 7.3, h5ad files by rows (dense or CSR) and 10x files are "
                  "read in runs of rows; {}",
                  path, bytes_text(size), bytes_text(memory), remedy));
}

}  // namespace tamis
