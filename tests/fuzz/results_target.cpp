// A results file of an experiment, and what is made of it.
#include "evaluation/results.hpp"
#include "evaluation/summary.hpp"
#include "fuzz/target.hpp"
#include "report/html_report.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tamis;
  fuzz::attempt([&] {
    const fuzz::InputFile file(fuzz::view_of(data, size));
    const ExperimentResults results = read_results(file.path()).results;
    if (results.runs.empty()) return;
    const Summary summary = summarize(results);
    fuzz::claim(!to_json_line(results.facts, summary).empty(), "a summary is not empty");
    fuzz::claim(!html_report(results, summary).empty(), "a report is not empty");
  });
  return 0;
}
