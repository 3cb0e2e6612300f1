#include "io/text_sink.hpp"

#include "io/number_text.hpp"

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

void TextSink::append_number(double value) { tamis::append_number(buffer_, value); }

void TextSink::append_number(float value) { tamis::append_number(buffer_, value); }

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
