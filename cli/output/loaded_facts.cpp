#include "cli/output/loaded_facts.hpp"

namespace tamis::cli {

ProblemFacts loaded_facts(const Arguments& arguments, const LoadedProblem& data) {
  ProblemFacts facts = problem_facts(data.problem);
  facts.file = arguments.operands.front();
  facts.format = data.table.format.name;
  facts.must_link = data.must_link;
  facts.cannot_link = data.cannot_link;
  facts.scale = arguments.text("scale", "none");
  return facts;
}

}  // namespace tamis::cli
