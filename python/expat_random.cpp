// Expat inside a wheel (tools/wheels) salts its hashes by a function that glibc has since 2.36
// only; this one lets the wheel run on older systems.
#include <sys/random.h>

#include <cstddef>

extern "C" [[gnu::visibility("hidden")]] void arc4random_buf(void* bytes,
                                                             std::size_t count) noexcept {
  auto* next = static_cast<std::byte*>(bytes);
  while (count > 0) {
    const ssize_t got = getrandom(next, count, 0);
    if (got <= 0) continue;  // interrupted by a signal
    next += got;
    count -= static_cast<std::size_t>(got);
  }
}
