#include "launch/foreign.h"

#include "launch/local_processes.h"

namespace trainmark {

LaunchPlan plan_foreign(const ForeignRequest& request) {
  return {request.command, request.variables, {}};
}

std::unique_ptr<Processes> start_foreign(const ForeignRequest& request, StreamSink sink) {
  ProcessSpec spec;
  spec.command = request.command;
  spec.variables = request.variables;
  spec.folder = request.folder.string();
  spec.tells_events = false;
  return std::make_unique<LocalProcesses>(std::vector<ProcessSpec>{spec}, std::move(sink));
}

}  // namespace trainmark
