#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace tamis {

/// Memory for large arrays, on huge pages where the system grants them: far fewer page faults when
/// it is first touched and fewer address look-ups when rows are read at a stride.
void* allocate_large(std::size_t bytes);
void free_large(void* memory, std::size_t bytes);

/// An allocator that leaves new numbers uninitialised: resize() touches nothing.
template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t n) { return static_cast<T*>(allocate_large(n * sizeof(T))); }
  void deallocate(T* memory, std::size_t n) { free_large(memory, n * sizeof(T)); }
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }
};

/// A vector for tables and work space. Buffer<T>(n) is uninitialised; Buffer<T>(n, value) is not.
template <class T>
using Buffer = std::vector<T, LargeAllocator<T>>;

}  // namespace tamis
