#include "io/stored_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

class PlainText final : public StoredText {
 public:
  explicit PlainText(const std::string& path) : file_(path) {}

  void read(std::uint64_t offset, std::span<char> out) const override { file_.read(offset, out); }
  bool goes_forward() const override { return false; }

 private:
  RandomAccessFile file_;
};

/// Decompresses anew from the start when it has to go back.
class CompressedText final : public StoredText {
 public:
  CompressedText(std::string path, bool is_trusted)
      : path_(std::move(path)), is_trusted_(is_trusted) {}

  void read(std::uint64_t offset, std::span<char> out) const override {
    const std::lock_guard lock(mutex_);
    if (source_ == nullptr || offset < place_) {
      source_ = std::make_unique<ByteSource>(path_, is_trusted_);
      place_ = 0;
    }
    std::array<char, kSkipped> skipped;
    while (place_ < offset)
      take(std::span(skipped).first(std::min<std::uint64_t>(kSkipped, offset - place_)));
    take(out);
  }
  bool goes_forward() const override { return true; }

 private:
  static constexpr std::size_t kSkipped = std::size_t{1} << 16;

  void take(std::span<char> out) const {
    if (source_->read(out.data(), out.size()) != out.size())
      throw IoError(fmt::format("{}: became shorter while it was read", path_));
    place_ += out.size();
  }

  std::string path_;
  bool is_trusted_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<ByteSource> source_ = nullptr;
  mutable std::uint64_t place_ = 0;  // in the text
};

}  // namespace

std::shared_ptr<const StoredText> stored_text(const ByteSource& source) {
  if (source.is_plain_file()) return std::make_shared<PlainText>(source.path());
  return std::make_shared<CompressedText>(source.path(), source.is_trusted());
}

}  // namespace tamis
