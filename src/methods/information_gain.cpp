#include "tamis/methods/information_gain.hpp"

#include "core/ties.hpp"
#include "methods/preconditions.hpp"
#include "methods/states/state_information.hpp"

namespace tamis {

Ranking information_gain(const Problem& problem, const InformationGainOptions& options,
                         const Run& /*run*/) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  std::vector<double> scores = StateInformation(problem, options.states).with_classes();
  level_ties(scores, Better::higher);
  return rank_features(std::move(scores), Better::higher, {},
                       constant_on_labeled_rows(options.info));
}

}  // namespace tamis
