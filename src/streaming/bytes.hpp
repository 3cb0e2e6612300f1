#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "tamis/core/error.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// What travels between processes, or waits in a file for the next one, on machines of one kind.
using Bytes = std::vector<std::byte>;

/// Puts numbers, and lists of them, behind each other.
class ByteWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& item) { append(&item, sizeof(T)); }
  /// How many, and all of them.
  template <class List>
  void put_all(const List& list) {
    put(static_cast<Index>(list.size()));
    append(list.data(), list.size() * sizeof(list[0]));
  }
  void put_bytes(std::span<const std::byte> bytes) { append(bytes.data(), bytes.size()); }

  Bytes take() { return std::move(bytes_); }

  /// What put_into(writer) puts, in memory of just its size: that is called twice, first to count.
  template <class PutInto>
  static Bytes written(const PutInto& put_into) {
    ByteWriter counting;
    counting.only_counts_ = true;
    put_into(counting);
    ByteWriter writer;
    writer.bytes_.reserve(counting.counted_);
    put_into(writer);
    return writer.take();
  }

 private:
  void append(const void* from, std::size_t size) {
    counted_ += size;
    if (only_counts_) return;
    const auto* const begin = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }

  bool only_counts_ = false;
  std::size_t counted_ = 0;
  Bytes bytes_;
};

/// Takes them off again.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}

  /// @throws DataError if there is not as much left; so do the next ones
  template <class T>
  requires std::is_trivially_copyable_v<T> T get() {
    T item;
    take(&item, sizeof(T));
    return item;
  }
  template <class List>
  List get_all() {
    using Item = typename List::value_type;
    const auto count = get<Index>();
    if (count < 0 || count > static_cast<Index>(left_.size() / sizeof(Item))) refuse();
    List list;
    list.resize(static_cast<std::size_t>(count));
    take(list.data(), list.size() * sizeof(Item));
    return list;
  }
  void get_bytes(std::span<std::byte> bytes) { take(bytes.data(), bytes.size()); }
  /// @throws DataError if something is left
  void expect_end() const {
    if (!left_.empty()) refuse();
  }
  [[noreturn]] static void refuse() {
    throw DataError("the answer of a run of rows is cut off or damaged");
  }

 private:
  void take(void* to, std::size_t size) {
    if (size > left_.size()) refuse();
    if (size > 0) std::memcpy(to, left_.data(), size);
    left_ = left_.subspan(size);
  }

  std::span<const std::byte> left_;
};

}  // namespace tamis
