#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "io/columns.hpp"
#include "io/npy.hpp"
#include "io/random_access_file.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr Index kSlabBytes = Index{1} << 18;

/// The rows of an NPY file in C order, as T.
template <class T>
class NpyRows : public RowSource {
 public:
  NpyRows(const std::string& path, const NpyHeader& header, std::uint64_t offset)
      : file_(path), header_(header), offset_(offset) {}

  Index rows() const override { return header_.rows; }
  Index cols() const override { return header_.cols; }
  bool is_single() const override { return sizeof(T) == sizeof(float); }
  std::string fingerprint() const override { return file_fingerprint(file_.path()); }

  void read(Index first, Index count, OwnedTable& block) override {
    if (!std::holds_alternative<DenseTable<T>>(block)) block = DenseTable<T>{};
    auto& table = std::get<DenseTable<T>>(block);
    table.rows = count;
    table.cols = header_.cols;
    table.values.resize(static_cast<std::size_t>(count * header_.cols));
    visit_item_type(header_, [&]<class Item>(Item) { read_as<Item>(first, table.values); });
  }

 private:
  template <class Item>
  void read_as(Index first_row, Buffer<T>& values) {
    const auto start =
        offset_ + static_cast<std::uint64_t>(first_row * header_.cols) * sizeof(Item);
    if constexpr (std::is_same_v<T, Item>) {
      read_items(start, {reinterpret_cast<char*>(values.data()), values.size() * sizeof(T)});
    } else {
      constexpr std::size_t kItems = kSlabBytes / sizeof(Item);
      slab_.resize(kSlabBytes);
      for (std::size_t done = 0; done < values.size(); done += kItems) {
        const std::size_t count = std::min(kItems, values.size() - done);
        read_items(start + done * sizeof(Item), {slab_.data(), count * sizeof(Item)});
        for (std::size_t k = 0; k < count; ++k) {
          Item item;
          std::memcpy(&item, slab_.data() + k * sizeof(Item), sizeof(Item));
          values[done + k] = static_cast<T>(item);
        }
      }
    }
  }

  void read_items(std::uint64_t start, std::span<char> out) const {
    file_.read(start, out);
    if (header_.swaps_bytes)
      swap_items(out.data(), out.size(), static_cast<std::size_t>(header_.item_size));
  }

  RandomAccessFile file_;
  NpyHeader header_;
  std::uint64_t offset_;  // of the first item in the file
  std::vector<char> slab_;
};

}  // namespace

std::optional<TableStream> stream_npy(ByteSource& source, const ReadOptions& options) {
  const std::size_t size = source.remaining().value();
  const NpyHeader header = read_npy_header(source);
  check_is_table(source.name(), header);
  check_npy_length(source, header);
  if (header.is_fortran) return std::nullopt;
  const std::uint64_t offset = size - source.remaining().value();
  TableStream stream{.feature_names = numbered_names(header.cols)};
  if (options.precision == Precision::single || header.is_single())
    stream.rows = std::make_unique<NpyRows<float>>(source.path(), header, offset);
  else
    stream.rows = std::make_unique<NpyRows<double>>(source.path(), header, offset);
  apply_options(source.name(), stream, options);
  return stream;
}

}  // namespace tamis
