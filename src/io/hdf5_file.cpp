#include "io/hdf5_file.hpp"

#define H5_USE_110_API  // newer versions of HDF5 keep the functions of 1.10 under this name
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <limits>

#include "io/expansion.hpp"
#include "io/hdf5_heap.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Kind = Hdf5Items::Kind;

/// Deflate makes at most 1032 bytes of one (zlib.net/zlib_tech.html).
constexpr std::uint64_t kLargestExpansion = 1032;
constexpr std::uint64_t kSmallestLink =
    8;  // bytes that a member needs in a file, at the very least
constexpr std::size_t kLongestAttribute = 256;

std::recursive_mutex one_at_a_time;

struct Listing {
  std::vector<Hdf5Member> members = {};
  std::uint64_t most = 0;  // members that the file can hold
};

herr_t add_member(hid_t, const char* name, const H5L_info_t* link, void* context) noexcept {
  auto& listing = *static_cast<Listing*>(context);
  if (listing.members.size() >= listing.most) return -1;
  try {
    const bool is_link = link->type != H5L_TYPE_HARD;
    listing.members.push_back({name, is_link, is_link ? 0 : link->u.address});
  } catch (...) {  // no memory: must not unwind through C
    return -1;
  }
  return 0;
}

struct NumberType {
  hid_t little;
  hid_t big;
  hid_t native;
  Hdf5Items items;
};

/// Only numbers that are laid out as every machine has them; HDF5 at most swaps their bytes.
std::array<NumberType, 10> number_types() {
  constexpr auto kSigned = Kind::signed_integer;
  constexpr auto kUnsigned = Kind::unsigned_integer;
  return {{{H5T_STD_I8LE, H5T_STD_I8BE, H5T_NATIVE_INT8, {kSigned, 1}},
           {H5T_STD_U8LE, H5T_STD_U8BE, H5T_NATIVE_UINT8, {kUnsigned, 1}},
           {H5T_STD_I16LE, H5T_STD_I16BE, H5T_NATIVE_INT16, {kSigned, 2}},
           {H5T_STD_U16LE, H5T_STD_U16BE, H5T_NATIVE_UINT16, {kUnsigned, 2}},
           {H5T_STD_I32LE, H5T_STD_I32BE, H5T_NATIVE_INT32, {kSigned, 4}},
           {H5T_STD_U32LE, H5T_STD_U32BE, H5T_NATIVE_UINT32, {kUnsigned, 4}},
           {H5T_STD_I64LE, H5T_STD_I64BE, H5T_NATIVE_INT64, {kSigned, 8}},
           {H5T_STD_U64LE, H5T_STD_U64BE, H5T_NATIVE_UINT64, {kUnsigned, 8}},
           {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, {Kind::floating, 4}},
           {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, {Kind::floating, 8}}}};
}

Hdf5Items items_of(hid_t type) {
  for (const NumberType& number : number_types())
    if (H5Tequal(type, number.little) > 0 || H5Tequal(type, number.big) > 0) return number.items;
  if (H5Tequal(type, H5T_STD_REF_OBJ) > 0) return {Kind::reference, sizeof(hobj_ref_t)};
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_ENUM) {  // as h5py stores booleans
    const Hdf5Handle numbers(H5Tget_super(type));
    return items_of(numbers.id());
  }
  return {kind == H5T_COMPOUND ? Kind::compound
          : kind == H5T_STRING ? Kind::text
                               : Kind::other,
          H5Tget_size(type)};
}

std::optional<hid_t> native_type(const Hdf5Items& items) {
  if (items.kind == Kind::reference) return H5T_STD_REF_OBJ;
  for (const NumberType& number : number_types())
    if (number.items == items) return number.native;
  return std::nullopt;
}

/// The product, or the largest number if there is no room for it.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::uint64_t>::max() : result;
}

herr_t leave_as_it_is(hid_t, hid_t, H5T_cdata_t* conversion, std::size_t, std::size_t, std::size_t,
                      void*, void*, hid_t) noexcept {
  conversion->need_bkg = H5T_BKG_NO;
  return 0;
}

/// While it lives, texts of variable length are read as what the file holds in their place, as 16
/// opaque bytes, so that HDF5 does not follow it.
class HeapReferences {
 public:
  explicit HeapReferences(hid_t text)
      : text_(text), opaque_(H5Tcreate(H5T_OPAQUE, sizeof(Hdf5HeapReference))) {
    is_set_ = H5Tregister(H5T_PERS_SOFT, kName, text_, opaque_.id(), leave_as_it_is) >= 0;
  }
  ~HeapReferences() {
    if (is_set_) H5Tunregister(H5T_PERS_SOFT, kName, text_, opaque_.id(), leave_as_it_is);
  }
  HeapReferences(const HeapReferences&) = delete;
  HeapReferences& operator=(const HeapReferences&) = delete;

