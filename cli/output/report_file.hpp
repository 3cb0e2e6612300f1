#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output/output.hpp"

namespace tamis::cli {

/// What --report asks for: a page to look at. The file is opened at once, so that a wrong path is
/// known before long work begins, and appears whole or not at all.
class ReportFile {
 public:
  /// @throws InvalidArgument if the page would replace an input or go where another output goes,
  /// IoError if it cannot be written
  ReportFile(const Arguments& arguments, const std::vector<std::string>& inputs,
             const std::vector<Destination>& others);

  bool is_wanted() const { return output_.has_value(); }
  /// The other destinations and this one, for what else must stay apart.
  std::vector<Destination> and_this(std::vector<Destination> others) const;
  void write(std::string_view page);

  /// A CSV file for what has no place on the page; empty if the page goes to standard output.
  std::string path_beside() const { return path_.empty() ? "" : path_ + ".csv"; }
  void write_beside(std::string_view text) const;

 private:
  std::string path_ = {};
  std::optional<TextOutput> output_ = std::nullopt;
};

}  // namespace tamis::cli
