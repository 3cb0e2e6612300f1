#include "io/table_stream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/byte_source.hpp"
#include "io/columns.hpp"
#include "io/delimited.hpp"
#include "io/formats.hpp"
#include "io/id_columns.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Some columns (ascending) of another source.
class ChosenColumns : public RowSource {
 public:
  ChosenColumns(std::unique_ptr<RowSource> all, std::vector<Index> columns)
      : all_(std::move(all)), columns_(std::move(columns)) {}

  Index rows() const override { return all_->rows(); }
  Index cols() const override { return std::ssize(columns_); }
  bool is_single() const override { return all_->is_single(); }
  bool is_sparse() const override { return all_->is_sparse(); }
  void read(Index first, Index count, OwnedTable& block) override {
    all_->read(first, count, block);
    keep_columns(block, columns_);
  }
  Index bytes_per_row() const override { return all_->bytes_per_row(); }
  Index rows_at_once() const override { return all_->rows_at_once(); }
  Index reading_bytes_per_row() const override { return all_->reading_bytes_per_row(); }
  std::string fingerprint() const override { return all_->fingerprint(); }

 private:
  std::unique_ptr<RowSource> all_;
  std::vector<Index> columns_;
};

/// Reads a whole source for the sake of two columns.
void read_texts(const ColumnRoles& roles, TableStream& stream) {
  constexpr Index kBlockBytes = Index{1} << 23;
  RowSource& source = *stream.rows;
  const auto append = [&](const OwnedTable& block, std::optional<Index> column,
                          std::vector<std::string>& texts) {
    if (column) std::ranges::move(column_texts(block, *column), std::back_inserter(texts));
  };
  OwnedTable block;
  const Index step = std::max<Index>(kBlockBytes / source.bytes_per_row(), 1);
  for (Index first = 0; first < source.rows(); first += step) {
    source.read(first, std::min(step, source.rows() - first), block);
    append(block, roles.label, stream.label_texts);
    append(block, roles.id, stream.sample_ids);
  }
}

/// Whether such a column holds ids only all its values could tell.
void warn_of_ids(TableStream& stream, const std::vector<bool>& is_kept) {
  for (std::size_t c = 0; c < stream.feature_names.size(); ++c)
    if (!is_kept[c] && names_ids(stream.feature_names[c]))
      stream.notes.push_back({fmt::format("column {} is called like ids, but counts as a feature",
                                          shown(stream.feature_names[c])),
                              {Remedy::Action::leave_out, stream.feature_names[c]},
                              /*is_warning=*/true});
}

}  // namespace

std::optional<TableStream> open_table_stream(const std::string& path, const ReadOptions& options) {
  ByteSource source(path, options.is_trusted);
  if (source.peek(1).empty()) throw DataError(fmt::format("{}: is empty", source.name()));
  const FileFormat& format = format_of(source);
  if (format.stream == nullptr || !source.is_plain_file()) return std::nullopt;
  std::optional<TableStream> stream = format.stream(source, options);
  if (stream) stream->format = {format.name};
  return stream;
}

void apply_options(const std::string& file, TableStream& stream, const ReadOptions& options) {
  const ColumnRoles roles = assign_roles(file, stream.feature_names, /*has_names=*/false, options);
  if (options.label_column) {
    stream.label_texts.clear();
    stream.label_name.clear();
  }
  apply_roles(stream, roles);
}

void apply_roles(TableStream& stream, const ColumnRoles& roles) {
  if (std::ssize(roles.features) == stream.rows->cols()) return warn_of_ids(stream, roles.is_kept);
  if (roles.id) stream.sample_ids.clear();
  if (roles.label || roles.id) read_texts(roles, stream);
  if (roles.label) stream.label_name = stream.feature_names[*roles.label];
  std::vector<std::string> names;
  for (const Index c : roles.features) names.push_back(std::move(stream.feature_names[c]));
  stream.feature_names = std::move(names);
  warn_of_ids(stream, roles.is_kept);
  stream.rows = std::make_unique<ChosenColumns>(std::move(stream.rows), roles.features);
}

}  // namespace tamis
