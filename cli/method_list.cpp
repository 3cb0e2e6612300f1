#include "cli/method_list.hpp"

#include <algorithm>
#include <array>

#include "tamis/core/error.hpp"
#include "tamis/registry/method_call.hpp"

namespace tamis::cli {
namespace {

bool is_option(const std::string& piece) {
  const std::size_t equals = piece.find('=');
  return equals != std::string::npos && piece.find(':') > equals;
}

bool is_control(const std::string& call) {
  constexpr std::array kControls{kAllFeatures, kRandomFeatures, kVarianceControl};
  return std::ranges::find(kControls, call) != kControls.end();
}

}  // namespace

std::vector<std::string> method_calls(const std::vector<std::string>& pieces) {
  std::vector<std::string> calls;
  for (const std::string& piece : pieces)
    if (is_option(piece) && !calls.empty())
      calls.back() += "," + piece;
    else
      calls.push_back(piece);
  return calls;
}

std::vector<Contestant> contestants(const std::vector<std::string>& calls) {
  std::vector<Contestant> all;
  for (const std::string& call : calls) {
    if (is_control(call)) continue;
    all.push_back({call, [parsed = parse_method_call(call)](const Problem& problem) {
                     return parsed.method->rank(problem, parsed.options);
                   }});
  }
  return all;
}

}  // namespace tamis::cli
