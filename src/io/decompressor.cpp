#include "io/decompressor.hpp"

#include <bzlib.h>
#include <fmt/format.h>
#include <lzma.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <string>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kInputSize = std::size_t{1} << 17;
constexpr int kLargestWindowLog = 27;  // of zstd: 128 MiB
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 28;

/// What is left of the compressed bytes at hand, and of the room for content.
struct Buffers {
  char* in = nullptr;
  std::size_t in_size = 0;
  char* out = nullptr;
  std::size_t out_size = 0;

  void advance(std::size_t taken, std::size_t made) {
    in += taken;
    in_size -= taken;
    out += made;
    out_size -= made;
  }
};

enum class Progress { within, at_end_of_frame, failed };

/// libzstd, which goes from frame to frame by itself.
class ZstdCodec {
 public:
  ZstdCodec() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, kLargestWindowLog);
  }
  ~ZstdCodec() { ZSTD_freeDStream(stream_); }
  ZstdCodec(const ZstdCodec&) = delete;
  ZstdCodec& operator=(const ZstdCodec&) = delete;

  Progress step(Buffers& buffers) {
    ZSTD_inBuffer in{buffers.in, buffers.in_size, 0};
    ZSTD_outBuffer out{buffers.out, buffers.out_size, 0};
    const std::size_t code = ZSTD_decompressStream(stream_, &out, &in);
    buffers.advance(in.pos, out.pos);
    if (ZSTD_isError(code) != 0) return Progress::failed;
    return code == 0 ? Progress::at_end_of_frame : Progress::within;
  }

 private:
  ZSTD_DStream* stream_;
};

/// libbz2, which starts anew for each of several streams in a file.
class Bzip2Codec {
 public:
  Bzip2Codec() { start(); }
  ~Bzip2Codec() { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Codec(const Bzip2Codec&) = delete;
  Bzip2Codec& operator=(const Bzip2Codec&) = delete;

  Progress step(Buffers& buffers) {
    constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
    const std::size_t in_size = std::min(buffers.in_size, kMost);
    const std::size_t out_size = std::min(buffers.out_size, kMost);
    stream_.next_in = buffers.in;
    stream_.avail_in = static_cast<unsigned>(in_size);
    stream_.next_out = buffers.out;
    stream_.avail_out = static_cast<unsigned>(out_size);
    const int code = BZ2_bzDecompress(&stream_);
    buffers.advance(in_size - stream_.avail_in, out_size - stream_.avail_out);
    if (code == BZ_OK) return Progress::within;
    if (code != BZ_STREAM_END) return Progress::failed;
    BZ2_bzDecompressEnd(&stream_);
    start();
    return Progress::at_end_of_frame;
  }

 private:
  void start() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, /*verbosity=*/0, /*small=*/0) != BZ_OK)
      throw std::bad_alloc();
  }

  bz_stream stream_ = {};
};

/// liblzma, likewise.
class XzCodec {
 public:
  XzCodec() { start(); }
  ~XzCodec() { lzma_end(&stream_); }
  XzCodec(const XzCodec&) = delete;
  XzCodec& operator=(const XzCodec&) = delete;

  Progress step(Buffers& buffers) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(buffers.in);
    stream_.avail_in = buffers.in_size;
    stream_.next_out = reinterpret_cast<std::uint8_t*>(buffers.out);
    stream_.avail_out = buffers.out_size;
    const lzma_ret code = lzma_code(&stream_, LZMA_RUN);
    buffers.advance(buffers.in_size - stream_.avail_in, buffers.out_size - stream_.avail_out);
    if (code == LZMA_OK || code == LZMA_BUF_ERROR) return Progress::within;
    if (code != LZMA_STREAM_END) return Progress::failed;
    start();
    return Progress::at_end_of_frame;
  }

 private:
  void start() {
    if (lzma_stream_decoder(&stream_, kMostMemory, /*flags=*/0) != LZMA_OK) throw std::bad_alloc();
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

template <class Codec>
class Decompressor final : public ByteStream {
 public:
  Decompressor(std::string_view compression, std::string_view file, CompressedFeed feed)
      : compression_(compression), file_(file), feed_(std::move(feed)), input_(kInputSize, '\0') {}

  std::size_t read(char* out, std::size_t count) override {
    buffers_.out = out;
    buffers_.out_size = count;
    while (buffers_.out_size > 0 && !at_end_) {
      if (buffers_.in_size == 0) refill();
      if (is_fed_ && is_at_frame_) {
        at_end_ = true;  // nothing follows the last frame
        break;
      }
      advance();
    }
    return count - buffers_.out_size;
  }

 private:
  void refill() {
    buffers_.in = input_.data();
    buffers_.in_size = feed_(input_.data(), input_.size());
    is_fed_ = buffers_.in_size == 0;
  }

  void advance() {
    const std::size_t in_before = buffers_.in_size;
    const std::size_t out_before = buffers_.out_size;
    const Progress progress = codec_.step(buffers_);
    const bool is_stuck = in_before == buffers_.in_size && out_before == buffers_.out_size;
    is_at_frame_ = progress == Progress::at_end_of_frame;
    if (progress == Progress::failed || (is_stuck && is_fed_ && !is_at_frame_))
      throw DataError(
          fmt::format("{}: the {}-compressed content is damaged or cut off", file_, compression_));
  }

  std::string compression_;
  std::string file_;
  CompressedFeed feed_;
  Codec codec_;
  std::string input_;
  Buffers buffers_ = {};
  bool is_fed_ = false;       // there are no more compressed bytes than those at hand
  bool is_at_frame_ = false;  // a frame is complete, another may follow
  bool at_end_ = false;
};

constexpr std::string_view kZstd = "zstd";
constexpr std::string_view kBzip2 = "bzip2";
constexpr std::string_view kXz = "xz";

bool begins_zstd(std::string_view start) { return start.starts_with("\x28\xB5\x2F\xFD"sv); }
bool begins_xz(std::string_view start) { return start.starts_with("\xFD\x37zXZ\0"sv); }
/// Their first bytes are letters, as those of a text may be: what follows the level decides.
bool begins_bzip2(std::string_view start) {
  return start.starts_with("BZh") && start.substr(4).starts_with("1AY&SY");
}

template <class Codec, const std::string_view& name>
std::unique_ptr<ByteStream> open_codec(std::string_view file, CompressedFeed feed) {
  return std::make_unique<Decompressor<Codec>>(name, file, std::move(feed));
}

constexpr auto kCompressions = std::to_array<Compression>({
    {kZstd, "unzstd", begins_zstd, open_codec<ZstdCodec, kZstd>},
    {kXz, "unxz -k", begins_xz, open_codec<XzCodec, kXz>},
    {kBzip2, "bunzip2 -k", begins_bzip2, open_codec<Bzip2Codec, kBzip2>},
});

}  // namespace

const Compression* compression_of(std::string_view start) {
  const auto found = std::ranges::find_if(kCompressions, [&](const Compression& compression) {
    return start.size() > 4 && compression.begins(start);
  });
  return found == kCompressions.end() ? nullptr : &*found;
}

}  // namespace tamis
