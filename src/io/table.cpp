#include "tamis/io/table.hpp"

namespace tamis {

std::string_view name_of(Format format) {
  switch (format) {
    case Format::csv:
      return "csv";
    case Format::tsv:
      return "tsv";
    case Format::libsvm:
      return "libsvm";
    case Format::matlab:
      return "matlab";
    case Format::npy:
      return "npy";
  }
  return "";
}

}  // namespace tamis
