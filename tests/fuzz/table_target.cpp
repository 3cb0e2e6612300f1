// Any file, as users give it: recognised by its content, perhaps compressed, and with options. The
// first byte of an input says which, the others are the file.
#include "fuzz/table_promises.hpp"
#include "fuzz/target.hpp"
#include "io/deflater.hpp"
#include "tamis/io/labels.hpp"
#include "tamis/io/open.hpp"

namespace tamis {
namespace {

constexpr unsigned kCompressed = 1u << 7;

ReadOptions options_of(unsigned bits) {
  ReadOptions options;
  const auto is_set = [&](int bit) { return (bits >> bit & 1u) != 0; };
  if (is_set(0)) options.label_column = "0";
  if (is_set(1)) options.id_column = "1";
  if (is_set(2)) options.drop = {"2"};
  if (is_set(3)) options.keep = {"0"};
  if (is_set(4)) options.has_header = is_set(5);
  if (is_set(5)) options.separator = ' ';
  if (is_set(6)) options.precision = Precision::single;
  return options;
}

std::string compressed(std::string_view bytes) {
  std::string result;
  Deflater deflater(Deflater::Wrapper::gzip, [&](std::string_view some) { result += some; });
  deflater.write(bytes);
  deflater.finish();
  return result;
}

void read(unsigned bits, std::string_view bytes) {
  const fuzz::InputFile file((bits & kCompressed) != 0 ? compressed(bytes) : std::string(bytes));
  const Table table = read_table(file.path(), options_of(bits));
  fuzz::check_promises(table);
  const EncodedLabels encoded = encode_labels(table.label_texts);
  fuzz::claim(encoded.labels.size() == table.label_texts.size(), "every label is encoded");
}

}  // namespace
}  // namespace tamis

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tamis;
  if (size == 0) return 0;
  fuzz::attempt([&] { read(data[0], fuzz::view_of(data + 1, size - 1)); });
  return 0;
}
