#include "cli/output/report_file.hpp"

namespace tamis::cli {

ReportFile::ReportFile(const Arguments& arguments, const std::vector<std::string>& inputs,
                       const std::vector<Destination>& others) {
  if (!arguments.has("report")) return;
  path_ = output_path(arguments, inputs, "report");
  for (const Destination& other : others) check_apart(arguments, other, {"--report", path_});
  if (!path_.empty()) check_no_input(path_beside(), inputs, "--report");
  output_.emplace(path_);
}

std::vector<Destination> ReportFile::and_this(std::vector<Destination> others) const {
  if (is_wanted()) others.push_back({"--report", path_});
  return others;
}

void ReportFile::write_beside(std::string_view text) const {
  if (!path_.empty()) TextOutput(path_beside()).write(text);
}

void ReportFile::write(std::string_view page) { output_->write(page); }

}  // namespace tamis::cli
