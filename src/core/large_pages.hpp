#pragma once

#include <cstddef>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// Asks the system for huge pages for memory that nobody has touched yet, as far as it holds whole
/// ones.
void prefer_large_pages(void* memory, std::size_t bytes);

/// The opposite, for memory that is filled here and there: a huge page is taken whole.
void prefer_small_pages(void* memory, std::size_t bytes);

/// Gives memory whose numbers nobody wants any more back to the system, as far as it holds whole
/// pages, before its owner is done with it.
void give_back(void* memory, std::size_t bytes);

/// Gives back what was freed of all memory, and what the C library would keep: where work that took
/// much ends and work of another kind begins. Only if that is work on a table of many values:
/// beside work on a small one it would take long.
void give_back_freed(Index values_of_table);

/// Gives an empty vector so many zeros, on huge pages where the system grants them.
template <class T>
void resize_on_large_pages(std::vector<T>& numbers, std::size_t count) {
  numbers.reserve(count);
  prefer_large_pages(numbers.data(), count * sizeof(T));
  numbers.resize(count);
}
/// Buffers are there already, and stay as they are.
template <class T>
void resize_on_large_pages(Buffer<T>& numbers, std::size_t count) {
  numbers.resize(count);
}

}  // namespace tamis
