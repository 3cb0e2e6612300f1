// The format: anndata.readthedocs.io, "On-disk format".
#include "io/h5ad.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/annotations.hpp"
#include "io/delimited.hpp"
#include "io/hdf5_file.hpp"
#include "io/hdf5_rows.hpp"
#include "io/hdf5_sparse.hpp"
#include "io/matlab.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr const char* kFormat = "h5ad";
constexpr const char* kOldCategories = "__categories";  // of anndata 0.7

/// How a part is encoded: what it says, or "" of files that say nothing.
std::string encoding_of(const Hdf5Object& part) {
  const std::string type = part.text_attribute("encoding-type").value_or("");
  const std::string version = part.text_attribute("encoding-version").value_or("");
  const bool is_known = version.empty() || version == "0.1.0" || version == "0.2.0";
  if (!is_known)
    part.refuse(fmt::format("is encoded as {} of version {}, which is not known", type, version));
  return type;
}

[[noreturn]] void refuse_encoding(const Hdf5Object& part, const std::string& encoding) {
  part.refuse(fmt::format("is encoded as {}, which is not read", encoding));
}

class Reader {
 public:
  Reader(const std::string& path, bool is_trusted)
      : file_(std::make_shared<const Hdf5File>(path, kFormat, is_trusted)),
        is_trusted_(is_trusted) {}

  bool is_anndata() const {
    const Hdf5Object root = file_->root();
    if (root.text_attribute("encoding-type") == "anndata") return true;
    const auto has = [&](const char* name) { return file_->find(root, name).has_value(); };
    return has("obs") && has("var") && (has("X") || has("layers"));
  }

  Table read(const ReadOptions& options) const {
    const Matrix matrix = matrix_of(options);
    Table table;
    table.data = matrix.is_dense ? read_hdf5_dense(*matrix.object)
                                 : read_hdf5_sparse(*file_, *matrix.object, matrix.rows,
                                                    matrix.cols, matrix.is_by_columns, is_trusted_);
    annotate(table, table.rows(), table.cols(), options);
    return table;
  }

  ObsTexts read_obs() const {
    const Hdf5Object obs = part(file_->root(), "obs");
    ObsTexts texts{.names = {""}, .columns = {index_of(obs)}};
    const Index rows = std::ssize(texts.columns.front());
    for (const std::string& name : columns_of(obs)) {
      texts.names.push_back(name);
      texts.columns.push_back(column_texts(obs, name, rows));
    }
    return texts;
  }

  std::optional<TableStream> stream(const ReadOptions& options) const {
    const Matrix matrix = matrix_of(options);
    if (matrix.is_by_columns) return std::nullopt;
    TableStream stream;
    stream.rows = matrix.is_dense ? hdf5_dense_rows(file_, matrix.object, options.precision)
                                  : hdf5_sparse_rows(file_, matrix.object, matrix.rows, matrix.cols,
                                                     is_trusted_, options.precision);
    annotate(stream, stream.rows->rows(), stream.rows->cols(), options);
    return stream;
  }

 private:
  /// What holds the numbers.
  struct Matrix {
    std::shared_ptr<const Hdf5Object> object;
    bool is_dense = true;
    bool is_by_columns = false;
    Index rows = 0;  ///< of a sparse one, and columns
    Index cols = 0;
  };

  /// Names, ids, and what the options ask of the columns of a table, or of a stream.
  template <class Rows>
  void annotate(Rows& table, Index rows, Index cols, const ReadOptions& options) const {
    const Hdf5Object root = file_->root();
    const Hdf5Object obs = part(root, "obs");
    const Hdf5Object var = part(root, "var");
    table.sample_ids = index_of(obs, rows, "rows");
    table.feature_names = index_of(var, cols, "columns");
    Annotations annotations;
    annotations.names = columns_of(obs);
    annotations.texts = [&](Index number) {
      return column_texts(obs, annotations.names[number], rows);
    };
    apply_options(file_->path(), table, annotations, options);
    if (!options.label_column && table.label_texts.empty())
      note_others(annotations.names, options.drop, table.notes);
  }

  /// Which columns of obs may hold the labels.
  static void note_others(std::vector<std::string> names, const std::vector<std::string>& dropped,
                          std::vector<Note>& notes) {
    constexpr std::size_t kMost = 8;
    std::erase_if(names, [&](const std::string& name) {
      return std::ranges::find(dropped, name) != dropped.end();
    });
    if (names.empty()) return;
    std::vector<std::string> first;
    for (std::size_t c = 0; c < std::min(kMost, names.size()); ++c)
      first.push_back(shown(names[c]));
    notes.push_back({fmt::format("no column of obs is taken as the labels; there are {}{}",
                                 fmt::join(first, ", "), names.size() > kMost ? ", ..." : ""),
                     {Remedy::Action::name_label_column}});
  }

  Hdf5Object part(const Hdf5Object& group, const std::string& name) const {
    auto found = file_->find(group, name);
    if (!found) group.refuse(fmt::format("has no {}", name));
    return std::move(*found);
  }

  Hdf5Object layer(const Hdf5Object& root, const std::string& name) const {
    std::vector<std::string> names;
    if (const auto layers = file_->find(root, "layers"))
      for (const Hdf5Member& member : layers->members()) {
        if (member.name == name) return file_->open(member, "layer " + name);
        names.push_back(member.name);
      }
    throw InvalidArgument(fmt::format(
        "{}: has no layer {}{}; {}", file_->path(), name, did_you_mean(name, names),
        names.empty() ? "there is none" : fmt::format("there are {}", fmt::join(names, ", "))));
  }