  bool is_set() const { return is_set_; }
  hid_t type() const { return opaque_.id(); }

 private:
  static constexpr const char* kName = "tamis: as it is";
  hid_t text_;
  Hdf5Handle opaque_;
  bool is_set_ = false;
};

std::optional<Hdf5HeapReference> heap_reference(hid_t attribute, hid_t text) {
  Hdf5HeapReference reference{};
  const HeapReferences as_bytes(text);
  if (!as_bytes.is_set() || H5Aread(attribute, as_bytes.type(), reference.data()) < 0)
    return std::nullopt;
  return reference;
}

/// Finds what the system said among the errors of HDF5's last call, which tells it in words:
/// "file read failed: ..., errno = 5, error message = 'Input/output error', ...".
herr_t find_system_error(unsigned, const H5E_error2_t* error, void* context) noexcept {
  static constexpr std::string_view kBefore = "error message = '";
  const std::string_view text = error->desc == nullptr ? "" : error->desc;
  const std::size_t at = text.find(kBefore);
  if (at == std::string_view::npos) return 0;
  const std::string_view rest = text.substr(at + kBefore.size());
  const std::string_view said = rest.substr(0, rest.find('\''));
  try {
    static_cast<std::string*>(context)->assign(said);
  } catch (...) {  // no memory: must not unwind through C
    return -1;
  }
  return 1;
}

/// Why the system could not read what HDF5 asked for; empty if that is not the reason.
std::string system_error() {
  std::string found;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_system_error, &found);
  return found;
}

bool is_single(hid_t attribute) {
  const Hdf5Handle space(H5Aget_space(attribute));
  return space.is_valid() && H5Sget_simple_extent_npoints(space.id()) == 1;
}

}  // namespace

Hdf5Handle::~Hdf5Handle() {
  if (id_ >= 0) H5Idec_ref(id_);
}

bool Hdf5Object::is_group() const { return H5Iget_type(handle_.id()) == H5I_GROUP; }
bool Hdf5Object::is_dataset() const { return H5Iget_type(handle_.id()) == H5I_DATASET; }

void Hdf5Object::refuse(const std::string& why) const {
  throw DataError(fmt::format("{}: {} {}", file_->path(), called_, why));
}

std::vector<Hdf5Member> Hdf5Object::members() const {
  Listing listing{.most = file_->size() / kSmallestLink};
  hsize_t position = 0;
  if (H5Literate(handle_.id(), H5_INDEX_NAME, H5_ITER_INC, &position, add_member, &listing) < 0)
    file_->refuse_damaged();
  return std::move(listing.members);
}

bool Hdf5Object::has_attribute(const char* name) const {
  const htri_t exists = H5Aexists(handle_.id(), name);
  if (exists < 0) file_->refuse_damaged();
  return exists > 0;
}

std::optional<std::string> Hdf5Object::text_attribute(const char* name) const {
  if (!has_attribute(name)) return std::nullopt;
  const Hdf5Handle attribute(H5Aopen(handle_.id(), name, H5P_DEFAULT));
  const Hdf5Handle type(H5Aget_type(attribute.id()));
  if (H5Tget_class(type.id()) != H5T_STRING || !is_single(attribute.id())) file_->refuse_damaged();
  std::string text;
  if (H5Tis_variable_str(type.id()) > 0) {
    const auto reference = heap_reference(attribute.id(), type.id());
    Hdf5Heap heap(file_->path(), file_->base());
    const auto found = reference ? heap.text(*reference) : std::nullopt;
    if (!found || found->size() > kLongestAttribute) file_->refuse_damaged();
    text = found->substr(0, found->find('\0'));
  } else {
    text.resize(H5Tget_size(type.id()));
    if (text.size() > kLongestAttribute || H5Aread(attribute.id(), type.id(), text.data()) < 0)
      file_->refuse_damaged();
    text.resize(strnlen(text.data(), text.size()));
  }
  return text;
}

std::optional<std::uint64_t> Hdf5Object::number_attribute(const char* name) const {
  if (!has_attribute(name)) return std::nullopt;
  const Hdf5Handle attribute(H5Aopen(handle_.id(), name, H5P_DEFAULT));
  const Hdf5Handle type(H5Aget_type(attribute.id()));
  const Kind kind = items_of(type.id()).kind;
  std::uint64_t number = 0;
  if ((kind != Kind::signed_integer && kind != Kind::unsigned_integer) ||
      !is_single(attribute.id()) || H5Aread(attribute.id(), H5T_NATIVE_UINT64, &number) < 0)
    file_->refuse_damaged();
  return number;
}

