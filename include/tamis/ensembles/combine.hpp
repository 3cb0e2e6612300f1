#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "tamis/core/options.hpp"

namespace tamis {

/// How many members an ensemble may have: more would take years, and the draws of each take memory.
inline constexpr Range kMemberCount = between(1, 10'000'000);

/// How the scores that members gave a feature become one.
enum class Combine {
  mean,         ///< mean over the members that drew it
  literal,      ///< sum over the members / number of members: a feature rarely drawn scores low
  rank,         ///< mean of place / size of the member's subspace, places from 0, ties sharing the
                ///< mean of theirs; lower is better
  borda,        ///< mean number of features it beats, ties counting half; higher is better
  robust_rank,  ///< how unlikely its good places are by chance; lower is better
};
constexpr auto option_words(Combine) {
  return std::array{std::pair{std::string_view("mean"), Combine::mean},
                    std::pair{std::string_view("literal"), Combine::literal},
                    std::pair{std::string_view("rank"), Combine::rank},
                    std::pair{std::string_view("borda"), Combine::borda},
                    std::pair{std::string_view("robust_rank"), Combine::robust_rank}};
}

/// What options of this kind say of it.
inline constexpr std::string_view kCombineHelp =
    "how a feature's scores become one: mean over the members that drew it; sum over them / all "
    "members; mean place; features beaten; how unlikely its places are";

}  // namespace tamis
