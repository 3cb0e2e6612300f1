#include "streaming/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/peak_memory.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr Index kBlocks = 2;
/// Larger blocks are read no faster.
constexpr Index kLargestBlock = Index{32} << 20;
/// Nor looked at faster, whatever is liked.
constexpr Index kLargestLikedBlock = Index{128} << 20;
/// Kernels take so many rows at once: what is left of a block costs them as much as a whole one.
constexpr Index kKernelRows = 512;
/// What threads, the allocator and libraries take besides.
constexpr Index kMargin = Index{16} << 20;

Index bytes_for_states(const Conversation& conversation) {
  Index most = conversation.result_bytes();
  for (const PassPlan& pass : conversation.passes()) most = std::max(most, pass.bytes);
  return most;
}

/// Rows that are read together.
Index unit_of(const RowSource& source) {
  return std::clamp<Index>(source.rows_at_once(), 1, source.rows());
}

/// Of what is there, a run takes so much if nobody says how much it may.
constexpr double kShareOfMemory = 0.8;
/// What a method takes for a table, itself included.
constexpr double kTimesTable = 1.3;

constexpr std::array<std::pair<char, double>, 4> kUnits{
    {{'T', 1e12}, {'G', 1e9}, {'M', 1e6}, {'k', 1e3}}};

}  // namespace

MemoryPlan plan_memory(const RowSource& source, Conversation& conversation, Index limit,
                       AnswerSpace space) {
  MemoryPlan plan{.limit = limit, .held = held_memory_bytes()};
  const Index per_row = kBlocks * source.bytes_per_row() + source.reading_bytes_per_row();
  const Index unit = unit_of(source);
  const Index wanted = std::max(unit, std::min(kKernelRows, source.rows()));
  space.bytes = limit - plan.held - kMargin - wanted * per_row;
  conversation.fit(space);
  plan.states = bytes_for_states(conversation);
  const Index others = plan.held + plan.states + kMargin;
  const Index least = others + unit * per_row;
  if (limit < least)
    throw InvalidArgument(
        fmt::format("{} of memory are too few for this table and method: at least {} are needed",
                    bytes_text(limit), bytes_text(least)));
  plan.rows_at_once = rows_of_blocks(source, conversation, (limit - others) / per_row);
  return plan;
}

Index rows_of_blocks(const RowSource& source, const Conversation& conversation, Index fitting) {
  const Index unit = unit_of(source);
  const Index liked =
      std::min(conversation.rows_liked(), kLargestLikedBlock / source.bytes_per_row());
  const Index largest = std::max(kLargestBlock / source.bytes_per_row(), liked);
  fitting = std::min(std::max(largest, unit), fitting);
  const bool are_whole = fitting >= kKernelRows && kKernelRows % unit == 0;
  const Index step = are_whole ? kKernelRows : unit;
  return std::min(fitting / step * step, source.rows());
}

Index usual_memory() {
  return held_memory_bytes() +
         static_cast<Index>(kShareOfMemory * static_cast<double>(available_memory_bytes()));
}

bool fits_in_memory(const RowSource& source, Index limit) {
  return fits_in_memory(
      static_cast<double>(source.rows()) * static_cast<double>(source.bytes_per_row()), limit);
}

bool fits_in_memory(double bytes, Index limit) {
  return kTimesTable * bytes <= static_cast<double>(limit);
}

Index parse_bytes(std::string_view who, std::string_view name, std::string_view text) {
  double factor = 1.0;
  std::string_view number = text;
  for (const auto& [letter, size] : kUnits)
    if (!text.empty() && std::toupper(text.back()) == std::toupper(letter)) {
      factor = size;
      number.remove_suffix(1);
    }
  double count = 0.0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), count);
  if (error != std::errc{} || stop != number.data() + number.size() || !(count > 0.0) ||
      count * factor > 1e18)
    throw InvalidArgument(fmt::format(
        "{}: {} = '{}' is no amount of memory; write a number of bytes, or such as 500M or 4G", who,
        name, text));
  return static_cast<Index>(count * factor);
}

std::string bytes_text(Index bytes) {
  const auto size = static_cast<double>(bytes);
  // Rounded up: what is named as enough must be.
  const auto rounded_up = [](double value) { return std::ceil(value * 10.0) / 10.0; };
  for (const auto& [letter, unit] : kUnits)
    if (size >= unit) return fmt::format("{:g} {}B", rounded_up(size / unit), letter);
  return fmt::format("{} bytes", bytes);
}

}  // namespace tamis
