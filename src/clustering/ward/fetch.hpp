#pragma once

#include "tamis/core/index.hpp"

namespace tamis {

/// Asks for numbers that are read soon: into the second cache, as the first one waits for few lines
/// at a time.
template <class T>
void fetch_numbers(const T* numbers, Index count) {
  constexpr Index kLine = 64 / static_cast<Index>(sizeof(T));
  constexpr int kForReading = 0;
  constexpr int kSecondCache = 2;
  for (Index at = 0; at < count; at += kLine)
    __builtin_prefetch(numbers + at, kForReading, kSecondCache);
}

}  // namespace tamis
