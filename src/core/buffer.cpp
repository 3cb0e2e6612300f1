#include "tamis/core/buffer.hpp"

#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/large_pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tamis {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kCacheLine = 64;
constexpr Index kManyValues = Index{1} << 22;

/// Below two huge pages rounding up would waste more than it saves.
std::size_t alignment_for(std::size_t bytes) {
  return bytes >= 2 * kHugePage ? kHugePage : kCacheLine;
}

#if defined(__linux__)
constexpr int kHuge = MADV_HUGEPAGE;
constexpr int kSmall = MADV_NOHUGEPAGE;
constexpr int kUnwanted = MADV_DONTNEED;

void advise_whole_pages(void* memory, std::size_t bytes, std::size_t page, int advice) {
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(memory) % page;
  if (bytes < before + page) return;
  madvise(static_cast<char*>(memory) + before, (bytes - before) / page * page, advice);
}

std::size_t small_page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
#else
constexpr int kHuge = 0;
constexpr int kSmall = 0;
constexpr int kUnwanted = 0;

void advise_whole_pages(void*, std::size_t, std::size_t, int) {}

std::size_t small_page() { return 1; }
#endif

}  // namespace

// Only whole huge pages: the last, partial one would be counted in full.
void prefer_large_pages(void* memory, std::size_t bytes) {
  advise_whole_pages(memory, bytes, kHugePage, kHuge);
}

void prefer_small_pages(void* memory, std::size_t bytes) {
  advise_whole_pages(memory, bytes, small_page(), kSmall);
}

void give_back(void* memory, std::size_t bytes) {
  advise_whole_pages(memory, bytes, small_page(), kUnwanted);
}

void give_back_freed(Index values_of_table) {
  if (values_of_table < kManyValues) return;
#if defined(__GLIBC__)
  malloc_trim(0);
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