std::vector<Index> Hdf5Object::numbers_attribute(const char* name) const {
  constexpr hssize_t kMost = 16;
  if (!has_attribute(name)) return {};
  const Hdf5Handle attribute(H5Aopen(handle_.id(), name, H5P_DEFAULT));
  const Hdf5Handle space(H5Aget_space(attribute.id()));
  const Hdf5Handle type(H5Aget_type(attribute.id()));
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  const Kind kind = items_of(type.id()).kind;
  if ((kind != Kind::signed_integer && kind != Kind::unsigned_integer) || count < 1 ||
      count > kMost)
    file_->refuse_damaged();
  std::vector<Index> numbers(static_cast<std::size_t>(count));
  if (H5Aread(attribute.id(), H5T_NATIVE_INT64, numbers.data()) < 0) file_->refuse_damaged();
  return numbers;
}

/// How many items there are, if all of them fit into what the file may become.
std::size_t Hdf5Object::checked_items(std::size_t bytes_of_each) const {
  const Hdf5Items each = items();
  if (!native_type(each) || each.kind == Kind::reference)
    refuse("holds items of a kind that is not read");
  const std::size_t count = checked_bytes() / each.size;
  if (bytes_of_each > each.size) file_->charge(count * (bytes_of_each - each.size));
  return count;
}

