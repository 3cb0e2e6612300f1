// Methods with options, as people write them in a list: cls:n_neighbors=5,form=ensemble,lsdf.
#include "fuzz/target.hpp"
#include "registry/method_call.hpp"

namespace tamis {
namespace {

std::vector<std::string> pieces_of(std::string_view list) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    pieces.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

}  // namespace
}  // namespace tamis

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tamis;
  fuzz::attempt([&] {
    for (const std::string& call : method_calls(pieces_of(fuzz::view_of(data, size))))
      fuzz::claim(parse_method_call(call).resolved().size() ==
                      parse_method_call(call).method->options.size(),
                  "every option has a value");
  });
  return 0;
}
