#include "io/deflater.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <utility>

namespace tamis {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 18;
constexpr std::size_t kLargestInput = std::size_t{1} << 30;  // zlib counts in unsigned int
constexpr int kLargestWindow = 15;
constexpr int kGzipHeader = 16;  // added to the window, says zlib
constexpr int kMemoryLevel = 8;

}  // namespace

struct Deflater::Stream {
  z_stream zlib = {};
  std::string compressed = std::string(kBufferSize, '\0');

  explicit Stream(Wrapper wrapper) {
    const int window = kLargestWindow + (wrapper == Wrapper::gzip ? kGzipHeader : 0);
    if (deflateInit2(&zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Stream() { deflateEnd(&zlib); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

Deflater::Deflater(Wrapper wrapper, Sink sink)
    : sink_(std::move(sink)), stream_(std::make_unique<Stream>(wrapper)) {}

Deflater::~Deflater() = default;

void Deflater::write(std::string_view bytes) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kLargestInput)))
    deflate_some(bytes.substr(0, kLargestInput), /*is_last=*/false);
}

void Deflater::finish() { deflate_some("", /*is_last=*/true); }

void Deflater::deflate_some(std::string_view bytes, bool is_last) {
  z_stream& zlib = stream_->zlib;
  std::string& compressed = stream_->compressed;
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  zlib.avail_in = static_cast<uInt>(bytes.size());
  do {
    zlib.next_out = reinterpret_cast<Bytef*>(compressed.data());
    zlib.avail_out = static_cast<uInt>(compressed.size());
    deflate(&zlib, is_last ? Z_FINISH : Z_NO_FLUSH);
    sink_(std::string_view(compressed).substr(0, compressed.size() - zlib.avail_out));
  } while (zlib.avail_out == 0);
}

}  // namespace tamis
