// MATLAB's level 7.3 is HDF5: a dataset per variable with extents in reverse order, a group per
// sparse matrix or struct; MATLAB's class is an attribute. Cells are references to "#refs#".
#include <fmt/format.h>

#include <map>
#include <utility>

#include "io/hdf5_file.hpp"
#include "io/matlab_array.hpp"
#include "io/random_access_file.hpp"

namespace tamis {
namespace {

using Kind = Hdf5Items::Kind;

constexpr const char* kReferences = "#refs#";

MatlabClass class_of(std::string_view name) {
  constexpr auto kUint8 = static_cast<MatlabClass>(9);
  static const std::map<std::string_view, MatlabClass> classes = {
      {"cell", MatlabClass::cell},
      {"char", MatlabClass::text},
      {"double", MatlabClass::float64},
      {"function_handle", MatlabClass::function},
      {"int16", static_cast<MatlabClass>(10)},
      {"int32", static_cast<MatlabClass>(12)},
      {"int64", static_cast<MatlabClass>(14)},
      {"int8", static_cast<MatlabClass>(8)},
      {"logical", kUint8},
      {"single", MatlabClass::single},
      {"struct", MatlabClass::structure},
      {"uint16", static_cast<MatlabClass>(11)},
      {"uint32", static_cast<MatlabClass>(13)},
      {"uint64", MatlabClass::uint64},
      {"uint8", kUint8},
  };
  const auto found = classes.find(name);
  return found != classes.end() ? found->second : MatlabClass::opaque;
}

MatlabType type_of(const Hdf5Items& items, bool is_text) {
  using Type = MatlabType;
  const bool is_signed = items.kind == Kind::signed_integer;
  if (items.kind == Kind::floating && !is_text)
    return items.size == 4 ? Type::single : Type::float64;
  if (!is_signed && items.kind != Kind::unsigned_integer) return Type::none;
  if (is_text)
    return items.size == 1   ? Type::utf8
           : items.size == 2 ? Type::utf16
           : items.size == 4 ? Type::utf32
                             : Type::none;
  switch (items.size) {
    case 1:
      return is_signed ? Type::int8 : Type::uint8;
    case 2:
      return is_signed ? Type::int16 : Type::uint16;
    case 4:
      return is_signed ? Type::int32 : Type::uint32;
    default:
      return is_signed ? Type::int64 : Type::uint64;
  }
}

/// Numbers of a dataset, which are read in whole lines; of one dimension, in any number.
class DatasetNumbers final : public MatlabNumbers {
 public:
  DatasetNumbers(std::shared_ptr<const Hdf5File> file, Hdf5Object dataset)
      : file_(std::move(file)), dataset_(std::move(dataset)), bytes_(dataset_.checked_bytes()) {
    if (type_of(dataset_.items(), /*is_text=*/false) == MatlabType::none)
      dataset_.refuse("holds items of a kind that is not read");
    const std::vector<Index> shape = dataset_.shape().value_or(std::vector<Index>{0});
    for (std::size_t d = 1; d < shape.size(); ++d) line_size_ *= shape[d];
  }

  Index size() const override { return static_cast<Index>(bytes_ / dataset_.items().size); }
  std::size_t bytes() const override { return bytes_; }
  void read(Index first, std::span<double> out) override { read_lines(first, out); }
  void read(Index first, std::span<float> out) override { read_lines(first, out); }
  void read(Index first, std::span<ColumnIndex> out) override { read_lines(first, out); }

 private:
  template <class T>
  void read_lines(Index first, std::span<T> out) {
    dataset_.read_lines(first / line_size_, std::ssize(out) / line_size_, out);
  }

  std::shared_ptr<const Hdf5File> file_;
  Hdf5Object dataset_;
  std::size_t bytes_;
  Index line_size_ = 1;
};

class Reader {
 public:
  Reader(const std::string& path, bool is_trusted)
      : shared_file_(std::make_shared<const Hdf5File>(path, "MATLAB 7.3", is_trusted)),
        file_(*shared_file_) {}

  MatlabFile read(const WantedVariables& wanted) {
    const std::vector<Hdf5Member> members = file_.root().members();
    for (const Hdf5Member& member : members) {
      note_address(member);
      if (member.name == kReferences && !member.is_link)
        for (const Hdf5Member& cell : file_.open(member, kReferences).members()) note_address(cell);
    }
    for (const Hdf5Member& member : members)
      if (!member.name.starts_with('#'))  // MATLAB's own: what variables refer to
        read_variable(member, member.name, wanted, /*is_field=*/false);
    return std::move(result_);
  }

 private:
  /// Fields of a structure are variables of their own, called s.x.
  void read_variable(const Hdf5Member& member, const std::string& name,
                     const WantedVariables& wanted, bool is_field) {
    const bool is_table = name == wanted.table;
    MatlabArray array{.name = name};
    std::vector<Hdf5Member> fields;
    if (is_table || wanted.has(name) || !member.is_link) {
      Hdf5Object object = file_.open(member, "variable " + name);
      describe(object, array);
      if (!is_field && object.is_group() && array.kind == MatlabClass::structure)
        fields = object.members();
      if (wanted.has(name)) load(object, array, 0);
      if (is_table) find_numbers(std::move(object), array);
    }
    result_.variables.push_back(std::move(array));
    for (const Hdf5Member& field : fields)
      read_variable(field, fmt::format("{}.{}", name, field.name), wanted, /*is_field=*/true);
  }

