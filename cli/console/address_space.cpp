#include "cli/console/address_space.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include "tamis/core/parallel.hpp"

namespace tamis::cli {

std::optional<std::string> lack_of_address_space() {
  // Measured with OpenBLAS 0.3.21: the program and its libraries, and for each core two stacks, a
  // buffer of OpenBLAS and an arena of the C library.
  constexpr rlim_t kMegabyte = 1'000'000;
  constexpr rlim_t kAtLeast = 250 * kMegabyte;
  constexpr rlim_t kPerCore = 125 * kMegabyte;
  const auto cores = static_cast<rlim_t>(max_threads());
  const rlim_t needed = kAtLeast + cores * kPerCore;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= needed) return std::nullopt;
  return fmt::format(
      "address space is limited to {} MB (ulimit -v), and {} MB are needed on {} core{}: raise the "
      "limit, or take fewer cores (taskset)",
      limit.rlim_cur / kMegabyte, needed / kMegabyte, cores, cores == 1 ? "" : "s");
}

}  // namespace tamis::cli
