#pragma once

#include <cstdint>

namespace tamis {

/// Remainders by one divisor, without division.
class Remainder {
 public:
  explicit Remainder(std::uint64_t divisor)
      : divisor_(divisor), inverse_(~std::uint64_t{0} / divisor) {}

  std::uint64_t operator()(std::uint64_t value) const {
    // As 2^64 - divisor <= inverse divisor, the quotient is right or 1 too small.
    const auto product = static_cast<Wide>(value) * inverse_;
    const std::uint64_t rest = value - static_cast<std::uint64_t>(product >> 64) * divisor_;
    return rest < divisor_ ? rest : rest - divisor_;
  }

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t divisor_;
  std::uint64_t inverse_;
};

}  // namespace tamis
