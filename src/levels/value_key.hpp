#pragma once

#include <bit>
#include <cstdint>

namespace tamis {

/// A number whose order is that of finite values: a < b if and only if its key is less; 0 and -0
/// have one key. A float has the key of the double that equals it.
inline std::uint64_t value_key(double value) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

/// Keys that share sign, exponent and the leading four bits of the mantissa are in one bucket.
inline constexpr int kBucketShift = 48;
inline constexpr std::size_t kBuckets = std::size_t{1} << (64 - kBucketShift);

}  // namespace tamis
