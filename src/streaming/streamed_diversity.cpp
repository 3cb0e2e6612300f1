#include "streaming/streamed_diversity.hpp"

namespace tamis {
namespace {

DiversifyOptions checked(const DiversifyOptions& options, const Knowledge& known) {
  check_diversify(options, known);
  return options;
}

}  // namespace

StreamedDiversity::StreamedDiversity(const StreamedProblem& problem,
                                     const DiversifyOptions& options,
                                     std::unique_ptr<RankingConversation> base, std::uint64_t seed)
    : known_(problem.known),
      options_(checked(options, problem.known)),
      base_(std::move(base)),
      levels_(problem, level_options(options), seed, diversify_info()),
      both_({base_.get(), &levels_}) {}

Ranking StreamedDiversity::ranked(const Run& run) {
  return diversify(levels_.levels(), known_, base_->result(run), options_, run);
}

}  // namespace tamis
