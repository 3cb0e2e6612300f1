#include <benchmark/benchmark.h>

#include <string>

#include "core/cpu.hpp"

namespace tamis::bench {
namespace {

/// What the kernels were compiled for, told beside the results.
[[maybe_unused]] const bool is_told = [] {
  benchmark::AddCustomContext("target", std::string(name_of(current_target())));
  return true;
}();

}  // namespace
}  // namespace tamis::bench
