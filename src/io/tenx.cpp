#include "io/tenx.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <unordered_map>

#include "io/annotations.hpp"
#include "io/delimited.hpp"
#include "io/hdf5_file.hpp"
#include "io/hdf5_rows.hpp"
#include "io/hdf5_sparse.hpp"
#include "io/matlab.hpp"
#include "io/matrix_market.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "10x";

/// Names, made distinct by ids where one names several features.
std::vector<std::string> distinct_names(std::vector<std::string> names,
                                        const std::vector<std::string>& ids,
                                        std::vector<Note>& notes) {
  std::unordered_map<std::string, Index> counts;
  for (const std::string& name : names) ++counts[name];
  Index repeated = 0;
  for (std::size_t r = 0; r < names.size(); ++r) {
    if (counts[names[r]] == 1) continue;
    names[r] += "_" + ids[r];
    ++repeated;
  }
  if (repeated > 0)
    notes.push_back(
        {fmt::format("{} features share their names with others, and have their ids "
                     "behind them",
                     repeated)});
  return names;
}

void check_count(const std::string& file, std::string_view what, std::size_t found,
                 Index expected) {
  if (static_cast<Index>(found) != expected)
    throw DataError(fmt::format("{}: {} {}, but the matrix has {}", file, found, what, expected));
}

/// Rows and columns have their names; what is left to do is what the options ask.
template <class Rows>
void finish(const std::string& file, Rows& table, Index rows, Index cols,
            const std::vector<std::string>& feature_ids, const ReadOptions& options) {
  check_count(file, "features", table.feature_names.size(), cols);
  check_count(file, "feature ids", feature_ids.size(), cols);
  check_count(file, "barcodes", table.sample_ids.size(), rows);
  table.feature_names = distinct_names(std::move(table.feature_names), feature_ids, table.notes);
  apply_options(file, table, {}, options);
}

class Reader {
 public:
  Reader(const std::string& path, bool is_trusted)
      : file_(std::make_shared<const Hdf5File>(path, kFormat, is_trusted)),
        is_trusted_(is_trusted) {}

  bool is_10x() const { return !matrices().empty(); }

  Table read(const ReadOptions& options) const {
    const Matrix matrix = only_matrix();
    Table table;
    table.data = read_hdf5_sparse(*file_, *matrix.group, matrix.rows, matrix.cols,
                                  /*is_by_columns=*/false, is_trusted_);
    annotate(matrix, table, options);
    return table;
  }

  TableStream stream(const ReadOptions& options) const {
    const Matrix matrix = only_matrix();
    TableStream stream;
    stream.rows = hdf5_sparse_rows(file_, matrix.group, matrix.rows, matrix.cols, is_trusted_,
                                   options.precision);
    annotate(matrix, stream, options);
    return stream;
  }

 private:
  /// By columns of features times cells, which are rows of cells times features.
  struct Matrix {
    std::shared_ptr<const Hdf5Object> group;
    Index rows;
    Index cols;
  };

  Matrix only_matrix() const {
    const std::vector<Hdf5Member> groups = matrices();
    if (groups.size() != 1)
      throw DataError(fmt::format("{}: holds {} matrices, one per genome: make a file of each",
                                  file_->path(), groups.size()));
    auto group =
        std::make_shared<const Hdf5Object>(file_->open(groups.front(), groups.front().name));
    const std::vector<Index> shape = part(*group, "shape").whole_numbers();
    if (shape.size() != 2) group->refuse("has no shape");
    return {std::move(group), shape[1], shape[0]};
  }

  template <class Rows>
  void annotate(const Matrix& matrix, Rows& table, const ReadOptions& options) const {
    const Hdf5Object& group = *matrix.group;
    table.sample_ids = part(group, "barcodes").texts();
    const auto features = file_->find(group, "features");
    table.feature_names = (features ? part(*features, "name") : part(group, "gene_names")).texts();
    finish(file_->path(), table, matrix.rows, matrix.cols,
           (features ? part(*features, "id") : part(group, "genes")).texts(), options);
  }

  Hdf5Object part(const Hdf5Object& group, const char* name) const {
    auto found = file_->find(group, name);
    if (!found || !found->is_dataset()) group.refuse(fmt::format("lacks its part {}", name));
    return std::move(*found);
  }

  /// The groups that hold the parts of a matrix.
  std::vector<Hdf5Member> matrices() const {
    std::vector<Hdf5Member> found;
    for (const Hdf5Member& member : file_->root().members()) {
      if (member.is_link) continue;
      const Hdf5Object object = file_->open(member, member.name);
      const auto has = [&](const char* name) { return file_->find(object, name).has_value(); };
      if (object.is_group() && has("barcodes") && has("indptr")) found.push_back(member);
    }
    return found;
  }

  std::shared_ptr<const Hdf5File> file_;
  bool is_trusted_;
};

/// The file of a folder, as it is or compressed, by the first of its names that there is.
std::string find_file(const std::string& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    for (const char* const end : {"", ".gz"}) {
      const std::string path = (fs::path(folder) / (name + end)).string();
      if (fs::exists(path)) return path;
    }
  throw IoError(fmt::format("{}: is a directory without {} (or {}.gz), which a 10x folder has",
                            folder, names.front(), names.front()));
}

/// A column of a file of tabs; the first one where a line has no such.
std::vector<std::string> column_of(const std::string& path, std::size_t column, bool is_trusted) {
  ByteSource source(path, is_trusted);
  const std::string_view text = trim_text(source.name(), source.rest());
  std::vector<std::string> cells;
  for (Record& record : split_records(source.name(), text, {.delimiter = '\t'}))
    cells.push_back(std::move(record.fields[column < record.fields.size() ? column : 0]));
  return cells;
}

}  // namespace

bool looks_like_10x(ByteSource& source) {
  // Files of MATLAB say so in front of HDF5: they need not be opened to know.
  if (source.starts_with("MATLAB") || !looks_like_matlab_73(source) || !source.is_plain_file())
    return false;
  try {
    return Reader(source.path(), /*is_trusted=*/false).is_10x();
  } catch (const DataError&) {
    return false;  // damaged: what reads it will say so
  }
}

Table read_10x(ByteSource& source, const ReadOptions& options) {
  return Reader(source.path(), options.is_trusted).read(options);
}

std::optional<TableStream> stream_10x(ByteSource& source, const ReadOptions& options) {
  return Reader(source.path(), options.is_trusted).stream(options);
}

Table read_10x_folder(const std::string& path, const ReadOptions& options) {
  const std::string matrix = find_file(path, {"matrix.mtx"});
  const std::string features = find_file(path, {"features.tsv", "genes.tsv"});
  const std::string barcodes = find_file(path, {"barcodes.tsv"});
  Table table;
  ByteSource source(matrix, options.is_trusted);
  if (!looks_like_matrix_market(source))
    throw DataError(fmt::format("{}: is no Matrix Market file", matrix));
  table.data = read_matrix_market_data(source, /*is_turned=*/true, options.is_trusted);
  table.sample_ids = column_of(barcodes, 0, options.is_trusted);
  table.feature_names = column_of(features, 1, options.is_trusted);
  finish(path, table, table.rows(), table.cols(), column_of(features, 0, options.is_trusted),
         options);
  return table;
}

}  // namespace tamis
