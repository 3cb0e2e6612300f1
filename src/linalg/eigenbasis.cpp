#include "linalg/eigenbasis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/blas_setup.hpp"
#include "linalg/tridiagonal.hpp"
#include "tamis/core/error.hpp"

// LAPACK's own interface: OpenBLAS carries it, its C interface is not always installed. Texts have
// their length as a hidden argument.
extern "C" {
// NOLINTBEGIN(readability-identifier-naming): not ours to name
void dsyevd_(const char* job, const char* triangle, const int* n, double* a, const int* stride,
             double* values, double* work, const int* work_size, int* whole_work,
             const int* whole_work_size, int* info, std::size_t, std::size_t);
void dstemr_(const char* job, const char* range, const int* n, double* diagonal, double* beside,
             const double* above, const double* up_to, const int* first, const int* last,
             int* count, double* values, double* vectors, const int* vectors_stride,
             const int* most, int* supports, int* precisely, double* work, const int* work_size,
             int* whole_work, const int* whole_work_size, int* info, std::size_t, std::size_t);
void dsygvd_(const int* type, const char* job, const char* triangle, const int* n, double* a,
             const int* stride, double* b, const int* stride_b, double* values, double* work,
             const int* work_size, int* whole_work, const int* whole_work_size, int* info,
             std::size_t, std::size_t);
// NOLINTEND(readability-identifier-naming)
}

namespace tamis {
namespace {

/// The row-major lower triangle is the column-major upper one, and LAPACK's columns are our rows.
constexpr const char* kVectorsToo = "V";
constexpr const char* kUpper = "U";

/// What both routines want: 1 + 6 n + 2 n^2 numbers and 3 + 5 n whole ones.
struct WorkSpace {
  explicit WorkSpace(int n) : numbers(1 + 6 * Index{n} + 2 * Index{n} * n), whole(3 + 5 * n) {}
  Buffer<double> numbers;
  std::vector<int> whole;
};

void check_solved(int info) {
  if (info != 0)
    throw ComputationError(
        fmt::format("the eigenvalues of a matrix were not found (LAPACK: {})", info));
}

/// LAPACK's order is ascending.
Eigenbasis largest_first(std::vector<double> values, Buffer<double> vectors, Index side) {
  const Index count = std::ssize(values);
  std::ranges::reverse(values);
  for (Index a = 0; a < count / 2; ++a)
    std::swap_ranges(&vectors[a * side], &vectors[a * side] + side,
                     &vectors[(count - 1 - a) * side]);
  return {std::move(values), std::move(vectors)};
}

}  // namespace

Eigenbasis eigenbasis(Buffer<double> lower, Index side) {
  set_up_blas();
  const int n = static_cast<int>(side);
  WorkSpace work(n);
  const int size = static_cast<int>(work.numbers.size());
  const int whole_size = static_cast<int>(work.whole.size());
  std::vector<double> values(side);
  int info = 0;
  dsyevd_(kVectorsToo, kUpper, &n, lower.data(), &n, values.data(), work.numbers.data(), &size,
          work.whole.data(), &whole_size, &info, 1, 1);
  check_solved(info);
  return largest_first(std::move(values), std::move(lower), side);
}

Eigenbasis leading_eigenbasis(const Buffer<double>& lower, Index side, Index count) {
  set_up_blas();
  constexpr const char* kByNumber = "I";
  constexpr double kNoBound = 0.0;
  const Tridiagonal reduced(lower, side);
  std::vector<double> diagonal = reduced.diagonal();
  std::vector<double> beside = reduced.beside();
  beside.push_back(0.0);  // room to work
  const int n = static_cast<int>(side);
  const int first = static_cast<int>(side - count + 1);
  const int most = static_cast<int>(count);
  std::vector<double> work(18 * side);  // what it asks for
  std::vector<int> whole_work(10 * side);
  const int size = static_cast<int>(work.size());
  const int whole_size = static_cast<int>(whole_work.size());
  std::vector<int> supports(2 * count);
  std::vector<double> values(side);
  Buffer<double> vectors(count * side);
  int precisely = 0;
  int found = 0;
  int info = 0;
  dstemr_(kVectorsToo, kByNumber, &n, diagonal.data(), beside.data(), &kNoBound, &kNoBound, &first,
          &n, &found, values.data(), vectors.data(), &n, &most, supports.data(), &precisely,
          work.data(), &size, whole_work.data(), &whole_size, &info, 1, 1);
  check_solved(info);
  values.resize(count);
  for (Index a = 0; a < count; ++a) reduced.rotate_back(&vectors[a * side]);
  return largest_first(std::move(values), std::move(vectors), side);
}

Eigenbasis eigenbasis(Buffer<double> lower_a, Buffer<double> lower_b, Index side) {
  set_up_blas();
  const int n = static_cast<int>(side);
  const int type = 1;  // A x = lambda B x
  WorkSpace work(n);
  const int size = static_cast<int>(work.numbers.size());
  const int whole_size = static_cast<int>(work.whole.size());
  std::vector<double> values(side);
  int info = 0;
  dsygvd_(&type, kVectorsToo, kUpper, &n, lower_a.data(), &n, lower_b.data(), &n, values.data(),
          work.numbers.data(), &size, work.whole.data(), &whole_size, &info, 1, 1);
  check_solved(info);
  return largest_first(std::move(values), std::move(lower_a), side);
}

}  // namespace tamis
