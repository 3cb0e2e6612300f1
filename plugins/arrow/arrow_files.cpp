// Parquet and Arrow IPC files are read, and Parquet files written, by Arrow's libraries, apart from
// the program: these take longer to load than most commands run.
#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/util/compression.h>
#include <arrow/util/thread_pool.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "io/arrow_abi.hpp"

using arrow::Result;
using arrow::Status;

using Batches = std::shared_ptr<arrow::RecordBatchReader>;

/// Some of the columns of a file, and what they hold.
struct TamisArrowFile {
  TamisArrowFile() = default;
  TamisArrowFile(const TamisArrowFile&) = delete;
  TamisArrowFile& operator=(const TamisArrowFile&) = delete;
  virtual ~TamisArrowFile() = default;

  virtual std::int64_t rows() const = 0;
  virtual std::shared_ptr<arrow::Schema> schema() const = 0;
  virtual Result<Batches> columns(const std::vector<int>& wanted) = 0;
};

namespace {

/// As many rows of all wanted columns as make about so many cells are read at once.
constexpr std::int64_t kCellsAtOnce = std::int64_t{1} << 18;

/// A file whose reading ahead is done by threads of ours: Arrow's own ones outlive main(), and
/// crash then now and then.
class PlainFile final : public arrow::io::RandomAccessFile {
 public:
  PlainFile(std::shared_ptr<arrow::io::ReadableFile> file, arrow::io::IOContext context)
      : file_(std::move(file)), context_(std::move(context)) {}

  const arrow::io::IOContext& io_context() const override { return context_; }
  Status Close() override { return file_->Close(); }
  bool closed() const override { return file_->closed(); }
  Result<std::int64_t> Tell() const override { return file_->Tell(); }
  Result<std::int64_t> GetSize() override { return file_->GetSize(); }
  Status Seek(std::int64_t position) override { return file_->Seek(position); }
  Result<std::int64_t> Read(std::int64_t count, void* out) override {
    return file_->Read(count, out);
  }
  Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t count) override {
    return file_->Read(count);
  }
  Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t count, void* out) override {
    return file_->ReadAt(position, count, out);
  }
  Result<std::shared_ptr<arrow::Buffer>> ReadAt(std::int64_t position,
                                                std::int64_t count) override {
    return file_->ReadAt(position, count);
  }

 private:
  std::shared_ptr<arrow::io::ReadableFile> file_;
  arrow::io::IOContext context_;
};

/// What is needed to read a file: memory, of which there is only so much, and a thread, which has
/// ended when this has.
class Means {
 public:
  explicit Means(std::int64_t bytes) : pool_(arrow::system_memory_pool(), bytes) {}

  arrow::MemoryPool* pool() { return &pool_; }
  Result<std::shared_ptr<PlainFile>> open(const std::string& path) {
    if (thread_ == nullptr) {
      ARROW_ASSIGN_OR_RAISE(thread_, arrow::internal::ThreadPool::Make(1));
    }
    ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(path, &pool_));
    return std::make_shared<PlainFile>(std::move(file),
                                       arrow::io::IOContext(&pool_, thread_.get()));
  }

 private:
  arrow::CappedMemoryPool pool_;
  std::shared_ptr<arrow::internal::ThreadPool> thread_;
};

class ParquetFile final : public TamisArrowFile {
 public:
  static Result<std::unique_ptr<TamisArrowFile>> open(const std::string& path,
                                                      std::int64_t most_bytes) {
    auto file = std::make_unique<ParquetFile>(most_bytes);
    ARROW_ASSIGN_OR_RAISE(auto input, file->means_.open(path));
    parquet::arrow::FileReaderBuilder builder;
    parquet::ReaderProperties properties(file->means_.pool());
    properties.enable_buffered_stream();  // a page at a time, not a column
    ARROW_RETURN_NOT_OK(builder.Open(input, properties));
    parquet::ArrowReaderProperties reading;
    reading.set_pre_buffer(false);
    ARROW_ASSIGN_OR_RAISE(file->reader_,
                          builder.memory_pool(file->means_.pool())->properties(reading)->Build());
    ARROW_RETURN_NOT_OK(file->reader_->GetSchema(&file->schema_));
    return file;
  }

  explicit ParquetFile(std::int64_t most_bytes) : means_(most_bytes) {}

  std::int64_t rows() const override { return reader_->parquet_reader()->metadata()->num_rows(); }
  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Result<Batches> columns(const std::vector<int>& wanted) override {
    std::vector<int> leaves;
    for (const int column : wanted) {
      const auto& field = reader_->manifest().schema_fields[static_cast<std::size_t>(column)];
      if (!field.is_leaf())
        return Status::NotImplemented("column '", schema_->field(column)->name(),
                                      "' holds lists or records");
      leaves.push_back(field.column_index);
    }
    std::vector<int> groups(static_cast<std::size_t>(reader_->num_row_groups()));
    std::iota(groups.begin(), groups.end(), 0);
    const auto count = static_cast<std::int64_t>(wanted.size());
    reader_->set_batch_size(
        std::max<std::int64_t>(kCellsAtOnce / std::max<std::int64_t>(count, 1), 1024));
    ARROW_ASSIGN_OR_RAISE(auto batches, reader_->GetRecordBatchReader(groups, leaves));
    return batches;
  }

