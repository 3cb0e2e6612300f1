#include "cli/console/listener.hpp"

namespace tamis::cli {

Listener::Listener(Problem& problem, const Arguments& arguments, const Voice& voice,
                   TraceFile& trace)
    : problem_(problem), bar_(arguments, voice) {
  problem_.progress = bar_.progress();
  problem_.trace = trace.trace();
  problem_.warn_early = [this, &voice](const std::string& warning) {
    bar_.erase();
    voice.warn(warning);
  };
}

Listener::~Listener() {
  problem_.progress = {};
  problem_.trace = {};
  problem_.warn_early = nullptr;
}

}  // namespace tamis::cli
