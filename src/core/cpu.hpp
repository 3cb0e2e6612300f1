#pragma once

#include <atomic>
#include <string_view>

#include "tamis/core/index.hpp"

/// For templates that kernels are made of: they must be compiled as part of them.
#define TAMIS_INLINE inline __attribute__((always_inline))
/// For the lambdas that for_this_cpu() takes, after their parameters.
#define TAMIS_KERNEL __attribute__((always_inline))

/// Kernels are compiled for several generations of CPUs, and the best that is there is chosen when
/// the first one is called. They compute the same bits on all of them.
namespace tamis {

/// What kernels are compiled for, each with all that the ones before have.
enum class Target { baseline, avx2, avx512 };

/// Of a vector register: its bytes, and how many of them there are.
struct BaselineCpu {
  static constexpr Index kVectorBytes = 16;
#if defined(__aarch64__)
  static constexpr Index kRegisters = 32;
#else
  static constexpr Index kRegisters = 16;
#endif
};
struct Avx2Cpu {
  static constexpr Index kVectorBytes = 32;
  static constexpr Index kRegisters = 16;
};
struct Avx512Cpu {
  static constexpr Index kVectorBytes = 64;
  static constexpr Index kRegisters = 32;
};

std::string_view name_of(Target target);
/// The best target that this machine has.
Target best_target();

/// While it lives, kernels run as on a machine that has no more than this target.
class TargetLimit {
 public:
  explicit TargetLimit(Target target);
  ~TargetLimit();
  TargetLimit(const TargetLimit&) = delete;
  TargetLimit& operator=(const TargetLimit&) = delete;

 private:
  Target before_;
};

namespace detail {

inline constexpr int kNoTarget = -1;
inline std::atomic<int> chosen_target{kNoTarget};
Target choose_target();

template <class Body>
auto on_baseline(Body body) {
  return body(BaselineCpu{});
}
#if defined(__x86_64__)
template <class Body>
__attribute__((target("avx2,fma"))) auto on_avx2(Body body) {
  return body(Avx2Cpu{});
}
template <class Body>
__attribute__((target("avx512f"))) auto on_avx512(Body body) {
  return body(Avx512Cpu{});
}
#endif

}  // namespace detail

/// Which target is in use: the best, unless the variable TAMIS_TARGET of the environment names one.
/// @throws InvalidArgument if it names one that this machine does not have
inline Target current_target() {
  const int chosen = detail::chosen_target.load(std::memory_order_relaxed);
  return chosen != detail::kNoTarget ? static_cast<Target>(chosen) : detail::choose_target();
}

/// Calls body(cpu) as compiled for the target in use: a lambda marked TAMIS_KERNEL whose parameter
/// says what the registers are like. It is copied: what is large must be captured by reference, and
/// numbers and pointers by value, or loops would look them up in memory.
template <class Body>
TAMIS_INLINE auto for_this_cpu(Body body) {
#if defined(__x86_64__)
  switch (current_target()) {
    case Target::avx512:
      return detail::on_avx512(body);
    case Target::avx2:
      return detail::on_avx2(body);
    case Target::baseline:
      break;
  }
#endif
  return detail::on_baseline(body);
}

}  // namespace tamis