void Hdf5Object::read_as(std::int64_t type, void* out) const {
  check_filters(Hdf5Handle(H5Dget_create_plist(handle_.id())));
  if (H5Dread(handle_.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) file_->refuse_damaged();
}

void Hdf5Object::read_as(std::span<Index> out) const {
  if (items().kind == Kind::floating) refuse("does not hold whole numbers");
  if (!out.empty()) read_as(H5T_NATIVE_INT64, out.data());
}
void Hdf5Object::read_as(std::span<ColumnIndex> out) const {
  if (items().kind == Kind::floating) refuse("does not hold whole numbers");
  if (!out.empty()) read_as(H5T_NATIVE_INT32, out.data());
}
void Hdf5Object::read_as(std::span<float> out) const {
  if (!out.empty()) read_as(H5T_NATIVE_FLOAT, out.data());
}
void Hdf5Object::read_as(std::span<double> out) const {
  if (!out.empty()) read_as(H5T_NATIVE_DOUBLE, out.data());
}

std::vector<std::string> Hdf5Object::texts() const {
  const Hdf5Handle type(H5Dget_type(handle_.id()));
  if (items().kind != Kind::text) refuse("does not hold texts");
  check_filters(Hdf5Handle(H5Dget_create_plist(handle_.id())));
  return H5Tis_variable_str(type.id()) > 0 ? heap_texts(type) : fixed_texts(type);
}

std::vector<std::string> Hdf5Object::fixed_texts(const Hdf5Handle& type) const {
  const std::size_t length = H5Tget_size(type.id());
  std::string bytes(checked_bytes(), '\0');
  if (!bytes.empty() &&
      H5Dread(handle_.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    file_->refuse_damaged();
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < bytes.size(); at += length)
    texts.emplace_back(bytes.data() + at, strnlen(bytes.data() + at, length));
  return texts;
}

std::vector<std::string> Hdf5Object::heap_texts(const Hdf5Handle& type) const {
  const HeapReferences as_bytes(type.id());
  std::vector<Hdf5HeapReference> references(checked_bytes() / items().size);
  if (!as_bytes.is_set() ||
      (!references.empty() && H5Dread(handle_.id(), as_bytes.type(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                      references.data()) < 0))
    file_->refuse_damaged();
  Hdf5Heap heap(file_->path(), file_->base());
  file_->charge(references.size() * sizeof(std::string));
  std::vector<std::string> texts;
  texts.reserve(references.size());
  for (const Hdf5HeapReference& reference : references) {
    const bool is_empty = reference == Hdf5HeapReference{};
    const auto text = is_empty ? std::optional<std::string_view>("") : heap.text(reference);
    if (!text) file_->refuse_damaged();
    file_->charge(text->size());
    texts.emplace_back(*text);
  }
  return texts;
}

bool Hdf5Object::lies_elsewhere() const {
  const Hdf5Handle creation(H5Dget_create_plist(handle_.id()));
  if (!creation.is_valid()) file_->refuse_damaged();
  return H5Pget_layout(creation.id()) == H5D_VIRTUAL || H5Pget_external_count(creation.id()) != 0;
}

std::optional<std::vector<Index>> Hdf5Object::shape() const {
  if (lies_elsewhere())  // before H5Dget_space, which opens the sources of a virtual dataset
    refuse("keeps its data in other files; copy them into this one");
  const Hdf5Handle space(H5Dget_space(handle_.id()));
  const H5S_class_t kind = H5Sget_simple_extent_type(space.id());
  if (kind == H5S_NULL) return std::nullopt;
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  const int rank = H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
  if (kind == H5S_NO_CLASS || rank < 0) file_->refuse_damaged();
  std::uint64_t total = 1;
  for (int d = 0; d < rank; ++d) total = product(total, std::max<hsize_t>(extents[d], 1));
  if (total > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
    refuse("claims more items than any file can hold");
  return std::vector<Index>(extents.begin(), extents.begin() + rank);
}

Hdf5Items Hdf5Object::items() const {
  const Hdf5Handle type(H5Dget_type(handle_.id()));
  if (!type.is_valid()) file_->refuse_damaged();
  return items_of(type.id());
}

/// How much memory the bytes that the dataset has in the file are good for.
std::size_t Hdf5Object::stored_bytes(const Hdf5Handle& creation) const {
  const std::uint64_t stored = H5Dget_storage_size(handle_.id());
  if (stored == 0) file_->check_read();  // 0 is also what it gives if it fails
  if (stored > file_->size()) file_->refuse_damaged();
  if (H5Pget_layout(creation.id()) != H5D_CHUNKED) return stored;
  const std::uint64_t limit = product(stored, kLargestExpansion);
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  const int rank = H5Pget_chunk(creation.id(), H5S_MAX_RANK, extents.data());
  std::uint64_t chunk = items().size;
  for (int d = 0; d < rank; ++d) chunk = product(chunk, extents[d]);
  return chunk <= limit ? limit : 0;  // HDF5 takes memory for a whole chunk
}

std::size_t Hdf5Object::checked_bytes() const {
  const std::size_t bytes = claimed_bytes();
  file_->charge(bytes);
  return bytes;
}

std::size_t Hdf5Object::claimed_bytes() const {
  const auto extents = shape();
  if (!extents) return 0;
  std::uint64_t bytes = items().size;
  for (const Index extent : *extents) bytes = product(bytes, static_cast<std::uint64_t>(extent));
  if (bytes == 0) return 0;
  const Hdf5Handle creation(H5Dget_create_plist(handle_.id()));
  if (bytes > stored_bytes(creation))
    refuse(fmt::format("claims {} bytes, more than its part of the file can hold", bytes));
  return bytes;
}

std::vector<Index> Hdf5Object::chunk_shape() const {
  const Hdf5Handle creation(H5Dget_create_plist(handle_.id()));
  if (H5Pget_layout(creation.id()) != H5D_CHUNKED) return {};
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  const int rank = H5Pget_chunk(creation.id(), H5S_MAX_RANK, extents.data());
  return {extents.begin(), extents.begin() + std::max(rank, 0)};
}

void Hdf5Object::check_filters(const Hdf5Handle& creation) const {
  const int count = H5Pget_nfilters(creation.id());
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    unsigned settings = 0;
    std::size_t n_values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation.id(), static_cast<unsigned>(i), &flags,
                                               &n_values, nullptr, 0, nullptr, &settings);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE &&
        filter != H5Z_FILTER_FLETCHER32)
      refuse(fmt::format("is compressed by HDF5 filter {}; only gzip (deflate) is read", filter));
  }
}

std::int64_t Hdf5Object::checked_type() const {
  const auto type = native_type(items());
  if (!type) refuse("holds items of a kind that is not read");
  check_filters(Hdf5Handle(H5Dget_create_plist(handle_.id())));
  return *type;
}

void Hdf5Object::read(std::span<char> out) const {
  if (out.empty()) return;
  if (H5Dread(handle_.id(), checked_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
    file_->refuse_damaged();
}

void Hdf5Object::read_part(Index first, Index count, std::span<char> out) const {
  read_box(std::array{Index{0}, first}, std::array{shape().value()[0], count}, checked_type(),
           out.data());
}

void Hdf5Object::read_lines(Index first, Index count, std::span<ColumnIndex> out) const {
  if (items().kind == Kind::floating) refuse("does not hold whole numbers");
  read_lines(first, count, H5T_NATIVE_INT32, out.data());
}
void Hdf5Object::read_lines(Index first, Index count, std::span<float> out) const {
  read_lines(first, count, H5T_NATIVE_FLOAT, out.data());
}
void Hdf5Object::read_lines(Index first, Index count, std::span<double> out) const {
  read_lines(first, count, H5T_NATIVE_DOUBLE, out.data());
}

void Hdf5Object::read_lines(Index first, Index count, std::int64_t type, void* out) const {
  if (count == 0) return;
  checked_type();  // of numbers
  std::vector<Index> extents = shape().value();
  std::vector<Index> start(extents.size(), 0);
  start[0] = first;
  extents[0] = count;
  read_box(start, extents, type, out);
}

void Hdf5Object::read_box(std::span<const Index> first, std::span<const Index> extents,
                          std::int64_t type, void* out) const {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // of this thread, which may not be that of the file
  const std::vector<hsize_t> start(first.begin(), first.end());
  const std::vector<hsize_t> counts(extents.begin(), extents.end());
  const Hdf5Handle in_file(H5Dget_space(handle_.id()));
  const Hdf5Handle in_memory(
      H5Screate_simple(static_cast<int>(counts.size()), counts.data(), nullptr));
  if (H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start.data(), nullptr, counts.data(),
                          nullptr) < 0 ||
      H5Dread(handle_.id(), type, in_memory.id(), in_file.id(), H5P_DEFAULT, out) < 0)
    file_->refuse_damaged();
}

struct Hdf5Turn::State {
  H5E_auto2_t print = nullptr;
  void* print_context = nullptr;
  unsigned plugins = 0;
};

Hdf5Turn::Hdf5Turn() : lock_(one_at_a_time), before_(std::make_unique<State>()) {
  // At exit HDF5 complains about what damaged files made it lose; it must be told before its start.
  H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &before_->print, &before_->print_context);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLget_loading_state(&before_->plugins);
  H5PLset_loading_state(0);
}

Hdf5Turn::~Hdf5Turn() {
  H5PLset_loading_state(before_->plugins);
  H5Eset_auto2(H5E_DEFAULT, before_->print, before_->print_context);
}

Hdf5File::Hdf5File(std::string path, std::string format, bool is_trusted)
    : path_(std::move(path)), format_(std::move(format)) {
  std::error_code problem;
  size_ = std::filesystem::file_size(path_, problem);
  if (problem) throw IoError(fmt::format("{}: {}", path_, problem.message()));
  budget_ = largest_content(size_, is_trusted);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_file_locking(access.id(), /*use=*/0, /*ignore_when_disabled=*/1);
  handle_ = Hdf5Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.id()));
  if (!handle_.is_valid()) refuse_damaged();
  const Hdf5Handle creation(H5Fget_create_plist(handle_.id()));
  std::size_t address_size = 0;
  std::size_t length_size = 0;
  hsize_t base = 0;
  if (H5Pget_sizes(creation.id(), &address_size, &length_size) < 0 || address_size != 8 ||
      length_size != 8 || H5Pget_userblock(creation.id(), &base) < 0)
    refuse_damaged();  // nobody writes other sizes
  base_ = base;
}