 private:
  Means means_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::shared_ptr<arrow::Schema> schema_;
};

/// The record batches of a file, one after the other.
class FileBatches final : public arrow::RecordBatchReader {
 public:
  explicit FileBatches(std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader)
      : reader_(std::move(reader)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return reader_->schema(); }
  Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    batch->reset();
    if (next_ == reader_->num_record_batches()) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(*batch, reader_->ReadRecordBatch(next_++));
    return Status::OK();
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader_;
  int next_ = 0;
};

/// Batches whose buffers are looked at before anybody relies on them; exceptions stay here.
class CheckedBatches final : public arrow::RecordBatchReader {
 public:
  explicit CheckedBatches(Batches from) : from_(std::move(from)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return from_->schema(); }
  Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    try {
      ARROW_RETURN_NOT_OK(from_->ReadNext(batch));
      return *batch == nullptr ? Status::OK() : (*batch)->ValidateFull();
    } catch (const std::exception& error) {
      return Status::Invalid(error.what());
    }
  }

 private:
  Batches from_;
};

class IpcFile final : public TamisArrowFile {
 public:
  static Result<std::unique_ptr<TamisArrowFile>> open(const std::string& path, bool is_stream,
                                                      std::int64_t most_bytes) {
    auto file = std::make_unique<IpcFile>(path, is_stream, most_bytes);
    ARROW_ASSIGN_OR_RAISE(const auto all, file->batches({}));
    file->schema_ = all->schema();
    std::vector<int> first;
    if (file->schema_->num_fields() > 0) first.push_back(0);
    ARROW_ASSIGN_OR_RAISE(const auto rows, file->batches(first));
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const auto batch, rows->Next());
      if (batch == nullptr) return file;
      file->rows_ += batch->num_rows();
    }
  }

  IpcFile(std::string path, bool is_stream, std::int64_t most_bytes)
      : path_(std::move(path)), is_stream_(is_stream), means_(most_bytes) {}

  std::int64_t rows() const override { return rows_; }
  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  Result<Batches> columns(const std::vector<int>& wanted) override { return batches(wanted); }

 private:
  /// From the start of the file, which is read anew: only these columns are decompressed. Arrow has
  /// room for the others, too, from its own pool, which would keep what was read of other columns.
  Result<Batches> batches(const std::vector<int>& wanted) {
    arrow::default_memory_pool()->ReleaseUnused();
    auto options = arrow::ipc::IpcReadOptions::Defaults();
    options.memory_pool = means_.pool();
    options.included_fields = wanted;
    options.use_threads = false;
    ARROW_ASSIGN_OR_RAISE(auto input, means_.open(path_));
    if (is_stream_) {
      ARROW_ASSIGN_OR_RAISE(auto stream, arrow::ipc::RecordBatchStreamReader::Open(input, options));
      return stream;
    }
    ARROW_ASSIGN_OR_RAISE(auto file, arrow::ipc::RecordBatchFileReader::Open(input, options));
    return std::make_shared<FileBatches>(std::move(file));
  }

  std::string path_;
  bool is_stream_;
  Means means_;
  std::shared_ptr<arrow::Schema> schema_;
  std::int64_t rows_ = 0;
};

Result<std::unique_ptr<TamisArrowFile>> open_any(const std::string& path, std::int64_t most_bytes) {
  ARROW_ASSIGN_OR_RAISE(const auto input, arrow::io::ReadableFile::Open(path));
  ARROW_ASSIGN_OR_RAISE(const auto start, input->Read(8));
  const std::string magic = start->ToString();
  if (magic.rfind("PAR1", 0) == 0) return ParquetFile::open(path, most_bytes);
  return IpcFile::open(path, magic.rfind("ARROW1", 0) != 0, most_bytes);
}

/// A table of the program as Arrow has it, some rows at a time.
class RowGroups {
 public:
  explicit RowGroups(const TamisArrowTable& table)
      : table_(table), number_(table.is_single != 0 ? arrow::float32() : arrow::float64()) {
    arrow::FieldVector fields;
    for (std::int64_t c = 0; c < table.columns; ++c)
      fields.push_back(
          arrow::field(table.name(table.context, c), has_texts(c) ? arrow::utf8() : number_));
    schema_ = arrow::schema(fields);
  }

  const std::shared_ptr<arrow::Schema>& schema() const { return schema_; }

