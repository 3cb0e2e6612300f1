#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// One thing that chance decided or that an iteration did, with what is needed to repeat it.
struct TraceEvent {
  using Value = std::variant<Index, double, std::string, std::vector<Index>, std::vector<double>,
                             std::vector<std::vector<double>>, std::vector<std::optional<Index>>>;

  explicit TraceEvent(std::string_view of);

  std::string_view name;
  std::vector<std::pair<std::string_view, Value>> fields;

  /// Adds a field. A braced list of fields would not do: if one of them has no memory, GCC 12 also
  /// destroys those that it has not made yet.
  TraceEvent& with(std::string_view field, Value value);
};

/// Where a method writes down its draws and iterations, so that its result can be recomputed
/// elsewhere; nowhere by default. Methods record from one thread and in an order that does not
/// depend on the number of threads, and only if the trace is wanted.
class Trace {
 public:
  using Sink = std::function<void(const TraceEvent&)>;

  Trace() = default;
  explicit Trace(Sink sink) : sink_(std::move(sink)) {}

  bool is_wanted() const { return sink_ != nullptr; }
  void record(const TraceEvent& event) const {
    if (sink_) sink_(event);
  }

 private:
  Sink sink_;
};

}  // namespace tamis
