#include "linalg/blas_setup.hpp"

#include <cblas.h>

#include <cstdlib>
#include <string_view>

// Not in cblas.h, and only in OpenBLAS libraries that carry kernels for several processors.
extern "C" {
char* openblas_get_corename(void);
void gotoblas_dynamic_init(void) __attribute__((weak));
void gotoblas_dynamic_quit(void) __attribute__((weak));
}

namespace tamis {
namespace {

/// The kernels that suit this processor by what it can do, in OpenBLAS's own names.
const char* best_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

/// An OpenBLAS older than the processor knows its model number no better than a Pentium 4 and runs
/// five times slower than it could. Asking again with the kernels named is what a user would do by
/// OPENBLAS_CORETYPE, had the program not started yet; a user's own choice is left alone.
void choose_kernels() {
  constexpr const char* kVariable = "OPENBLAS_CORETYPE";
  const std::string_view chosen = openblas_get_corename();
  const bool is_guess = chosen == "Prescott" || chosen == "Core2" || chosen == "Unknown";
  const char* const better = best_kernels();
  if (!is_guess || better == nullptr || gotoblas_dynamic_init == nullptr ||
      gotoblas_dynamic_quit == nullptr || std::getenv(kVariable) != nullptr)
    return;
  setenv(kVariable, better, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(kVariable);
}

struct ConfiguredBlas {
  ConfiguredBlas() {
    choose_kernels();
    openblas_set_num_threads(1);  // it would start threads of its own inside our parallel loops
  }
};

}  // namespace

void set_up_blas() { static const ConfiguredBlas configured; }

}  // namespace tamis
