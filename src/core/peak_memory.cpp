#include "core/peak_memory.hpp"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace tamis {

Index peak_memory_bytes() {
  // getrusage would count what the parent process held before it started us.
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      Index kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

}  // namespace tamis
