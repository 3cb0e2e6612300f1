#pragma once

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
