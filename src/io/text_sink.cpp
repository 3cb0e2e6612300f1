#include "io/text_sink.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <iterator>
#include <new>

namespace tamis {
namespace {

constexpr std::size_t kFlushAt = std::size_t{1} << 18;
constexpr int kGzipWindow = 15 + 16;  // zlib: the largest window, and a gzip header
constexpr int kMemoryLevel = 8;

}  // namespace

struct TextSink::Deflater {
  z_stream stream = {};
  std::string compressed = std::string(kFlushAt, '\0');

  Deflater() {
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void write(AtomicFile& file, std::string& text, bool is_last) {
    stream.next_in = reinterpret_cast<Bytef*>(text.data());
    stream.avail_in = static_cast<uInt>(text.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
      stream.avail_out = static_cast<uInt>(compressed.size());
      deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
      file.write(std::string_view(compressed).substr(0, compressed.size() - stream.avail_out));
    } while (stream.avail_out == 0);
  }
};

TextSink::TextSink(const std::string& path)
    : file_(path), deflater_(path.ends_with(".gz") ? std::make_unique<Deflater>() : nullptr) {}

TextSink::~TextSink() = default;

void TextSink::append(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() >= kFlushAt) flush(/*is_last=*/false);
}

void TextSink::append_number(double value) {
  fmt::format_to(std::back_inserter(buffer_), "{}", value);
}

void TextSink::append_number(float value) {
  fmt::format_to(std::back_inserter(buffer_), "{}", value);
}

void TextSink::commit() {
  flush(/*is_last=*/true);
  file_.commit();
}

void TextSink::flush(bool is_last) {
  if (deflater_)
    deflater_->write(file_, buffer_, is_last);
  else
    file_.write(buffer_);
  buffer_.clear();
}

}  // namespace tamis
