#include "linalg/gemm.hpp"

#include <cblas.h>

#include "linalg/blas_setup.hpp"

namespace tamis {
namespace {

blasint to_blas(Index n) { return static_cast<blasint>(n); }  // blocks: always small

}  // namespace

void multiply_transposed(const float* a, Index stride_a, Index rows_a, const float* b,
                         Index stride_b, Index rows_b, Index depth, bool accumulate, float* out,
                         Index stride_out) {
  set_up_blas();
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, to_blas(rows_a), to_blas(rows_b),
              to_blas(depth), 1.0F, a, to_blas(stride_a), b, to_blas(stride_b),
              accumulate ? 1.0F : 0.0F, out, to_blas(stride_out));
}

void add_transposed(const double* a, Index stride_a, Index rows_a, const double* b, Index stride_b,
                    Index rows_b, Index depth, double* out, Index stride_out) {
  set_up_blas();
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, to_blas(rows_a), to_blas(rows_b),
              to_blas(depth), 1.0, a, to_blas(stride_a), b, to_blas(stride_b), 1.0, out,
              to_blas(stride_out));
}

void add_cross_products(const double* block, Index rows, Index cols, double* out) {
  set_up_blas();
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, to_blas(cols), to_blas(rows), 1.0, block,
              to_blas(cols), 1.0, out, to_blas(cols));
}

void add_row_products(const double* block, Index rows, Index cols, double* out) {
  set_up_blas();
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, to_blas(rows), to_blas(cols), 1.0, block,
              to_blas(cols), 1.0, out, to_blas(rows));
}

void multiply(const double* a, const double* b, Index rows, Index depth, Index cols, double* out) {
  set_up_blas();
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, to_blas(rows), to_blas(cols),
              to_blas(depth), 1.0, a, to_blas(depth), b, to_blas(cols), 0.0, out, to_blas(cols));
}

void add_product(const float* a, Index stride_a, const float* b, Index rows, Index depth,
                 Index cols, float* out) {
  set_up_blas();
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, to_blas(rows), to_blas(cols),
              to_blas(depth), 1.0F, a, to_blas(stride_a), b, to_blas(cols), 1.0F, out,
              to_blas(cols));
}

void add_product(const double* a, Index stride_a, const double* b, Index rows, Index depth,
                 Index cols, double* out) {
  set_up_blas();
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, to_blas(rows), to_blas(cols),
              to_blas(depth), 1.0, a, to_blas(stride_a), b, to_blas(cols), 1.0, out, to_blas(cols));
}

void add_transposed_product(const float* a, Index stride_a, const float* b, Index rows, Index depth,
                            Index cols, float* out) {
  set_up_blas();
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, to_blas(rows), to_blas(cols), to_blas(depth),
              1.0F, a, to_blas(stride_a), b, to_blas(cols), 1.0F, out, to_blas(cols));
}

void add_transposed_product(const double* a, Index stride_a, const double* b, Index rows,
                            Index depth, Index cols, double* out) {
  set_up_blas();
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, to_blas(rows), to_blas(cols), to_blas(depth),
              1.0, a, to_blas(stride_a), b, to_blas(cols), 1.0, out, to_blas(cols));
}

}  // namespace tamis
