#include "tamis/core/trace.hpp"

namespace tamis {

TraceEvent::TraceEvent(std::string_view of) : name(of) {}

TraceEvent& TraceEvent::with(std::string_view field, Value value) {
  fields.emplace_back(field, std::move(value));
  return *this;
}

}  // namespace tamis
