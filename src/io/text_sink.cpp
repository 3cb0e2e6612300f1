#include "io/text_sink.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tamis {
namespace {

constexpr std::size_t kFlushAt = std::size_t{1} << 18;

}  // namespace

TextSink::TextSink(const std::string& path)
    : file_(path),
      deflater_(path.ends_with(".gz") ? std::make_unique<Deflater>(
                                            Deflater::Wrapper::gzip,
                                            [this](std::string_view bytes) { file_.write(bytes); })
                                      : nullptr) {}

void TextSink::append(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() >= kFlushAt) flush();
}

void TextSink::append_number(double value) {
  fmt::format_to(std::back_inserter(buffer_), "{}", value);
}

void TextSink::append_number(float value) {
  fmt::format_to(std::back_inserter(buffer_), "{}", value);
}

void TextSink::commit() {
  flush();
  if (deflater_) deflater_->finish();
  file_.commit();
}

void TextSink::flush() {
  if (deflater_)
    deflater_->write(buffer_);
  else
    file_.write(buffer_);
  buffer_.clear();
}

}  // namespace tamis
