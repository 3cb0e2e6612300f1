#include "core/cpu.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr const char* kVariable = "TAMIS_TARGET";
constexpr std::array kTargets{Target::baseline, Target::avx2, Target::avx512};

bool has(Target target) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  switch (target) {
    case Target::avx512:
      return __builtin_cpu_supports("avx512f") != 0;
    case Target::avx2:
      return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    case Target::baseline:
      break;
  }
#endif
  return target == Target::baseline;
}

std::string names_of_targets_here() {
  std::string names;
  for (const Target target : kTargets)
    if (has(target)) names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(target));
  return names;
}

Target target_of_environment() {
  const char* const wanted = std::getenv(kVariable);
  if (wanted == nullptr) return best_target();
  for (const Target target : kTargets)
    if (name_of(target) == wanted && has(target)) return target;
  throw InvalidArgument(fmt::format(
      "the variable {} of the environment is '{}', but this machine has {}: name one of them, or "
      "unset it",
      kVariable, wanted, names_of_targets_here()));
}

}  // namespace

std::string_view name_of(Target target) {
  constexpr std::array<std::string_view, kTargets.size()> kNames{"baseline", "avx2", "avx512"};
  return kNames[static_cast<std::size_t>(target)];
}

Target best_target() {
  Target best = Target::baseline;
  for (const Target target : kTargets)
    if (has(target)) best = target;
  return best;
}

Target detail::choose_target() {
  const Target target = target_of_environment();
  chosen_target.store(static_cast<int>(target), std::memory_order_relaxed);
  return target;
}

TargetLimit::TargetLimit(Target target) : before_(current_target()) {
  if (target < before_)
    detail::chosen_target.store(static_cast<int>(target), std::memory_order_relaxed);
}

TargetLimit::~TargetLimit() {
  detail::chosen_target.store(static_cast<int>(before_), std::memory_order_relaxed);
}

}  // namespace tamis
