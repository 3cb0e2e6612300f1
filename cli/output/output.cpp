#include "cli/output/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "cli/commands/load.hpp"
#include "io/byte_source.hpp"
#include "io/delimited.hpp"
#include "io/formats.hpp"
#include "tamis/core/error.hpp"
#include "tamis/io/open.hpp"

namespace tamis::cli {
namespace fs = std::filesystem;
namespace {

/// A temporary file in a folder in which nobody else can put anything.
class PrivateFile {
 public:
  explicit PrivateFile(const std::string& name)
      : folder_((fs::temp_directory_path() / "tamis-XXXXXX").string()) {
    if (mkdtemp(folder_.data()) == nullptr)
      throw IoError(fmt::format("{}: {}", folder_, std::strerror(errno)));
    path_ = folder_ + "/" + name;
  }
  ~PrivateFile() {
    unlink(path_.c_str());
    rmdir(folder_.c_str());
  }
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string folder_;
  std::string path_;
};

/// @throws InvalidArgument if it has one: nothing is written under the name of something else
void check_has_no_extension(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  if (!extension.empty())
    throw InvalidArgument(
        fmt::format("{}: no table is written as {}; use {}, text formats also with .gz", path,
                    extension, written_extensions()));
}

}  // namespace

void write_stdout(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw ClosedPipe("standard output");
    } else if (errno != EINTR) {
      throw IoError(fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
    }
  }
}

std::string output_path(const Arguments& arguments, const std::vector<std::string>& inputs,
                        const std::string& flag) {
  std::string path = arguments.text(flag, "-");
  if (path == "-") return "";
  const std::string called = flag == "output" ? "-o" : "--" + flag;
  if (path.empty())
    throw InvalidArgument(fmt::format("{}: {} '' names no file; - is standard output",
                                      arguments.command->name, called));
  check_no_input(path, inputs, called);
  return path;
}

void check_no_input(const std::string& path, const std::vector<std::string>& inputs,
                    std::string_view called) {
  std::error_code error;
  for (const std::string& input : inputs)
    if (fs::is_regular_file(path, error) &&
        fs::equivalent(path, input == "-" ? "/dev/stdin" : input, error))
      throw InvalidArgument(fmt::format("{} {} would overwrite the input {}: choose another name",
                                        called, path, name_of_input(input)));
}

void check_apart(const Arguments& arguments, const Destination& one, const Destination& other) {
  if (one.path.empty() != other.path.empty()) return;
  std::error_code error;
  const auto place = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path, error), error);
  };
  if (one.path == other.path || place(one.path) == place(other.path))
    throw InvalidArgument(fmt::format("{}: {} and {} both go to {}", arguments.command->name,
                                      one.what, other.what,
                                      one.path.empty() ? "standard output" : one.path));
}

std::string csv_cell(const std::string& text) { return quoted_field(text, ",;\t\"\r\n"); }

std::string name_in_file(const Knowledge& known, Index row) {
  return known.sample_ids.empty() ? std::to_string(row) : known.sample_ids[row];
}

std::string_view row_header(const Knowledge& known) {
  return known.sample_ids.empty() ? "row" : "id";
}

TextOutput::TextOutput(const std::string& path) {
  if (!path.empty()) file_.emplace(path);
}

void TextOutput::write(std::string_view text) {
  if (!file_) return write_stdout(text);
  file_->write(text);
  file_->commit();
}

Format output_format(const std::string& path, Format otherwise) {
  const std::optional<Format> wanted = format_of_extension(path);
  if (!wanted) check_has_no_extension(path);
  const bool can_be_as_read = find_format(otherwise).write != nullptr;
  const FileFormat& format = find_format(wanted.value_or(can_be_as_read ? otherwise : Format::csv));
  check_is_written(format);
  if (path.empty() && !format.is_text())
    throw InvalidArgument(fmt::format("a {} table is not text: name a file with -o", format.name));
  return {format.name};
}

void check_writable(const std::string& path) {
  if (!path.empty()) const AtomicFile probe(path);
}

void deliver_table(const std::string& path, const Table& table, std::span<const Index> columns,
                   Format format) {
  if (!path.empty()) return write_table(path, table, columns, format);
  std::unique_ptr<ByteSource> source;
  {
    const PrivateFile temporary(fmt::format("table.{}", format.name));
    write_table(temporary.path(), table, columns, format);
    source = std::make_unique<ByteSource>(temporary.path());
  }  // which stays readable while it is open, and nothing is left behind
  std::string block(std::size_t{1} << 16U, '\0');
  while (const std::size_t count = source->read(block.data(), block.size()))
    write_stdout(std::string_view(block).substr(0, count));
}

}  // namespace tamis::cli
