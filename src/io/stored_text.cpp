#include "io/stored_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

class PlainText final : public StoredText {
 public:
  PlainText(const std::string& path, std::size_t size) : file_(path), size_(size) {}

  void read(std::uint64_t offset, std::span<char> out) const override { file_.read(offset, out); }
  std::size_t read_up_to(std::uint64_t offset, std::span<char> out) const override {
    constexpr Index kPieceBytes = Index{1} << 18;
    const std::size_t count = std::min<std::size_t>(out.size(), size_ - offset);
    parallel_for(static_cast<Index>(count), kPieceBytes, [&](Index begin, Index end) {
      file_.read(
          offset + static_cast<std::uint64_t>(begin),
          out.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    });
    return count;
  }
  std::size_t likely_size() const override { return size_; }
  bool goes_forward() const override { return false; }

 private:
  RandomAccessFile file_;
  std::size_t size_;
};

/// Decompresses anew from the start when it has to go back.
class CompressedText final : public StoredText {
 public:
  CompressedText(std::string path, bool is_trusted)
      : path_(std::move(path)), is_trusted_(is_trusted) {}

  void read(std::uint64_t offset, std::span<char> out) const override {
    if (read_up_to(offset, out) != out.size())
      throw IoError(fmt::format("{}: became shorter while it was read", path_));
  }
  std::size_t read_up_to(std::uint64_t offset, std::span<char> out) const override {
    const std::lock_guard lock(mutex_);
    if (source_ == nullptr || offset < place_) {
      source_ = std::make_unique<ByteSource>(path_, is_trusted_);
      place_ = 0;
    }
    std::array<char, kSkipped> skipped;
    while (place_ < offset)
      if (take(std::span(skipped).first(std::min<std::uint64_t>(kSkipped, offset - place_))) == 0)
        return 0;
    return take(out);
  }
  std::size_t likely_size() const override {
    const std::lock_guard lock(mutex_);
    return source_ != nullptr ? source_->likely_size() : 0;
  }
  bool goes_forward() const override { return true; }

 private:
  static constexpr std::size_t kSkipped = std::size_t{1} << 16;

  std::size_t take(std::span<char> out) const {
    const std::size_t count = source_->read(out.data(), out.size());
    place_ += count;
    return count;
  }

  std::string path_;
  bool is_trusted_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<ByteSource> source_ = nullptr;
  mutable std::uint64_t place_ = 0;  // in the text
};

}  // namespace

std::shared_ptr<const StoredText> stored_text(const ByteSource& source) {
  if (source.is_plain_file())
    return std::make_shared<PlainText>(source.path(), source.likely_size());
  return std::make_shared<CompressedText>(source.path(), source.is_trusted());
}

}  // namespace tamis