  void note_address(const Hdf5Member& member) {
    if (!member.is_link) addresses_.emplace(member.address, member);
  }

  /// Class and shape; the shape is left empty where there is none.
  void describe(const Hdf5Object& object, MatlabArray& array) {
    const auto name = object.text_attribute("MATLAB_class");
    if (name) array.kind = class_of(*name);
    if (object.is_group()) return describe_group(object, array);
    if (!object.is_dataset()) array.kind = MatlabClass::opaque;
    if (!object.is_dataset() || object.lies_elsewhere()) return;
    array.is_complex = object.items().kind == Kind::compound;
    array.shape = object.shape().value_or(std::vector<Index>{});
    std::ranges::reverse(array.shape);
    if (object.number_attribute("MATLAB_empty").value_or(0) == 0) return;
    array.shape = indices(object);  // of an empty variable the dataset holds the extents
    if (!is_possible(array.shape) || array.size() != 0) file_.refuse_damaged();
  }

  void describe_group(const Hdf5Object& group, MatlabArray& array) {
    const auto rows = group.number_attribute("MATLAB_sparse");
    array.kind = rows ? MatlabClass::sparse : MatlabClass::structure;
    array.shape = {1, 1};
    if (!rows) return;
    const auto starts = member(group, "jc");
    const auto extents = starts ? starts->shape() : std::nullopt;
    if (!extents || extents->size() != 1 || extents->front() < 1) file_.refuse_damaged();
    array.shape = {static_cast<Index>(*rows), extents->front() - 1};
    if (!is_possible(array.shape)) file_.refuse_damaged();
  }

  /// The content of what was described, unless that is sparse: then it is no text.
  void load(const Hdf5Object& object, MatlabArray& array, int depth) {
    check_variable(object, array);
    if (!object.is_dataset() || array.is_complex || array.size() == 0) return;
    if (array.kind == MatlabClass::cell) return load_cells(object, array, depth);
    const bool is_text = array.kind == MatlabClass::text;
    if (!is_text && !array.is_number()) return;
    load_numbers(object, array, is_text);
  }

  void check_variable(const Hdf5Object& object, const MatlabArray& array) {
    if (!object.is_dataset()) return;
    const auto extents = object.shape();
    if (array.kind == MatlabClass::empty)
      object.refuse("has no attribute MATLAB_class: this is HDF5, but no variable of MATLAB");
    if (!extents || extents->empty())
      object.refuse("has no dimensions; a variable of MATLAB has at least two");
  }

  /// Where the numbers of a table are.
  void find_numbers(Hdf5Object object, MatlabArray& array) {
    if (array.kind == MatlabClass::sparse) return find_entries(object, array);
    check_variable(object, array);
    if (!object.is_dataset() || array.is_complex || array.size() == 0 || !array.is_number()) return;
    array.values = std::make_shared<DatasetNumbers>(shared_file_, std::move(object));
  }

  void load_numbers(const Hdf5Object& object, MatlabArray& array, bool is_text) {
    array.type = type_of(object.items(), is_text);
    if (array.type == MatlabType::none) object.refuse("holds items of a kind that is not read");
    const std::size_t size = object.checked_bytes();
    std::shared_ptr<char[]> bytes = std::make_unique_for_overwrite<char[]>(size);
    object.read({bytes.get(), size});
    array.data = {bytes.get(), size};
    result_.owners.push_back(std::move(bytes));
  }

  void load_cells(const Hdf5Object& object, MatlabArray& array, int depth) {
    if (depth > kDeepestCell)
      object.refuse(
          fmt::format("has cells within cells, more than {} deep or without end", kDeepestCell));
    if (object.items().kind != Kind::reference) file_.refuse_damaged();
    for (const std::uint64_t address : object.read_all<std::uint64_t>()) {
      const auto found = addresses_.find(address);
      if (found == addresses_.end()) file_.refuse_damaged();
      file_.charge(sizeof(MatlabArray));
      const Hdf5Object inside = file_.open(found->second, "a cell of variable " + array.name);
      MatlabArray cell{.name = array.name};
      describe(inside, cell);
      load(inside, cell, depth + 1);
      array.cells.push_back(std::move(cell));
    }
  }

  void find_entries(const Hdf5Object& group, MatlabArray& array) {
    const auto starts = member(group, "jc");
    if (!starts) file_.refuse_damaged();
    array.column_starts = indices(*starts);
    auto rows = member(group, "ir");
    auto values = member(group, "data");
    if (!rows && !values) return;  // no entries
    if (!rows || !values || rows->shape().value_or(std::vector<Index>{}).size() != 1 ||
        values->shape().value_or(std::vector<Index>{}).size() != 1)
      file_.refuse_damaged();
    check_are_indices(*rows);
    array.is_complex = values->items().kind == Kind::compound;
    if (array.is_complex) return;
    array.entry_rows = std::make_shared<DatasetNumbers>(shared_file_, std::move(*rows));
    array.values = std::make_shared<DatasetNumbers>(shared_file_, std::move(*values));
  }

