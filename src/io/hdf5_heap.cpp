#include "io/hdf5_heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kHeaderSize = 16;  // of a collection, and of each object in it
constexpr std::uint64_t kLargestCollection = std::uint64_t{1} << 24;
constexpr std::string_view kSignature{"GCOL\x01\0\0\0", 8};

/// A little-endian number of `size` bytes.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;)
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

}  // namespace

Hdf5Heap::Hdf5Heap(const std::string& path, std::uint64_t base)
    : path_(path), file_(path, std::ios::binary), base_(base) {
  if (!file_.is_open()) throw IoError(fmt::format("{}: {}", path_, std::strerror(errno)));
}

bool Hdf5Heap::read(std::uint64_t at, std::string& out) {
  file_.seekg(static_cast<std::streamoff>(at));
  file_.read(out.data(), static_cast<std::streamsize>(out.size()));
  if (file_.bad()) throw IoError(fmt::format("{}: {}", path_, std::strerror(errno)));
  return file_.good();
}

bool Hdf5Heap::open_collection(std::uint64_t address) {
  if (address_ == address) return true;
  address_.reset();
  objects_.clear();
  file_.clear();
  std::string header(kHeaderSize, '\0');
  if (!read(base_ + address, header) || !header.starts_with(kSignature)) return false;
  const std::uint64_t size = number_at(header, 8, 8);
  if (size < kHeaderSize || size > kLargestCollection) return false;
  collection_.assign(size - kHeaderSize, '\0');
  if (!read(base_ + address + kHeaderSize, collection_)) return false;
  std::string_view rest = collection_;
  while (rest.size() >= kHeaderSize) {
    const std::uint64_t number = number_at(rest, 0, 2);
    const std::uint64_t bytes = number_at(rest, 8, 8);
    rest.remove_prefix(kHeaderSize);
    if (number == 0 || bytes > rest.size()) break;  // free space is the last
    if (number >= objects_.size()) objects_.resize(number + 1);
    if (!objects_[number]) objects_[number] = rest.substr(0, bytes);
    rest.remove_prefix(std::min<std::size_t>(rest.size(), (bytes + 7) / 8 * 8));
  }
  address_ = address;
  return true;
}

std::optional<std::string_view> Hdf5Heap::text(const Hdf5HeapReference& reference) {
  const std::string_view parts(reference.data(), reference.size());
  const std::uint64_t length = number_at(parts, 0, 4);
  const std::uint64_t address = number_at(parts, 4, 8);
  const std::uint64_t number = number_at(parts, 12, 4);
  if (number == 0 || !open_collection(address) || number >= objects_.size()) return std::nullopt;
  const std::optional<std::string_view>& found = objects_[number];
  if (!found || length > found->size()) return std::nullopt;
  return found->substr(0, length);
}

}  // namespace tamis
