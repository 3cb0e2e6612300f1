#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

inline constexpr std::string_view kZipMagic = "PK\x03\x04";

/// A file in a ZIP archive.
struct ZipMember {
  std::string name = {};
  std::uint64_t number = 0;  ///< among all entries
  std::size_t size = 0;      ///< of its content, as the archive says
};

/// A ZIP archive from a stranger, by libzip. All its content together may be as much as one
/// compressed file (expansion.hpp).
class ZipArchive {
 public:
  /// Reads a plain file where it lies, and all of anything else. The source must outlive it.
  /// @throws DataError if it is damaged
  ZipArchive(ByteSource& source, bool is_trusted);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  /// The files, without folders and what macOS adds.
  const std::vector<ZipMember>& members() const { return members_; }
  /// The file of that name, or nullptr.
  const ZipMember* find(std::string_view name) const;

  /// @throws DataError if it is encrypted, damaged, or becomes more than it may
  std::string read(const ZipMember& member);
  /// The same bit by bit; the archive must outlive it. `called` is what messages call it beside the
  /// archive, if they are to.
  std::unique_ptr<ByteSource> open(const ZipMember& member, const std::string& called = {});
  /// Once more from its start.
  std::unique_ptr<ByteSource> open_again(const ZipMember& member, const std::string& called) const;

 private:
  struct Discard {
    void operator()(void* archive) const;
  };

  void list_members();
  [[noreturn]] void refuse_damaged() const;

  std::string name_;
  std::size_t stored_;
  std::size_t budget_;
  std::unique_ptr<void, Discard> archive_ = nullptr;  // libzip's zip_t
  std::vector<ZipMember> members_ = {};
};

}  // namespace tamis
