#include "streaming/streamed_clustering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "clustering/kmeans/constrained_kmeans.hpp"
#include "clustering/kmeans/kmeans.hpp"
#include "clustering/kmeans/seeded_kmeans.hpp"
#include "streaming/streamed_kmeans.hpp"
#include "streaming/streamed_som.hpp"
#include "streaming/streamed_weighted_kmeans.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// What a conversation is begun with.
struct Beginning {
  const OptionTexts& texts;
  StreamedProblem problem;
  ClusterGiven given;
  std::uint64_t seed;
};

template <class Options>
std::unique_ptr<ClusteringConversation> begin_kmeans(Beginning with) {
  const auto options = parse_options<Options>(Options::info.name, with.texts);
  return std::make_unique<StreamedKmeans>(std::move(with.problem), plan_of(options),
                                          std::move(with.given), with.seed);
}

std::unique_ptr<ClusteringConversation> begin_som(Beginning with) {
  const auto options = parse_options<SomOptions>(SomOptions::info.name, with.texts);
  check_given(options.info, with.given, 0, with.problem.rows, with.problem.cols);
  return std::make_unique<StreamedSom>(std::move(with.problem), options, with.given.rows,
                                       with.seed);
}

template <class Options>
std::unique_ptr<ClusteringConversation> begin_weighted(Beginning with) {
  const auto options = parse_options<Options>(Options::info.name, with.texts);
  return for_clusters(streamed_weights(options, std::move(with.problem), std::move(with.given),
                                       with.seed, StreamedWeights::For::clusters));
}

using Begin = std::unique_ptr<ClusteringConversation> (*)(Beginning);

/// The only list of clusterings that stream.
constexpr std::array<std::pair<std::string_view, Begin>, 6> kConversations{{
    {SomOptions::info.name, begin_som},
    {KmeansOptions::info.name, begin_kmeans<KmeansOptions>},
    {SeededKmeansOptions::info.name, begin_kmeans<SeededKmeansOptions>},
    {ConstrainedKmeansOptions::info.name, begin_kmeans<ConstrainedKmeansOptions>},
    {WckmOptions::info.name, begin_weighted<WckmOptions>},
    {L2gfsOptions::info.name, begin_weighted<L2gfsOptions>},
}};

}  // namespace

std::unique_ptr<ClusteringConversation> streamed_clustering(std::string_view name,
                                                            const OptionTexts& texts,
                                                            StreamedProblem problem,
                                                            ClusterGiven given,
                                                            std::uint64_t seed) {
  const auto found =
      std::ranges::find(kConversations, name, &std::pair<std::string_view, Begin>::first);
  if (found == kConversations.end())
    throw InvalidArgument(fmt::format("{} looks at all rows at once", name));
  check_problem(problem);
  return found->second({texts, std::move(problem), std::move(given), seed});
}

}  // namespace tamis
