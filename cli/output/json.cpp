#include "cli/output/json.hpp"

namespace tamis::cli {

Json lines_json(const std::vector<double>& values, Index width) {
  Json lines = Json::array();
  for (auto from = values.begin(); from != values.end(); from += width)
    lines.push_back(numbers({from, from + width}));
  return lines;
}

Json options_json(const NamedValues& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values)
    std::visit([&, key = name](const auto& v) { object[key] = v; }, value);
  return object;
}

Json data_json(const Arguments& arguments, const LoadedProblem& data) {
  const Problem& problem = data.problem;
  return {{"file", arguments.operands.front()},
          {"format", data.table.format.name},
          {"rows", problem.rows()},
          {"features", problem.cols()},
          {"labeled", labeled_rows(problem.known).size()},
          {"classes", rows_by_class(problem.known).size()},
          {"must_link", data.must_link},
          {"cannot_link", data.cannot_link},
          {"sparse", problem.matrix.is_sparse()},
          {"precision", problem.matrix.is_single() ? "single" : "double"},
          {"scale", arguments.text("scale", "none")}};
}

}  // namespace tamis::cli