  std::optional<Hdf5Object> member(const Hdf5Object& group, std::string_view name) const {
    for (const Hdf5Member& each : group.members())
      if (each.name == name) return file_.open(each, "part " + each.name + " of a sparse matrix");
    return std::nullopt;
  }

  /// Whole numbers of any size.
  std::vector<Index> indices(const Hdf5Object& object) const {
    check_are_indices(object);
    const Hdf5Items items = object.items();
    const std::vector<char> bytes = object.read_all<char>();
    std::vector<Index> result;
    visit_numbers(type_of(items, /*is_text=*/false), {bytes.data(), bytes.size()},
                  /*swaps_bytes=*/false, [&](const auto& numbers) {
                    for (Index i = 0; i < numbers.size(); ++i)
                      result.push_back(static_cast<Index>(numbers[i]));
                  });
    return result;
  }

  void check_are_indices(const Hdf5Object& object) const {
    const Kind kind = object.items().kind;
    if (kind != Kind::signed_integer && kind != Kind::unsigned_integer) file_.refuse_damaged();
  }

  std::shared_ptr<const Hdf5File> shared_file_;
  const Hdf5File& file_;
  MatlabFile result_;
  std::map<std::uint64_t, Hdf5Member> addresses_;  // what references may lead to
};

/// MATLAB keeps columns, so that lines of the dataset are columns: runs of rows are turned.
template <class T>
class MatlabRows : public RowSource {
 public:
  MatlabRows(const std::string& path, const MatlabArray& array, bool is_trusted)
      : file_(path, "MATLAB 7.3", is_trusted),
        dataset_(find(array.name)),
        rows_(array.shape[0]),
        cols_(array.shape[1]) {
    items_ = dataset_.items();
    if (type_of(items_, /*is_text=*/false) == MatlabType::none)
      dataset_.refuse("holds items of a kind that is not read");
    dataset_.claimed_bytes();
  }

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }
  bool is_single() const override { return sizeof(T) == sizeof(float); }
  std::string fingerprint() const override { return file_fingerprint(file_.path()); }
  Index reading_bytes_per_row() const override { return cols_ * static_cast<Index>(items_.size); }

  /// A compressed piece is read as a whole; unless pieces are so long that rows would be few.
  Index rows_at_once() const override {
    constexpr Index kLargestPiece = Index{64} << 20;
    const std::vector<Index> piece = dataset_.chunk_shape();
    return piece.size() == 2 && piece[1] * bytes_per_row() <= kLargestPiece ? piece[1] : 1;
  }

  void read(Index first, Index count, OwnedTable& block) override {
    if (!std::holds_alternative<DenseTable<T>>(block)) block = DenseTable<T>{};
    auto& table = std::get<DenseTable<T>>(block);
    table.rows = count;
    table.cols = cols_;
    table.values.resize(static_cast<std::size_t>(count * cols_));
    bytes_.resize(static_cast<std::size_t>(count * cols_) * items_.size);
    dataset_.read_part(first, count, bytes_);
    visit_numbers(type_of(items_, /*is_text=*/false), {bytes_.data(), bytes_.size()},
                  /*swaps_bytes=*/false, [&](const auto& numbers) {
                    for (Index r = 0; r < cols_; ++r)
                      for (Index i = 0; i < count; ++i)
                        table.values[i * cols_ + r] = static_cast<T>(numbers[r * count + i]);
                  });
  }

 private:
  Hdf5Object find(const std::string& name) const {
    const auto found = [&](const Hdf5Object& group, std::string_view wanted) {
      for (const Hdf5Member& member : group.members())
        if (member.name == wanted) return file_.open(member, "variable " + name);
      file_.refuse_damaged();
    };
    const std::size_t dot = name.find('.');
    const Hdf5Object root = file_.root();
    if (dot == std::string::npos) return found(root, name);
    return found(found(root, std::string_view(name).substr(0, dot)),
                 std::string_view(name).substr(dot + 1));
  }

  Hdf5File file_;
  Hdf5Object dataset_;
  Hdf5Items items_;
  Index rows_;
  Index cols_;
  std::vector<char> bytes_;
};

}  // namespace

std::unique_ptr<RowSource> matlab_73_rows(const std::string& path, const MatlabArray& array,
                                          bool is_single, bool is_trusted) {
  if (is_single) return std::make_unique<MatlabRows<float>>(path, array, is_trusted);
  return std::make_unique<MatlabRows<double>>(path, array, is_trusted);
}

MatlabFile read_matlab_73(const std::string& path, const WantedVariables& wanted, bool is_trusted) {
  return Reader(path, is_trusted).read(wanted);
}

}  // namespace tamis
