#include "io/spill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unordered_set>

#include "io/atomic_file.hpp"
#include "io/byte_source.hpp"
#include "io/columns.hpp"
#include "io/csv.hpp"
#include "io/delimited.hpp"
#include "io/dialect.hpp"
#include "io/formats.hpp"
#include "io/id_columns.hpp"
#include "io/npy_header.hpp"
#include "io/random_access_file.hpp"
#include "io/rehearsal.hpp"
#include "io/text_sheet.hpp"
#include "io/whole_records.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kStartBytes = std::size_t{1} << 16;

/// The first bytes of a source as one of its own, which formats may look at.
ByteSource start_of(ByteSource& source) {
  return ByteSource(BytesInMemory{source.name(), std::string(source.peek(kStartBytes))});
}

bool is_utf_16(std::string_view start) {
  return start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF");
}

bool is_delimited(const FileFormat& format) { return format.read == read_csv; }

/// A file in a folder that is never finished: it goes with its owner, and with the process.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& folder) : file_(path_in(folder)) {}

  void write(std::string_view bytes) { file_.write(bytes); }
  const std::string& path() const { return file_.temporary_path(); }

 private:
  static std::string path_in(const std::string& folder) {
    if (!std::filesystem::is_directory(folder))
      throw IoError(fmt::format("{}: is no folder to put a temporary file into", folder));
    return (std::filesystem::path(folder) / "tamis-spilled.npy").string();
  }

  AtomicFile file_;
};

/// Rows of a temporary file.
class SpilledRows : public RowSource {
 public:
  SpilledRows(std::unique_ptr<TemporaryFile> file, std::unique_ptr<RowSource> rows,
              std::string fingerprint)
      : file_(std::move(file)), rows_(std::move(rows)), fingerprint_(std::move(fingerprint)) {}

  Index rows() const override { return rows_->rows(); }
  Index cols() const override { return rows_->cols(); }
  bool is_single() const override { return rows_->is_single(); }
  bool is_sparse() const override { return rows_->is_sparse(); }
  void read(Index first, Index count, OwnedTable& block) override {
    rows_->read(first, count, block);
  }
  Index bytes_per_row() const override { return rows_->bytes_per_row(); }
  Index rows_at_once() const override { return rows_->rows_at_once(); }
  Index reading_bytes_per_row() const override { return rows_->reading_bytes_per_row(); }
  /// That of the file it was made of, as it was then: the next process makes another one.
  std::string fingerprint() const override { return fingerprint_; }

 private:
  std::unique_ptr<TemporaryFile> file_;
  std::unique_ptr<RowSource> rows_;
  std::string fingerprint_;
};

/// An NPY file of rows that come one after another, nobody knows how many.
class GrowingNpy {
 public:
  explicit GrowingNpy(const std::string& folder) : file_(std::make_unique<TemporaryFile>(folder)) {}

  void add(const OwnedTable& piece) {
    std::visit(
        [&]<class Stored>(const Stored& table) {
          if constexpr (requires { table.rows; }) {
            if (rows_ == 0) file_->write(header(table.cols, sizeof(table.values[0])));
            rows_ += table.rows;
            file_->write({reinterpret_cast<const char*>(table.values.data()),
                          table.values.size() * sizeof(table.values[0])});
          }
        },
        piece);
  }

  std::unique_ptr<TemporaryFile> finish() {
    std::fstream start(file_->path(), std::ios::in | std::ios::out | std::ios::binary);
    start << header(cols_, size_);
    start.close();
    if (!start) throw IoError(fmt::format("{}: cannot be written", file_->path()));
    return std::move(file_);
  }

 private:
  /// As long for any number of rows.
  std::string header(Index cols, std::size_t size) {
    cols_ = cols;
    size_ = size;
    return npy_header_text(size == sizeof(float) ? "f4" : "f8",
                           fmt::format("({:20}, {})", rows_, cols));
  }

  std::unique_ptr<TemporaryFile> file_;
  Index rows_ = 0;
  Index cols_ = 0;
  std::size_t size_ = 0;
};

/// Reads delimited text a piece at a time.
class PieceReader {
 public:
  PieceReader(ByteSource& source, ReadOptions options, Index piece_bytes)
      : source_(source), options_(std::move(options)), piece_bytes_(piece_bytes) {}

