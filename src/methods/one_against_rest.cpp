#include "methods/one_against_rest.hpp"

namespace tamis {

std::vector<OneAgainstRest> one_against_rest(const Knowledge& known) {
  const std::vector<Index> labeled = labeled_rows(known);
  std::vector<OneAgainstRest> tasks;
  for (const std::vector<Index>& members : rows_by_class(known)) {
    OneAgainstRest task{.label = known.label(members.front())};
    for (const Index row : labeled) task.signs.push_back(known.label(row) == task.label ? 1. : -1.);
    tasks.push_back(std::move(task));
  }
  if (tasks.size() == 2) tasks.pop_back();
  return tasks;
}

}  // namespace tamis
