#include "cli/console/trace_file.hpp"

#include "cli/commands/load.hpp"
#include "results/json_fields.hpp"

namespace tamis::cli {
namespace {

Json event_json(const TraceEvent& event) {
  Json object = {{"event", event.name}};
  for (const auto& [name, value] : event.fields)
    object[std::string(name)] = std::visit([](const auto& held) { return json_of(held); }, value);
  return object;
}

}  // namespace

TraceFile::TraceFile(const Arguments& arguments, const std::vector<Destination>& others)
    : is_wanted_(arguments.has("trace")) {
  if (!is_wanted_) return;
  const std::string path = output_path(arguments, input_files(arguments), "trace");
  for (const Destination& other : others) check_apart(arguments, other, {"--trace", path});
  if (!path.empty()) file_.emplace(path);
}

void TraceFile::begin(const Json& what_was_run) {
  if (!is_wanted_) return;
  Json object = {{"event", "run"}, {"schema", "tamis/trace/1"}, {"version", TAMIS_VERSION}};
  object.update(what_was_run);
  write(object);
}

Trace TraceFile::trace() {
  if (!is_wanted_) return {};
  return Trace([this](const TraceEvent& event) { write(event_json(event)); });
}

void TraceFile::write(const Json& object) {
  const std::string line = json_line(object);
  if (file_)
    file_->append(line);
  else
    write_stdout(line);
}

void TraceFile::commit() {
  if (file_) file_->commit();
}

}  // namespace tamis::cli