  /// @param ids of all pieces
  /// @throws DataError if they were taken as such because those of the first piece are distinct,
  /// and these are not
  void check_ids(const std::vector<std::string>& ids) const {
    if (!presumed_ids_) return;
    std::unordered_set<std::string_view> seen;
    for (const std::string& id : ids)
      if (!seen.insert(id).second)
        throw DataError(fmt::format("{}: column {} seemed to hold ids, as its first cells are "
                                    "distinct, but {} comes again",
                                    source_.name(), shown(*presumed_ids_), shown(id)),
                        {Remedy::Action::give_column_a_role, *presumed_ids_});
  }

  /// The next records as a table of their own; nothing behind the last ones.
  std::optional<Table> next() {
    while (!is_at_end_) {
      const std::string text = take_records();
      const Index first_line = line_;
      line_ += std::ranges::count(text, '\n');
      if (text.find_first_not_of(" \t\r\n") == std::string::npos) continue;
      const Index lines_added = std::ranges::count(start_, '\n') + 1 - first_line;
      ByteSource piece(BytesInMemory{source_.name(), start_ + text, lines_added});
      Table table = read_csv(piece, options_);
      check(table, first_line);
      if (names_.empty()) settle(text, table);
      return table;
    }
    return std::nullopt;
  }

 private:
  static constexpr Index kMostPieces = 4;  // that a record may take

  /// As many whole records as a piece holds, or one if that is longer.
  std::string take_records() {
    while (true) {
      const std::size_t before = left_.size();
      left_.resize(before + static_cast<std::size_t>(piece_bytes_));
      left_.resize(before +
                   source_.read(left_.data() + before, static_cast<std::size_t>(piece_bytes_)));
      is_at_end_ = left_.size() < before + static_cast<std::size_t>(piece_bytes_);
      const std::size_t size = is_at_end_ ? left_.size() : whole_records(left_, dialect());
      if (size == 0 && std::ssize(left_) > kMostPieces * piece_bytes_)
        throw DataError(
            fmt::format("{}:{}: a record of more than {} bytes begins here; perhaps a "
                        "quote is never closed",
                        source_.name(), line_, kMostPieces * piece_bytes_));
      if (size == 0 && !is_at_end_) continue;
      std::string taken = left_.substr(0, size);
      left_.erase(0, size);
      return taken;
    }
  }

  Dialect dialect() const {
    Dialect dialect = detect_dialect(left_, kTableDelimiters);
    dialect.delimiter = options_.separator.value_or(dialect.delimiter);
    return dialect;
  }

  /// What the first piece decided holds for all.
  void settle(const std::string& text, const Table& table) {
    ByteSource piece(BytesInMemory{source_.name(), text});
    TextSheet sheet;
    open_sheet(piece, options_, sheet);
    start_.assign(sheet.text.data(), sheet.records.start(0));
    options_.has_header = sheet.has_header;
    options_.separator = sheet.dialect.delimiter;
    names_ = table.feature_names;
    const ColumnRoles roles = assign_roles(sheet.file, sheet.names, sheet.has_header, options_);
    if (!options_.label_column)
      options_.label_column = roles.label ? sheet.names[*roles.label] : "none";
    const std::unordered_set<std::string_view> features(names_.begin(), names_.end());
    const std::vector<std::string> first = sheet.cells(0);
    for (const Index c : roles.features) {
      const std::string& name = sheet.names[c];
      if (features.contains(name)) {
        if (names_ids(name)) options_.keep.push_back(name);
      } else if (!options_.id_column && !table.sample_ids.empty() &&
                 first[c] == table.sample_ids.front()) {
        options_.id_column = presumed_ids_ = name;
      } else {
        options_.drop.push_back(name);
      }
    }
  }

  /// @throws DataError if a piece is to be understood otherwise than those before
  void check(const Table& table, Index first_line) const {
    for (const Note& note : table.notes)
      if (note.remedy.action == Remedy::Action::say_decimal)
        throw DataError(fmt::format("{}: from line {} on, {}; a part of the text does not tell "
                                    "whether that holds for all",
                                    source_.name(), first_line, note.text),
                        note.remedy);
    if (!names_.empty() && table.feature_names != names_)
      throw DataError(fmt::format("{}: from line {} on, other columns hold numbers than before: {}",
                                  source_.name(), first_line, first_difference(table)));
  }

  /// "x does now", "x does not any more": the first column that is another one than before.
  std::string first_difference(const Table& table) const {
    const auto missing_in = [](const auto& names, const auto& others) {
      const std::unordered_set<std::string_view> known(others.begin(), others.end());
      return std::ranges::find_if_not(names,
                                      [&](const auto& name) { return known.contains(name); });
    };
    if (const auto added = missing_in(table.feature_names, names_);
        added != table.feature_names.end())
      return fmt::format("{} does now", shown(*added));
    const auto lost = missing_in(names_, table.feature_names);
    return lost == names_.end() ? "their order" : fmt::format("{} does not any more", shown(*lost));
  }

