// A file of one format of the registry, which CMakeLists.txt names. What recognises files need not
// agree: an extension may have decided.
#include "fuzz/table_promises.hpp"
#include "fuzz/target.hpp"
#include "io/formats.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tamis;
  const std::string_view bytes = fuzz::view_of(data, size);
  if (bytes.empty() || !bytes.starts_with(TAMIS_FUZZ_START)) return 0;
  fuzz::attempt([&] {
    const fuzz::InputFile file(bytes);
    ByteSource source(file.path());
    const FileFormat& format = find_format({TAMIS_FUZZ_FORMAT});
    format.recognises(source);
    fuzz::check_promises(format.read(source, {}));
  });
  return 0;
}
