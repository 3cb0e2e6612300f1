#include "io/zip_archive.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <new>

#include "io/expansion.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kSmallestEntry = 46;  // bytes of one in the directory of an archive

zip_t* as_zip(void* archive) { return static_cast<zip_t*>(archive); }

/// libzip's view of the source: a file, which need not be in memory, or bytes.
zip_source_t* source_of(ByteSource& source, zip_error_t& error) {
  if (source.is_plain_file()) return zip_source_file_create(source.path().c_str(), 0, -1, &error);
  const std::string_view bytes = source.rest();
  return zip_source_buffer_create(bytes.data(), bytes.size(), /*freep=*/0, &error);
}

/// As many bytes as the archive says, or an error.
class MemberStream final : public ByteStream {
 public:
  MemberStream(std::string called, zip_file_t* opened, std::size_t size)
      : called_(std::move(called)), opened_(opened), left_(size) {}
  ~MemberStream() override { zip_fclose(opened_); }

  std::size_t read(char* out, std::size_t count) override {
    if (left_ == 0) return 0;
    const std::size_t wanted = std::min(count, left_);
    for (std::size_t total = 0; total < wanted;) {
      const zip_int64_t got = zip_fread(opened_, out + total, wanted - total);
      if (got <= 0) refuse();
      total += static_cast<std::size_t>(got);
    }
    left_ -= wanted;
    char more = 0;
    if (left_ == 0 && zip_fread(opened_, &more, 1) != 0) refuse();  // which compares the checksum
    return wanted;
  }

 private:
  [[noreturn]] void refuse() const {
    throw DataError(fmt::format("{} in the archive is damaged or cut off", called_));
  }

  std::string called_;
  zip_file_t* opened_;
  std::size_t left_;
};

std::size_t stored_size(ByteSource& source) {
  if (!source.is_plain_file()) source.rest();
  return source.remaining().value_or(0);
}

}  // namespace

void ZipArchive::Discard::operator()(void* archive) const { zip_discard(as_zip(archive)); }

ZipArchive::ZipArchive(ByteSource& source, bool is_trusted)
    : name_(source.name()),
      stored_(stored_size(source)),
      budget_(largest_content(stored_, is_trusted)) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const bytes = source_of(source, error);
  if (bytes != nullptr) archive_.reset(zip_open_from_source(bytes, ZIP_RDONLY, &error));
  zip_error_fini(&error);
  if (archive_ == nullptr) {
    if (bytes != nullptr) zip_source_free(bytes);
    refuse_damaged();
  }
  list_members();
}

ZipArchive::~ZipArchive() = default;

void ZipArchive::list_members() {
  const zip_int64_t count = zip_get_num_entries(as_zip(archive_.get()), 0);
  if (count < 0 || static_cast<std::size_t>(count) > stored_ / kSmallestEntry) refuse_damaged();
  for (zip_uint64_t number = 0; number < static_cast<zip_uint64_t>(count); ++number) {
    zip_stat_t status;
    if (zip_stat_index(as_zip(archive_.get()), number, 0, &status) != 0 ||
        (status.valid & ZIP_STAT_NAME) == 0 || (status.valid & ZIP_STAT_SIZE) == 0)
      refuse_damaged();
    const std::string_view name = status.name;
    if (name.ends_with('/') || name.starts_with("__MACOSX/")) continue;
    members_.push_back({std::string(name), number, status.size});
  }
}

const ZipMember* ZipArchive::find(std::string_view name) const {
  const auto found = std::ranges::find(members_, name, &ZipMember::name);
  return found == members_.end() ? nullptr : &*found;
}

std::string ZipArchive::read(const ZipMember& member) {
  const std::unique_ptr<ByteSource> source = open(member);
  std::string content(member.size, '\0');
  source->read(content.data(), content.size());
  return content;
}

std::unique_ptr<ByteSource> ZipArchive::open(const ZipMember& member, const std::string& called) {
  if (member.size > budget_) refuse_expansion(name_, stored_);
  budget_ -= member.size;
  return open_again(member, called);
}

std::unique_ptr<ByteSource> ZipArchive::open_again(const ZipMember& member,
                                                   const std::string& called) const {
  zip_file_t* const opened = zip_fopen_index(as_zip(archive_.get()), member.number, 0);
  if (opened == nullptr)
    throw DataError(fmt::format("{}: {} in the archive cannot be read: {}", name_, member.name,
                                zip_strerror(as_zip(archive_.get()))));
  auto stream = std::make_unique<MemberStream>(fmt::format("{}: {}", name_, member.name), opened,
                                               member.size);
  return std::make_unique<ByteSource>(called.empty() ? name_ : fmt::format("{}: {}", name_, called),
                                      std::move(stream), member.size);
}

void ZipArchive::refuse_damaged() const {
  throw DataError(fmt::format("{}: the ZIP archive is damaged or cut off", name_));
}

}  // namespace tamis
