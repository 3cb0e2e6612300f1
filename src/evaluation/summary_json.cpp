#include "evaluation/summary.hpp"
#include "results/json_fields.hpp"

namespace tamis {

std::string to_json_line(const ExperimentFacts& facts, const Summary& summary) {
  Json object = {{"schema", "tamis/summary/1"}};
  object.update(json_of(facts));
  object.update(json_of(summary));
  return json_line(object);
}

}  // namespace tamis
