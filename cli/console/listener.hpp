#pragma once

#include "cli/console/progress_bar.hpp"
#include "cli/console/trace_file.hpp"
#include "tamis/core/problem.hpp"

namespace tamis::cli {

/// Listens to a method for the time of its run: shows its progress, says its early warnings at
/// once, writes its trace.
class Listener {
 public:
  Listener(Problem& problem, const Arguments& arguments, const Voice& voice, TraceFile& trace);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

 private:
  Problem& problem_;
  ProgressBar bar_;
};

}  // namespace tamis::cli
