#include "core/peak_memory.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace tamis {
namespace {

/// The number behind that name in a short file of the system, 0 without one. Takes no memory
/// itself.
Index number_in(const char* path, const char* name) {
  std::array<char, 1 << 14> text{};
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const ssize_t size = read(descriptor, text.data(), text.size() - 1);
  close(descriptor);
  const char* const line = size > 0 ? std::strstr(text.data(), name) : nullptr;
  return line == nullptr ? 0 : std::strtoll(line + std::strlen(name), nullptr, 10);
}

Index status_kilobytes(const char* name) { return number_in("/proc/self/status", name); }

/// What a limit of the process leaves, of which it holds some.
Index left_of(int limit, Index held) {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource_t>(limit), &now) != 0 ||
      now.rlim_cur >= static_cast<rlim_t>(std::numeric_limits<Index>::max()))
    return std::numeric_limits<Index>::max();
  return std::max<Index>(static_cast<Index>(now.rlim_cur) - held, 0);
}

/// What the group of the process leaves, which a container or a batch system limits; both files
/// are those of the root of what the process sees.
Index left_of_group() {
  const Index most = number_in("/sys/fs/cgroup/memory.max", "");
  if (most == 0) return std::numeric_limits<Index>::max();  // "max", or no such file
  return std::max<Index>(most - number_in("/sys/fs/cgroup/memory.current", ""), 0);
}

}  // namespace

Index peak_memory_bytes() {
  // getrusage would count what the parent process held before it started us.
  if (const Index kilobytes = status_kilobytes("VmHWM:")) return kilobytes * 1024;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

Index held_memory_bytes() { return status_kilobytes("VmRSS:") * 1024; }

Index available_memory_bytes() {
  constexpr Index kUnknown = Index{1} << 30;  // where the system does not say: a cautious guess
  const Index machine = number_in("/proc/meminfo", "MemAvailable:") * 1024;
  return std::min({machine > 0 ? machine : kUnknown, left_of_group(),
                   left_of(RLIMIT_AS, address_space_bytes()),
                   left_of(RLIMIT_DATA, status_kilobytes("VmData:") * 1024)});
}

Index address_space_bytes() { return status_kilobytes("VmSize:") * 1024; }

}  // namespace tamis
