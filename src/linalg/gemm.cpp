#include "linalg/gemm.hpp"

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

void configure() { static const ConfiguredBlas configured; }

blasint to_blas(Index n) { return static_cast<blasint>(n); }  // blocks: always small

}  // namespace

void multiply_transposed(const float* a, Index stride_a, Index rows_a, const float* b,
                         Index stride_b, Index rows_b, Index depth, bool accumulate, float* out,
                         Index stride_out) {
  configure();
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, to_blas(rows_a), to_blas(rows_b),
              to_blas(depth), 1.0F, a, to_blas(stride_a), b, to_blas(stride_b),
              accumulate ? 1.0F : 0.0F, out, to_blas(stride_out));
}

void add_cross_products(const double* block, Index rows, Index cols, double* out) {
  configure();
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, to_blas(cols), to_blas(rows), 1.0, block,
              to_blas(cols), 1.0, out, to_blas(cols));
}

void add_row_products(const double* block, Index rows, Index cols, double* out) {
  configure();
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, to_blas(rows), to_blas(cols), 1.0, block,
              to_blas(cols), 1.0, out, to_blas(rows));
}

void multiply(const double* a, const double* b, Index rows, Index depth, Index cols, double* out) {
  configure();
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, to_blas(rows), to_blas(cols),
              to_blas(depth), 1.0, a, to_blas(depth), b, to_blas(cols), 0.0, out, to_blas(cols));
}

void add_product(const float* a, Index stride_a, const float* b, Index rows, Index depth,
                 Index cols, float* out) {
  configure();
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, to_blas(rows), to_blas(cols),
              to_blas(depth), 1.0F, a, to_blas(stride_a), b, to_blas(cols), 1.0F, out,
              to_blas(cols));
}

void add_product(const double* a, Index stride_a, const double* b, Index rows, Index depth,
                 Index cols, double* out) {
  configure();
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, to_blas(rows), to_blas(cols),
              to_blas(depth), 1.0, a, to_blas(stride_a), b, to_blas(cols), 1.0, out, to_blas(cols));
}

void add_transposed_product(const float* a, Index stride_a, const float* b, Index rows, Index depth,
                            Index cols, float* out) {
  configure();
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, to_blas(rows), to_blas(cols), to_blas(depth),
              1.0F, a, to_blas(stride_a), b, to_blas(cols), 1.0F, out, to_blas(cols));
}

void add_transposed_product(const double* a, Index stride_a, const double* b, Index rows,
                            Index depth, Index cols, double* out) {
  configure();
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, to_blas(rows), to_blas(cols), to_blas(depth),
              1.0, a, to_blas(stride_a), b, to_blas(cols), 1.0, out, to_blas(cols));
}

}  // namespace tamis
