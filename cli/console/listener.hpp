#pragma once

#include "cli/console/progress_bar.hpp"
#include "cli/console/trace_file.hpp"
#include "tamis/core/run.hpp"

namespace tamis::cli {

/// Listens to a run: shows its progress, says its early warnings at once, writes its trace.
class Listener {
 public:
  Listener(const Arguments& arguments, const Voice& voice, TraceFile& trace);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const Run& run() const { return run_; }

 private:
  ProgressBar bar_;
  Run run_;
};

}  // namespace tamis::cli
