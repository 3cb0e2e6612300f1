#include "cli/console/listener.hpp"

#include "cli/commands/load.hpp"

namespace tamis::cli {

Listener::Listener(const Arguments& arguments, const Voice& voice, TraceFile& trace)
    : bar_(arguments, voice),
      run_{.seed = seed_of(arguments),
           .progress = bar_.progress(),
           .trace = trace.trace(),
           .warn_early = [this, &voice](const std::string& warning) {
             bar_.erase();
             voice.warn(warning);
           }} {}

}  // namespace tamis::cli
