#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// How the scores that members gave a feature become one.
enum class Combine {
  mean,         ///< mean over the members that drew it
  literal,      ///< sum over the members / number of members: a feature rarely drawn scores low
  rank,         ///< mean of place / size of the member's subspace, places from 0; lower is better
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

/// Into how many parts an ensemble is dealt to see how stable its ranking is.
inline constexpr Index kParts = 10;

/// How many of `size` features are the best 10 %: rounded up, so at least one.
constexpr Index best_tenth(Index size) { return (size + 9) / 10; }

/// Collects what the members of an ensemble say about features, member by member, and combines it.
/// Adding members now and others later is the same as adding all at once.
class Tally {
 public:
  Tally(Index n_features, Better better);

  /// The next member: scores[s] is that of features[s] (ascending), undefined ones among them.
  void add(std::span<const Index> features, std::span<const double> scores);

  Index members() const { return members_; }
  /// In how many members each feature was.
  std::span<const Index> draws() const { return draws_; }

  /// One score per feature; undefined if no member drew it (literal: 0, as its formula has it).
  /// Members in which it is undefined do not count in `mean`, add 0 to `literal`, and put it last
  /// elsewhere. robust_rank: rho of Kolde et al., Bioinformatics 28, 2012.
  std::vector<double> combined(Combine combine) const;
  /// Which of two combined scores is better.
  Better direction(Combine combine) const;

  /// Draws, mean, standard error and best share; no stability.
  Committee committee() const;

 private:
  Index members_ = 0;
  Better better_;
  std::vector<Index> draws_;
  std::vector<Index> defined_;
  std::vector<Index> among_best_;
  std::vector<double> sums_;
  std::vector<double> means_;
  std::vector<double> squares_;  // sum of squared deviations from the mean (Welford)
  std::vector<double> relative_places_;
  std::vector<double> beaten_;
  std::vector<std::vector<float>> places_;
};

}  // namespace tamis
