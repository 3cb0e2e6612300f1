#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "tamis/core/index.hpp"

/// Compiles a function for several generations of x86-64 and picks the best when the program
/// starts. Elsewhere, and under sanitizers (whose runtime is not up when the choice is made), it
/// does nothing.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(TAMIS_SANITIZED)
#define TAMIS_MULTIVERSION __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define TAMIS_MULTIVERSION
#endif

/// For templates that the functions above are made of: they must be compiled as part of them.
#define TAMIS_INLINE inline __attribute__((always_inline))

namespace tamis {

/// Calls visit(l) for each l < n whose mark is 1 (others are 0): filling marks is a loop that
/// vectorises, and this one visits only the few that are set. Room for 8 marks beyond n is needed.
template <class Visit>
TAMIS_INLINE void for_each_marked(unsigned char* marks, Index n, const Visit& visit) {
  static_assert(std::endian::native == std::endian::little, "the lowest bits are the first mark");
  std::memset(marks + n, 0, 8);
  for (Index from = 0; from < n; from += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, marks + from, 8);
    for (; bytes != 0; bytes &= bytes - 1) visit(from + std::countr_zero(bytes) / 8);
  }
}

}  // namespace tamis
