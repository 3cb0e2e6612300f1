#include "io/arrow_file.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tamis/core/error.hpp"
#include "tamis/core/printable.hpp"

namespace tamis {
namespace {

/// Cells of a few columns that are decoded at once.
constexpr Index kCellsAtOnce = Index{1} << 17;

}  // namespace

const TamisArrowLibrary* arrow_library() {
  static const TamisArrowLibrary* const library = [] {
    void* const handle = dlopen("libtamis_arrow.so", RTLD_NOW | RTLD_LOCAL);
    void* const entry = handle == nullptr ? nullptr : dlsym(handle, TAMIS_ARROW_ENTRY_NAME);
    return entry == nullptr ? nullptr : reinterpret_cast<TamisArrowEntry>(entry)();
  }();
  return library;
}

void ArrowFile::Close::operator()(TamisArrowFile* file) const { arrow_library()->close(file); }

ArrowFile::ArrowFile(const std::string& path, std::size_t most_bytes) : path_(path) {
  const TamisArrowLibrary* const library = arrow_library();
  if (library == nullptr) refuse("libtamis_arrow.so is not installed");
  TamisArrowMessage message{};
  const auto limit = std::min<std::size_t>(most_bytes, std::numeric_limits<std::int64_t>::max());
  file_.reset(library->open(path.c_str(), static_cast<std::int64_t>(limit), &message));
  if (file_ == nullptr || library->schema(file_.get(), &schema_, &message) != 0)
    refuse(message.text);
  rows_ = library->rows(file_.get());
  if (rows_ < 0) refuse("it says that it has a negative number of rows");
}

void ArrowFile::read(std::span<const Index> wanted, const Take& take) const {
  const Index at_once = std::max<Index>(kCellsAtOnce / std::max<Index>(rows_, 1), 1);
  for (Index first = 0; first < std::ssize(wanted); first += at_once)
    read_group(wanted.subspan(first, std::min(at_once, std::ssize(wanted) - first)), first, take);
}

void ArrowFile::read_group(std::span<const Index> wanted, Index first_place,
                           const Take& take) const {
  const std::vector<int> columns(wanted.begin(), wanted.end());
  TamisArrowMessage message{};
  Released<ArrowArrayStream> stream;
  if (arrow_library()->columns(file_.get(), columns.data(), std::ssize(columns), &stream,
                               &message) != 0)
    refuse(message.text);
  const auto check = [&](int code) {
    if (code == 0) return;
    const char* const reason = stream.get_last_error(&stream);
    refuse(reason == nullptr ? "it cannot be read" : reason);
  };
  Released<ArrowSchema> schema;
  check(stream.get_schema(&stream, &schema));
  Index row = 0;
  while (true) {
    Released<ArrowArray> batch;
    check(stream.get_next(&stream, &batch));
    if (batch.release == nullptr) break;
    if (batch.n_children != std::ssize(columns) || row + batch.length > rows_)
      refuse("its parts do not fit each other");
    for (Index k = 0; k < batch.n_children; ++k)
      take(first_place + k, row, *schema.children[k], *batch.children[k]);
    row += batch.length;
  }
  if (row != rows_) refuse("it has fewer rows than it says");
}

void ArrowFile::refuse(const std::string& why) const {
  throw DataError(fmt::format("{}: Arrow cannot read it: {}", path_, printable(why)));
}

}  // namespace tamis