  Matrix matrix_of(const ReadOptions& options) const {
    const Hdf5Object root = file_->root();
    encoding_of(root);
    Hdf5Object matrix = options.layer ? layer(root, *options.layer) : part(root, "X");
    const std::string encoding = encoding_of(matrix);
    if (matrix.is_dataset()) {
      if (!encoding.empty() && encoding != "array") refuse_encoding(matrix, encoding);
      return {std::make_shared<const Hdf5Object>(std::move(matrix))};
    }
    // Before anndata 0.7 names of attributes were others.
    const std::string old = matrix.text_attribute("h5sparse_format").value_or("");
    const bool is_csr = encoding == "csr_matrix" || old == "csr";
    const bool is_csc = encoding == "csc_matrix" || old == "csc";
    if (!is_csr && !is_csc) refuse_encoding(matrix, encoding.empty() ? "nothing" : encoding);
    const std::vector<Index> shape =
        matrix.numbers_attribute(old.empty() ? "shape" : "h5sparse_shape");
    if (shape.size() != 2) matrix.refuse("has no shape");
    return {std::make_shared<const Hdf5Object>(std::move(matrix)), /*is_dense=*/false, is_csc,
            shape[0], shape[1]};
  }

  /// What rows are called: the column of a data frame that its attribute names.
  std::vector<std::string> index_of(const Hdf5Object& frame) const {
    check_frame(frame);
    return texts_of(part(frame, frame.text_attribute("_index").value_or("_index")));
  }
  std::vector<std::string> index_of(const Hdf5Object& frame, Index count,
                                    std::string_view lines) const {
    std::vector<std::string> texts = index_of(frame);
    if (std::ssize(texts) != count)
      frame.refuse(fmt::format("names {} {}, but the table has {}", texts.size(), lines, count));
    return texts;
  }

  void check_frame(const Hdf5Object& frame) const {
    if (!frame.is_group())
      frame.refuse("is no group: the file is of anndata before 0.7; write it anew");
    const std::string encoding = encoding_of(frame);
    if (!encoding.empty() && encoding != "dataframe") refuse_encoding(frame, encoding);
  }

  /// In the order of the file, which sorts them by name.
  static std::vector<std::string> columns_of(const Hdf5Object& frame) {
    const std::string index = frame.text_attribute("_index").value_or("_index");
    std::vector<std::string> names;
    for (const Hdf5Member& member : frame.members())
      if (member.name != index && member.name != kOldCategories) names.push_back(member.name);
    return names;
  }

  std::vector<std::string> column_texts(const Hdf5Object& frame, const std::string& name,
                                        Index rows) const {
    const Hdf5Object column = part(frame, name);
    std::vector<std::string> texts;
    const auto old = file_->find(frame, kOldCategories);
    const auto old_categories = old ? file_->find(*old, name) : std::nullopt;
    if (old_categories)
      texts = category_texts(column, texts_of(*old_categories), column.whole_numbers());
    else
      texts = texts_of(column);
    if (std::ssize(texts) != rows)
      column.refuse(fmt::format("holds {} values, but the table has {} rows", texts.size(), rows));
    return texts;
  }

  /// A column of any encoding; what is missing is "".
  std::vector<std::string> texts_of(const Hdf5Object& column) const {
    const std::string encoding = encoding_of(column);
    if (column.is_dataset()) return item_texts(column);
    if (encoding == "categorical")
      return category_texts(column, texts_of(part(column, "categories")),
                            part(column, "codes").whole_numbers());
    if (!encoding.starts_with("nullable-")) refuse_encoding(column, encoding);
    std::vector<std::string> texts = item_texts(part(column, "values"));
    const std::vector<Index> mask = part(column, "mask").whole_numbers();
    if (mask.size() != texts.size()) column.refuse("is damaged: values and mask differ in length");
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (mask[i] != 0) texts[i].clear();
    return texts;
  }

  static std::vector<std::string> item_texts(const Hdf5Object& items) {
    const Hdf5Items::Kind kind = items.items().kind;
    if (kind == Hdf5Items::Kind::text) return items.texts();
    std::vector<std::string> texts;
    if (kind == Hdf5Items::Kind::floating)
      for (const double number : items.numbers<std::vector<double>>())
        texts.push_back(fmt::format("{}", number));
    else
      for (const Index number : items.whole_numbers()) texts.push_back(std::to_string(number));
    return texts;
  }

  static std::vector<std::string> category_texts(const Hdf5Object& column,
                                                 const std::vector<std::string>& categories,
                                                 const std::vector<Index>& codes) {
    std::vector<std::string> texts;
    for (const Index code : codes) {
      if (code < -1 || code >= std::ssize(categories))
        column.refuse(fmt::format("is damaged: {} is no category", code));
      texts.push_back(code == -1 ? "" : categories[code]);
    }
    return texts;
  }

  std::shared_ptr<const Hdf5File> file_;
  bool is_trusted_;
};

}  // namespace

bool looks_like_h5ad(ByteSource& source) {
  // Files of MATLAB say so in front of HDF5: they need not be opened to know.
  if (source.starts_with("MATLAB") || !looks_like_matlab_73(source) || !source.is_plain_file())
    return false;
  try {
    return Reader(source.path(), /*is_trusted=*/false).is_anndata();
  } catch (const DataError&) {
    return false;  // damaged: what reads it will say so
  }
}

ObsTexts read_h5ad_obs(ByteSource& source) {
  return Reader(source.path(), /*is_trusted=*/false).read_obs();
}

Table read_h5ad(ByteSource& source, const ReadOptions& options) {
  return Reader(source.path(), options.is_trusted).read(options);
}

std::optional<TableStream> stream_h5ad(ByteSource& source, const ReadOptions& options) {
  return Reader(source.path(), options.is_trusted).stream(options);
}

}  // namespace tamis
