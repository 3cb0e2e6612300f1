#include "io/rehearsal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/peak_memory.hpp"
#include "io/byte_source.hpp"
#include "io/expansion.hpp"
#include "io/matlab.hpp"
#include "io/table_stream.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr rlim_t kMegabyte = 1'000'000;

}  // namespace

std::optional<ReadingLimits> limits_of_hdf5(const std::string& path, ContentHeld held) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return std::nullopt;
  ByteSource source(path);
  if (!looks_like_matlab_73(source)) return std::nullopt;
  const auto size = source.remaining();
  if (!size) return std::nullopt;
  return ReadingLimits{
      .bytes = 256 * kMegabyte + static_cast<rlim_t>(held) * largest_content(size, false),
      .seconds = 20 + *size / kMegabyte};
}

#ifdef TAMIS_SANITIZED  // AddressSanitizer needs terabytes
MemoryLimit::MemoryLimit(rlim_t) {}
#else
MemoryLimit::MemoryLimit(rlim_t bytes) {
  const auto held = static_cast<rlim_t>(address_space_bytes());
  if (held == 0 || getrlimit(RLIMIT_AS, &before_) != 0) return;
  const rlimit lower{std::min(before_.rlim_cur, held + bytes), before_.rlim_max};
  is_set_ = setrlimit(RLIMIT_AS, &lower) == 0;
}
#endif

MemoryLimit::~MemoryLimit() {
  if (is_set_) setrlimit(RLIMIT_AS, &before_);
}

void limit_rehearsal(rlim_t seconds) {
  const rlimit no_core{0, 0};
  const rlimit time{seconds, seconds};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_CPU, &time);
}

bool rehearse_rows(const std::string& path, const ReadOptions& options) {
  constexpr Index kBlockBytes = 8 * Index{kMegabyte};
  const auto stream = open_table_stream(path, options);
  if (!stream) return false;
  RowSource& rows = *stream->rows;
  const Index step = std::max<Index>(kBlockBytes / rows.bytes_per_row(), 1);
  OwnedTable block;
  for (Index first = 0; first < rows.rows(); first += step)
    rows.read(first, std::min(step, rows.rows() - first), block);
  return true;
}

void refuse_damaged_hdf5(const std::string& path) {
  throw DataError(fmt::format("{}: the HDF5 file is damaged: the HDF5 library fails on it", path));
}

}  // namespace tamis
