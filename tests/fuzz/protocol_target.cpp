// Settings of a protocol, one name=value per line.
#include "evaluation/protocol.hpp"
#include "fuzz/target.hpp"

namespace tamis {
namespace {

OptionTexts settings_of(std::string_view lines) {
  OptionTexts settings;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    const std::size_t equals = std::min(line.find('='), line.size());
    settings.emplace(line.substr(0, equals), line.substr(std::min(equals + 1, line.size())));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
  }
  return settings;
}

}  // namespace
}  // namespace tamis

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tamis;
  fuzz::attempt([&] {
    constexpr Index kFeatures = 100;
    const Protocol protocol = with_settings({}, settings_of(fuzz::view_of(data, size)));
    fuzz::claim(!label_counts(protocol).empty(), "some labels are given");
    const std::vector<Index> lengths = lengths_for(protocol, kFeatures);
    fuzz::claim(!lengths.empty() && lengths.front() >= 1 && lengths.back() <= kFeatures,
                "lengths are numbers of features");
  });
  return 0;
}
