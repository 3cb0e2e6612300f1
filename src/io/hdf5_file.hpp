#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/large_pages.hpp"
#include "tamis/core/index.hpp"

/// HDF5 files from strangers, read-only. Nothing in such a file makes us read another one: links
/// that lead away, external storage and virtual datasets are refused, plugins are not loaded. What
/// a dataset claims is compared with what the file can hold before memory is taken. HDF5 prints
/// nothing meanwhile.
namespace tamis {

/// HDF5, which has one global state, for one thread at a time: silent, without plugins, and as it
/// was before once this is gone.
class Hdf5Turn {
 public:
  Hdf5Turn();
  ~Hdf5Turn();
  Hdf5Turn(const Hdf5Turn&) = delete;
  Hdf5Turn& operator=(const Hdf5Turn&) = delete;

 private:
  struct State;

  std::unique_lock<std::recursive_mutex> lock_;
  std::unique_ptr<State> before_;
};

/// Owns an identifier of HDF5, of whatever kind.
class Hdf5Handle {
 public:
  explicit Hdf5Handle(std::int64_t id = -1) : id_(id) {}
  ~Hdf5Handle();
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }

  std::int64_t id() const { return id_; }
  bool is_valid() const { return id_ >= 0; }

 private:
  std::int64_t id_;
};

/// A name in a group, and where it leads.
struct Hdf5Member {
  std::string name = {};
  bool is_link = false;  ///< soft or external or of a user's making: not followed
  std::uint64_t address = 0;
};

/// What the items of a dataset are.
struct Hdf5Items {
  enum class Kind { signed_integer, unsigned_integer, floating, reference, compound, text, other };
  Kind kind = Kind::other;
  std::size_t size = 0;  ///< bytes of one item

  bool operator==(const Hdf5Items&) const = default;
};

class Hdf5File;

/// A group or a dataset. Must not outlive its file.
class Hdf5Object {
 public:
  bool is_group() const;
  bool is_dataset() const;

  std::vector<Hdf5Member> members() const;  ///< of a group, by name

  /// An attribute that is one short text, of whatever storage; nothing if there is none.
  std::optional<std::string> text_attribute(const char* name) const;
  /// An attribute that is one whole number.
  std::optional<std::uint64_t> number_attribute(const char* name) const;
  /// An attribute that is a few whole numbers; none if there is none.
  std::vector<Index> numbers_attribute(const char* name) const;

  /// Whether a dataset keeps its data in other files. Such a one can only be named.
  bool lies_elsewhere() const;
  /// The extents, slowest first; none of a scalar, nothing of a null dataspace.
  std::optional<std::vector<Index>> shape() const;
  Hdf5Items items() const;
  /// What all items take in memory. @throws DataError if the file cannot hold as much, or if all
  /// that was read from this file exceeds what it can hold
  std::size_t checked_bytes() const;
  /// The same without counting it, for a dataset that is read in parts.
  std::size_t claimed_bytes() const;
  /// The extents of the pieces in which it is stored; none if it is in one piece.
  std::vector<Index> chunk_shape() const;
  /// Reads checked_bytes() of numbers, or of addresses of objects, in native byte order.
  /// @throws DataError if a filter is not among those that come with HDF5
  void read(std::span<char> out) const;
  /// Of a dataset of two dimensions, entries first .. first + count - 1 of each line.
  /// @throws as read()
  void read_part(Index first, Index count, std::span<char> out) const;
  /// Lines first .. first + count - 1, which are items of a dataset of one dimension, as numbers of
  /// another kind. @throws as numbers()
  void read_lines(Index first, Index count, std::span<ColumnIndex> out) const;
  void read_lines(Index first, Index count, std::span<float> out) const;
  void read_lines(Index first, Index count, std::span<double> out) const;
  template <class Item>
  std::vector<Item> read_all() const {
    std::vector<Item> all(checked_bytes() / sizeof(Item));
    read({reinterpret_cast<char*>(all.data()), all.size() * sizeof(Item)});
    return all;
  }

  /// All items as numbers of another kind: Index, ColumnIndex, float or double; those that are too
  /// large for a ColumnIndex as its largest. @throws DataError if they are no numbers, or, as Index
  /// or ColumnIndex, no whole ones
  template <class Numbers>
  Numbers numbers() const {
    Numbers all;
    resize_on_large_pages(all, checked_items(sizeof(all[0])));
    read_as(std::span(all.data(), all.size()));
    return all;
  }
  std::vector<Index> whole_numbers() const { return numbers<std::vector<Index>>(); }
  /// Texts of fixed or of variable length, one after the other. @throws DataError if they are none
  std::vector<std::string> texts() const;

  [[noreturn]] void refuse(const std::string& why) const;

 private:
  friend class Hdf5File;
  Hdf5Object(const Hdf5File& file, Hdf5Handle handle, std::string called)
      : file_(&file), handle_(std::move(handle)), called_(std::move(called)) {}

  bool has_attribute(const char* name) const;
  std::size_t checked_items(std::size_t bytes_of_each) const;
  void read_as(std::span<Index> out) const;
  void read_as(std::span<ColumnIndex> out) const;
  void read_as(std::span<float> out) const;
  void read_as(std::span<double> out) const;
  void read_as(std::int64_t type, void* out) const;
  std::vector<std::string> fixed_texts(const Hdf5Handle& type) const;
  std::vector<std::string> heap_texts(const Hdf5Handle& type) const;
  std::size_t stored_bytes(const Hdf5Handle& creation) const;
  std::int64_t checked_type() const;
  void read_lines(Index first, Index count, std::int64_t type, void* out) const;
  void read_box(std::span<const Index> first, std::span<const Index> extents, std::int64_t type,
                void* out) const;
  void check_filters(const Hdf5Handle& creation) const;

  const Hdf5File* file_;
  Hdf5Handle handle_;
  std::string called_;
};

/// An open file. While one is open, other threads wait to open theirs.
class Hdf5File {
 public:
  /// `format` is how messages call the kind of file: "the {format} file is cut off or damaged".
  /// @param is_trusted whether its content may be any size (expansion.hpp)
  /// @throws DataError if it is no HDF5 file, or a damaged one
  Hdf5File(std::string path, std::string format, bool is_trusted);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  Hdf5Object root() const;
  /// Opens a member, which messages call `called`. @throws DataError if it is a link
  Hdf5Object open(const Hdf5Member& member, std::string called) const;
  /// Opens the member of that name, or nothing. Messages call it by its name.
  std::optional<Hdf5Object> find(const Hdf5Object& group, std::string_view name) const;

  /// Counts memory taken for the content, of which there may be so much in all (expansion.hpp).
  /// @throws DataError if it is exceeded
  void charge(std::size_t bytes) const;
  /// After a call of HDF5. @throws IoError if it failed because the system could not read the file
  void check_read() const;
  /// After a call that failed. @throws IoError likewise, else DataError
  [[noreturn]] void refuse_damaged() const;
  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t base() const { return base_; }  ///< where addresses count from

 private:
  std::string path_;
  std::string format_;
  Hdf5Turn turn_;
  std::uint64_t size_ = 0;
  std::uint64_t base_ = 0;
  mutable std::uint64_t budget_ = 0;
  Hdf5Handle handle_;
};

}  // namespace tamis