  /// Rows first .. first + count - 1.
  Result<std::shared_ptr<arrow::Table>> rows(std::int64_t first, std::int64_t count) const {
    const std::int64_t column_bytes = count * number_->byte_width();
    std::int64_t numbers_columns = 0;
    for (std::int64_t c = 0; c < table_.columns; ++c) numbers_columns += has_texts(c) ? 0 : 1;
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> numbers,
                          arrow::AllocateBuffer(numbers_columns * column_bytes));
    table_.numbers(table_.context, first, count, numbers->mutable_data());
    arrow::ArrayVector arrays;
    std::int64_t offset = 0;
    for (std::int64_t c = 0; c < table_.columns; ++c) {
      if (has_texts(c)) {
        ARROW_ASSIGN_OR_RAISE(auto array, texts(c, first, count));
        arrays.push_back(std::move(array));
        continue;
      }
      auto values = arrow::SliceBuffer(numbers, offset, column_bytes);
      arrays.push_back(arrow::MakeArray(
          arrow::ArrayData::Make(number_, count, {nullptr, std::move(values)}, /*null_count=*/0)));
      offset += column_bytes;
    }
    return arrow::Table::Make(schema_, arrays, count);
  }

 private:
  bool has_texts(std::int64_t column) const {
    return table_.holds_texts(table_.context, column) != 0;
  }

  Result<std::shared_ptr<arrow::Array>> texts(std::int64_t column, std::int64_t first,
                                              std::int64_t count) const {
    arrow::StringBuilder builder;
    for (std::int64_t row = first; row < first + count; ++row) {
      std::int64_t length = 0;
      const char* const text = table_.text(table_.context, column, row, &length);
      ARROW_RETURN_NOT_OK(text == nullptr
                              ? builder.AppendNull()
                              : builder.Append(text, static_cast<std::int32_t>(length)));
    }
    return builder.Finish();
  }

  const TamisArrowTable& table_;
  std::shared_ptr<arrow::DataType> number_;
  std::shared_ptr<arrow::Schema> schema_;
};

Status write_parquet(const std::string& path, const TamisArrowTable& table) {
  constexpr std::int64_t kCellsOfGroup = std::int64_t{1} << 22;
  const RowGroups groups(table);
  const bool has_snappy = arrow::util::Codec::IsAvailable(arrow::Compression::SNAPPY);
  const auto properties =
      parquet::WriterProperties::Builder()
          .compression(has_snappy ? arrow::Compression::SNAPPY : arrow::Compression::UNCOMPRESSED)
          ->build();
  ARROW_ASSIGN_OR_RAISE(auto sink, arrow::io::FileOutputStream::Open(path));
  ARROW_ASSIGN_OR_RAISE(const auto writer,
                        parquet::arrow::FileWriter::Open(
                            *groups.schema(), arrow::system_memory_pool(), sink, properties));
  const std::int64_t at_once =
      std::max<std::int64_t>(kCellsOfGroup / std::max<std::int64_t>(table.columns, 1), 1);
  for (std::int64_t first = 0; first < table.rows; first += at_once) {
    const std::int64_t count = std::min(at_once, table.rows - first);
    ARROW_ASSIGN_OR_RAISE(const auto rows, groups.rows(first, count));
    ARROW_RETURN_NOT_OK(writer->WriteTable(*rows, count));
  }
  ARROW_RETURN_NOT_OK(writer->Close());
  return sink->Close();
}

void say(TamisArrowMessage& message, const std::string& text) {
  const std::size_t count = std::min(text.size(), sizeof(message.text) - 1);
  std::memcpy(message.text, text.data(), count);
  message.text[count] = '\0';
}

/// Calls work(), which returns a Status. Returns whether it failed, and says why: exceptions stay
/// here.
template <class Work>
int guarded(TamisArrowMessage* message, const Work& work) {
  try {
    const Status status = work();
    if (status.ok()) return 0;
    say(*message, status.message());
  } catch (const std::exception& error) {
    say(*message, error.what());
  }
  return 1;
}

TamisArrowFile* open_file(const char* path, std::int64_t most_bytes, TamisArrowMessage* message) {
  std::unique_ptr<TamisArrowFile> file;
  const int failed = guarded(message, [&]() -> Status {
    ARROW_ASSIGN_OR_RAISE(file, open_any(path, most_bytes));
    return Status::OK();
  });
  return failed != 0 ? nullptr : file.release();
}

void close_file(TamisArrowFile* file) { delete file; }

std::int64_t rows_of(const TamisArrowFile* file) { return file->rows(); }

int export_schema(const TamisArrowFile* file, ArrowSchema* out, TamisArrowMessage* message) {
  return guarded(message, [&] { return arrow::ExportSchema(*file->schema(), out); });
}

int export_columns(TamisArrowFile* file, const int* columns, std::int64_t count,
                   ArrowArrayStream* out, TamisArrowMessage* message) {
  return guarded(message, [&]() -> Status {
    ARROW_ASSIGN_OR_RAISE(auto batches, file->columns(std::vector<int>(columns, columns + count)));
    return arrow::ExportRecordBatchReader(std::make_shared<CheckedBatches>(std::move(batches)),
                                          out);
  });
}

int write_file(const char* path, const TamisArrowTable* table, TamisArrowMessage* message) {
  return guarded(message, [&] { return write_parquet(path, *table); });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const TamisArrowLibrary* TAMIS_ARROW_ENTRY() {
  static const TamisArrowLibrary library{ARROW_VERSION_STRING, open_file,      close_file, rows_of,
                                         export_schema,        export_columns, write_file};
  return &library;
}
