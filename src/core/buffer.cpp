#include "tamis/core/buffer.hpp"

#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/large_pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tamis {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kCacheLine = 64;

/// Below two huge pages rounding up would waste more than it saves.
std::size_t alignment_for(std::size_t bytes) {
  return bytes >= 2 * kHugePage ? kHugePage : kCacheLine;
}

}  // namespace

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  // Only whole huge pages: the last, partial one would be counted in full.
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(memory) % kHugePage;
  if (bytes < before + kHugePage) return;
  madvise(static_cast<char*>(memory) + before, (bytes - before) / kHugePage * kHugePage,
          MADV_HUGEPAGE);
#endif
}

void* allocate_large(std::size_t bytes) {
  const std::size_t alignment = alignment_for(bytes);
  void* const memory = ::operator new (bytes, std::align_val_t{alignment});
  if (alignment == kHugePage) prefer_large_pages(memory, bytes);
  return memory;
}

void free_large(void* memory, std::size_t bytes) {
  ::operator delete (memory, std::align_val_t{alignment_for(bytes)});
}

}  // namespace tamis