  ByteSource& source_;
  ReadOptions options_;
  Index piece_bytes_;
  std::string left_;   // read, but in no piece yet
  std::string start_;  // up to the first record: header and comments
  std::vector<std::string> names_;
  std::optional<std::string> presumed_ids_;  // the column that nobody said to hold them
  Index line_ = 1;                           // at which the next piece begins
  bool is_at_end_ = false;
};

TableStream open_spilled(std::unique_ptr<TemporaryFile> file, const ReadOptions& options,
                         std::string fingerprint) {
  std::optional<TableStream> stream = open_table_stream(file->path(), options);
  if (!stream)
    throw InvalidArgument("what is compressed there has no runs of rows, only all of them");
  stream->rows = std::make_unique<SpilledRows>(std::move(file), std::move(stream->rows),
                                               std::move(fingerprint));
  return std::move(*stream);
}

TableStream spill_text(ByteSource& source, const ReadOptions& options, const std::string& folder,
                       Index piece_bytes, std::string fingerprint) {
  GrowingNpy npy(folder);
  PieceReader reader(source, options, piece_bytes);
  std::optional<Table> first = reader.next();
  if (!first) throw DataError(fmt::format("{}: is empty", source.name()));
  npy.add(first->data);
  while (const auto piece = reader.next()) {
    npy.add(piece->data);
    const auto append = [](const auto& from, auto& to) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(piece->sample_ids, first->sample_ids);
    append(piece->label_texts, first->label_texts);
  }
  reader.check_ids(first->sample_ids);
  TableStream stream = open_spilled(npy.finish(), {.label_column = "none"}, std::move(fingerprint));
  stream.feature_names = std::move(first->feature_names);
  stream.sample_ids = std::move(first->sample_ids);
  stream.label_texts = std::move(first->label_texts);
  stream.label_name = std::move(first->label_name);
  stream.notes = std::move(first->notes);
  return stream;
}

TableStream spill_bytes(ByteSource& source, const ReadOptions& options, const std::string& folder,
                        Index piece_bytes, std::string fingerprint) {
  auto file = std::make_unique<TemporaryFile>(folder);
  std::string piece(static_cast<std::size_t>(piece_bytes), '\0');
  while (const std::size_t size = source.read(piece.data(), piece.size()))
    file->write(std::string_view(piece).substr(0, size));
  // Nobody tries such a file first, as is done with one that is not compressed (rehearsal.hpp).
  if (!options.is_trusted && limits_of_hdf5(file->path(), ContentHeld::in_runs))
    throw DataError(
        fmt::format("{}: an HDF5 file is compressed there; decompress it first", source.name()),
        {Remedy::Action::trust_file});
  return open_spilled(std::move(file), options, std::move(fingerprint));
}

}  // namespace

bool can_spill(const std::string& path, const ReadOptions& options) {
  ByteSource source(path, options.is_trusted);
  const std::string_view start = source.peek(kStartBytes);
  if (start.empty() || is_utf_16(start)) return false;
  if (!source.is_plain_file() && start.find('\0') != std::string_view::npos) return true;
  if (start.find('\0') != std::string_view::npos) return false;
  ByteSource as_text = start_of(source);
  return is_delimited(format_of(as_text));
}

Index piece_within(Index memory) {
  constexpr Index kLargest = Index{1} << 25;
  constexpr Index kTimesPiece = 16;  // what a piece of text becomes
  return std::clamp<Index>(memory / kTimesPiece, kLargest / 32, kLargest);
}

TableStream spill_table(const std::string& path, const ReadOptions& options,
                        const std::string& folder, Index piece_bytes) {
  ByteSource source(path, options.is_trusted);
  std::string fingerprint = std::filesystem::is_regular_file(path) ? file_fingerprint(path) : path;
  const bool is_text = source.peek(kStartBytes).find('\0') == std::string_view::npos;
  if (!is_text) return spill_bytes(source, options, folder, piece_bytes, std::move(fingerprint));
  ByteSource as_text = start_of(source);
  const FileFormat& format = format_of(as_text);
  TableStream stream = spill_text(source, options, folder, piece_bytes, std::move(fingerprint));
  stream.format = {format.name};
  return stream;
}

}  // namespace tamis