Hdf5File::~Hdf5File() = default;

Hdf5Object Hdf5File::root() const {
  Hdf5Handle group(H5Gopen2(handle_.id(), "/", H5P_DEFAULT));
  if (!group.is_valid()) refuse_damaged();
  return {*this, std::move(group), "the root group"};
}

Hdf5Object Hdf5File::open(const Hdf5Member& member, std::string called) const {
  if (member.is_link)
    throw DataError(fmt::format(
        "{}: {} is a link to another place, which is not followed; copy the data into its place",
        path_, called));
  Hdf5Handle object(H5Oopen_by_addr(handle_.id(), member.address));
  if (!object.is_valid()) refuse_damaged();
  return {*this, std::move(object), std::move(called)};
}

std::optional<Hdf5Object> Hdf5File::find(const Hdf5Object& group, std::string_view name) const {
  if (!group.is_group()) return std::nullopt;
  for (const Hdf5Member& member : group.members())
    if (member.name == name) return open(member, member.name);
  return std::nullopt;
}

void Hdf5File::charge(std::size_t bytes) const {
  if (bytes > budget_) refuse_expansion(path_, size_);
  budget_ -= bytes;
}

void Hdf5File::check_read() const {
  if (const std::string why = system_error(); !why.empty())
    throw IoError(fmt::format("{}: {}", path_, why));
}

void Hdf5File::refuse_damaged() const {
  check_read();
  throw DataError(fmt::format("{}: the {} file is cut off or damaged", path_, format_));
}

}  // namespace tamis
