#pragma once

#include <optional>
#include <vector>

#include "cli/output/output.hpp"
#include "io/text_sink.hpp"
#include "results/json.hpp"
#include "tamis/core/trace.hpp"

namespace tamis::cli {

/// What --trace asks for: one JSON object per line, first {"event":"run",...} with what was run,
/// then the events of the method as they come. The file is opened at once, so that a wrong path is
/// known before long work begins, and appears with commit(), whole or not at all.
class TraceFile {
 public:
  /// @throws InvalidArgument if the trace would replace an input or go where another output goes,
  /// IoError if it cannot be written
  TraceFile(const Arguments& arguments, const std::vector<Destination>& others);

  void begin(const Json& what_was_run);
  /// To be given to the problem; must not outlive the file.
  Trace trace();
  void commit();

 private:
  void write(const Json& object);

  bool is_wanted_ = false;
  std::optional<TextSink> file_;  // none: stdout
};

}  // namespace tamis::cli
