// A ranking as JSON, which Python reads when it unpickles one.
#include "fuzz/target.hpp"
#include "results/json_fields.hpp"
#include "results/ranking_result.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tamis;
  fuzz::attempt([&] {
    const Json json = Json::parse(fuzz::view_of(data, size), nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded()) return;
    const std::string text = json_line(json_of(read_json<RankingResult>(json)));
    const std::string again = json_line(json_of(read_json<RankingResult>(Json::parse(text))));
    fuzz::claim(text == again, "what is written is read as the same");
  });
  return 0;
}
