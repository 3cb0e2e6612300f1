#include "io/inflater.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace tamis {
namespace {

constexpr std::size_t kInputSize = std::size_t{1} << 16;

}  // namespace

struct Inflater::Stream {
  z_stream zlib{};
};

Inflater::Inflater(CompressedFeed feed)
    : feed_(std::move(feed)), stream_(std::make_unique<Stream>()), input_(kInputSize) {
  if (inflateInit(&stream_->zlib) != Z_OK) throw std::bad_alloc();
}

Inflater::~Inflater() { inflateEnd(&stream_->zlib); }

std::size_t Inflater::read(char* out, std::size_t count) {
  z_stream& zlib = stream_->zlib;
  std::size_t made = 0;
  while (made < count && !is_at_end_ && !is_damaged_) {
    if (zlib.avail_in == 0) {
      zlib.next_in = reinterpret_cast<Bytef*>(input_.data());
      zlib.avail_in = static_cast<uInt>(feed_(input_.data(), input_.size()));
    }
    const std::size_t room = std::min<std::size_t>(count - made, std::numeric_limits<uInt>::max());
    zlib.next_out = reinterpret_cast<Bytef*>(out + made);
    zlib.avail_out = static_cast<uInt>(room);
    const int code = inflate(&zlib, Z_NO_FLUSH);
    made += room - zlib.avail_out;
    is_at_end_ = code == Z_STREAM_END;
    is_damaged_ = code != Z_OK && !is_at_end_;  // also if it goes on and nothing is left
  }
  return made;
}

}  // namespace tamis
