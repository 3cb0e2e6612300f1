#include <fstream>
#include <string>

#include "report/sample_reports.hpp"

/// Writes the sample reports into a folder, for tests/browser to look at.
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = std::string(argv[1]) + "/";
  using namespace tamis;
  const auto write = [&](const std::string& name, const std::string& page) {
    std::ofstream(folder + name) << page;
  };
  write("ranking.html", html_report(test::sample_facts(300), test::sample_ranking(300)));
  write("wide.html", html_report(test::sample_facts(7000), test::sample_ranking(7000)));
  const ExperimentResults results = test::sample_results();
  write("experiment.html", html_report(results, summarize(results)));
  for (const auto& [name, others] :
       {std::pair("constraints.html", test::sample_constraint_results()),
        std::pair("options.html", test::sample_option_results())})
    write(name, html_report(others, summarize(others)));
  write("clustering.html",
        html_report(test::sample_plane_facts(60), test::sample_clustering_ranking(60)));
  write("empty.html", html_report(ExperimentResults{.facts = results.facts}, Summary{}));
}
