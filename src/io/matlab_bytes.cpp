#include "io/matlab_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kStep = std::size_t{1} << 16;

}  // namespace

StoredBytes::StoredBytes(ByteSource& source) : name_(source.name()) {
  if (source.is_plain_file()) {
    size_ = *source.remaining();
    file_ = std::make_unique<RandomAccessFile>(source.path());
  } else {
    bytes_ = source.rest();
    size_ = bytes_.size();
  }
}

void StoredBytes::read(std::size_t offset, std::span<char> out) const {
  if (file_ != nullptr)
    file_->read(offset, out);
  else
    bytes_.copy(out.data(), out.size(), offset);
}

void StoredBytes::refuse() const {
  throw DataError(fmt::format("{}: the MATLAB file is cut off or damaged", name_));
}

VariableBytes::VariableBytes(std::shared_ptr<const StoredBytes> stored, std::size_t begin,
                             std::size_t size, bool is_compressed)
    : stored_(std::move(stored)), begin_(begin), size_(size), is_compressed_(is_compressed) {}

std::string VariableBytes::start(std::size_t count) {
  std::string bytes;
  if (!is_compressed_) {
    bytes.resize(std::min(count, size_));
    stored_->read(begin_, bytes);
    return bytes;
  }
  inflater_ = nullptr;
  while (bytes.size() < count && !(inflater_ != nullptr && inflater_->is_at_end())) {
    const std::size_t used = bytes.size();
    bytes.resize(std::min(count, std::max(used + kStep, 2 * used)));
    const std::size_t made = inflate(bytes.data() + used, bytes.size() - used);
    if (used + made < bytes.size() && !inflater_->is_at_end()) stored_->refuse();
    bytes.resize(used + made);
  }
  return bytes;
}

void VariableBytes::read(std::size_t offset, std::span<char> out) {
  if (!is_compressed_) {
    if (offset > size_ || out.size() > size_ - offset) stored_->refuse();
    return stored_->read(begin_ + offset, out);
  }
  if (offset < position_) inflater_ = nullptr;
  skip(offset - (inflater_ == nullptr ? 0 : position_));
  if (inflate(out.data(), out.size()) < out.size()) stored_->refuse();
}

void VariableBytes::finish(std::size_t most) {
  if (!is_compressed_) return;
  std::array<char, 4096> unused{};
  for (std::size_t left = most; !(inflater_ != nullptr && inflater_->is_at_end());) {
    const std::size_t made = inflate(unused.data(), unused.size());
    if (made > left || (made == 0 && !inflater_->is_at_end())) stored_->refuse();
    left -= made;
  }
}

std::size_t VariableBytes::inflate(char* out, std::size_t count) {
  if (inflater_ == nullptr) {
    position_ = 0;
    const auto feed = [this, given = std::size_t{0}](char* into, std::size_t wanted) mutable {
      const std::size_t next = std::min(wanted, size_ - given);
      stored_->read(begin_ + given, {into, next});
      given += next;
      return next;
    };
    inflater_ = std::make_unique<Inflater>(feed);
  }
  const std::size_t made = inflater_->read(out, count);
  position_ += made;
  return made;
}

void VariableBytes::skip(std::size_t count) {
  std::array<char, 4096> unused{};
  while (count > 0) {
    const std::size_t made = inflate(unused.data(), std::min(count, unused.size()));
    if (made == 0) stored_->refuse();
    count -= made;
  }
}

}  // namespace tamis
